import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { floatFromPcm } from '../../../src-core/audio/pcm.ts';
import { PcmResampler } from '../../../src-core/audio/pcmResampler.ts';
import { Resampler } from '../../../src-core/audio/resampler.ts';
import { bestSnr, powerAt, speech, tone } from './support/signals.ts';

function whole(from: number, to: number, pcm: Int16Array): Int16Array {
  const resampler = new PcmResampler(from, to);
  return Int16Array.from([...resampler.push(pcm), ...resampler.flush()]);
}

function join(parts: Float32Array[]): number[] {
  return parts.flatMap((part) => [...part]);
}

describe('Resampler', () => {
  it('brings 10 s of a tone and of speech from 16 to 24 kHz and back without delay', () => {
    for (const [name, pcm, bound] of [
      ['tone', tone(1_000, 16_000, 10), 75],
      ['speech', speech(16_000), 60],
    ] as const) {
      const there = whole(16_000, 24_000, pcm);
      const back = whole(24_000, 16_000, there);
      expect(there).toHaveLength(pcm.length * 1.5);
      expect(back).toHaveLength(pcm.length);
      const { snr, delay } = bestSnr(pcm, back, 2);
      console.info(`resampling 16 → 24 → 16 kHz, ${name}: SNR ${snr.toFixed(1)} dB, delay ${delay}`);
      expect(delay).toBe(0);
      expect(snr).toBeGreaterThan(bound);
    }
  });

  it('removes frequencies above half of the new rate', () => {
    for (const [from, to, hertz] of [
      [48_000, 16_000, 9_000],
      [24_000, 16_000, 11_000],
      [44_100, 16_000, 12_345],
      [24_000, 16_000, 8_100],
    ] as const) {
      const resampler = new Resampler(from, to);
      const given = resampler.push(floatFromPcm(tone(hertz, from, 1)));
      const alias = powerAt(Math.abs(to - hertz), given, to) - powerAt(hertz, floatFromPcm(tone(hertz, from, 1)), from);
      console.info(`alias of ${hertz} Hz, ${from} → ${to}: ${alias.toFixed(1)} dB`);
      expect(alias).toBeLessThan(-80);
    }
  });

  it('keeps frequencies up to 0.85 of half the rate within 0.1 dB', () => {
    for (const hertz of [100, 1_000, 3_400, 6_800]) {
      const input = floatFromPcm(tone(hertz, 24_000, 1));
      const given = new Resampler(24_000, 16_000).push(input);
      expect(Math.abs(powerAt(hertz, given, 16_000) - powerAt(hertz, input, 24_000))).toBeLessThan(0.1);
    }
  });

  it('makes the same samples however the stream is cut', () => {
    const input = floatFromPcm(speech(16_000).subarray(0, 1_500));
    fc.assert(
      fc.property(
        fc.constantFrom([16_000, 24_000], [24_000, 16_000], [44_100, 24_000], [16_000, 16_000], [8_000, 48_000]),
        fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 30 }),
        ([from = 0, to = 0], cuts) => {
          const one = new Resampler(from, to);
          const other = new Resampler(from, to);
          const pieces: Float32Array[] = [];
          let at = 0;
          for (const cut of cuts) pieces.push(one.push(input.subarray(at, (at += cut))));
          pieces.push(one.push(input.subarray(at)), one.flush());
          const expected = join([other.push(input), other.flush()]);
          expect(join(pieces)).toEqual(expected);
          expect(expected).toHaveLength(Math.ceil((input.length * to) / from));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('begins anew after a flush', () => {
    const resampler = new Resampler(16_000, 24_000);
    const input = floatFromPcm(tone(440, 16_000, 0.1));
    const first = join([resampler.push(input), resampler.flush()]);
    expect(join([resampler.push(input), resampler.flush()])).toEqual(first);
    expect(resampler.flush()).toHaveLength(0);
  });

  it('refuses an invalid rate', () => {
    for (const rate of [0, -1, 1.5, Number.NaN, Infinity, 1e9])
      expect(() => new Resampler(rate, 16_000)).toThrow(RangeError);
  });
});
