import { speak } from '../../../../src-core/realtime/scripted/voice.ts';

/** A tone at -6 dBFS. */
export function tone(hertz: number, sampleRate: number, seconds: number): Int16Array {
  return Int16Array.from({ length: sampleRate * seconds }, (_, at) =>
    Math.round(16_384 * Math.sin((2 * Math.PI * hertz * at) / sampleRate)),
  );
}

/** Ten seconds of the scripted server's voice. */
export function speech(sampleRate: number): Int16Array {
  const text =
    'How is the weather today in the north of the country? I would like to know, and please set the volume. ';
  const pcm = [...speak(text.repeat(3), sampleRate)].flatMap(({ pcm: part }) => [...part]);
  return Int16Array.from(pcm.slice(0, sampleRate * 10));
}

/** The signal-to-noise ratio in dB of `got` against `wanted`, at the delay in samples where it is best. */
export function bestSnr(wanted: Int16Array, got: Int16Array, maxDelay: number): { snr: number; delay: number } {
  let best = { snr: -Infinity, delay: 0 };
  // The edges are left out: a codec settles there, a filter meets the silence before.
  const edge = Math.floor(wanted.length / 50);
  for (let delay = 0; delay <= maxDelay; delay += 1) {
    let signal = 0;
    let noise = 0;
    for (let at = edge; at < wanted.length - edge; at += 1) {
      const sample = wanted[at] ?? 0;
      const other = got[at + delay] ?? 0;
      signal += sample ** 2;
      noise += (sample - other) ** 2;
    }
    const snr = 10 * Math.log10(signal / noise);
    // A tone fits again a period later: the first time is meant.
    if (snr > best.snr + 1) best = { snr, delay };
  }
  return best;
}

/** Power in dBFS of the sound at one frequency (Goertzel), from the middle of it. */
export function powerAt(hertz: number, pcm: Float32Array, sampleRate: number): number {
  const middle = pcm.subarray(Math.floor(pcm.length / 4), Math.floor((pcm.length * 3) / 4));
  let re = 0;
  let im = 0;
  for (const [at, sample] of middle.entries()) {
    // A window, so that a frequency beside it does not count.
    const windowed = sample * (1 - Math.cos((2 * Math.PI * at) / middle.length));
    re += windowed * Math.cos((2 * Math.PI * hertz * at) / sampleRate);
    im += windowed * Math.sin((2 * Math.PI * hertz * at) / sampleRate);
  }
  return 20 * Math.log10((2 * Math.hypot(re, im)) / middle.length + 1e-12);
}

/** dB by which the mean spectra of two sounds differ, 200 Hz bands up to 4 kHz, weighted by how loud a band is. */
export function spectralError(wanted: Int16Array, got: Int16Array, sampleRate: number): number {
  const [one, other] = [bands(wanted, sampleRate), bands(got, sampleRate)];
  const total = one.reduce((sum, power) => sum + power, 0);
  return one.reduce((sum, power, at) => sum + (power / total) * Math.abs(10 * Math.log10((other[at] ?? 0) / power)), 0);
}

function bands(pcm: Int16Array, sampleRate: number): number[] {
  const size = sampleRate / 50;
  const powers = Array.from({ length: 20 }, () => 1e-9);
  for (let from = 0; from + size <= pcm.length; from += size * 4) {
    for (const band of powers.keys()) {
      for (const hertz of [100, 150, 200, 250].map((add) => band * 200 + add)) {
        let re = 0;
        let im = 0;
        for (let at = 0; at < size; at += 1) {
          const sample = ((pcm[from + at] ?? 0) / 32_768) * (1 - Math.cos((2 * Math.PI * at) / size));
          re += sample * Math.cos((2 * Math.PI * hertz * at) / sampleRate);
          im += sample * Math.sin((2 * Math.PI * hertz * at) / sampleRate);
        }
        powers[band] = (powers[band] ?? 0) + re ** 2 + im ** 2;
      }
    }
  }
  return powers;
}
