/** Hz of the three lowest resonances of a vowel. */
const vowels = [
  [730, 1_090, 2_440],
  [270, 2_290, 3_010],
  [570, 840, 2_410],
  [530, 1_840, 2_480],
] as const;
/** ms of a syllable, and of the pause behind it. */
const syllableMs = 210;
const pauseMs = 50;

/**
 * Something like speech, made here, for whoever has no microphone: six syllables of a voice whose pitch falls. Loud enough
 * for a server that listens for speech; it says nothing.
 */
export function testUtterance(sampleRate: number): Int16Array {
  const syllable = Math.round((sampleRate * syllableMs) / 1_000);
  const step = syllable + Math.round((sampleRate * pauseMs) / 1_000);
  const count = 6;
  const pcm = new Int16Array(step * count);
  for (let number = 0; number < count; number += 1) {
    const formants = vowels[number % vowels.length] ?? vowels[0];
    const pitch = 150 - 7 * number;
    for (let at = 0; at < syllable; at += 1) {
      const seconds = at / sampleRate;
      const swell = Math.sin((Math.PI * at) / syllable) ** 0.6;
      pcm[number * step + at] = Math.round(11_000 * swell * voiced(pitch, formants, seconds));
    }
  }
  return pcm;
}

/** Harmonics of a pitch, each as loud as the resonances near it make it. */
function voiced(pitch: number, formants: readonly number[], seconds: number): number {
  let sum = 0;
  for (let harmonic = 1; harmonic * pitch < 3_400; harmonic += 1) {
    const hz = harmonic * pitch;
    const gain = formants.reduce((most, formant) => Math.max(most, 1 / (1 + ((hz - formant) / 110) ** 2)), 0.02);
    sum += gain * Math.sin(2 * Math.PI * hz * seconds);
  }
  return sum / 4;
}
