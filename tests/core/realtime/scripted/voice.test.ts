import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LevelMeter } from '../../../../src-core/audio/levelMeter.ts';
import { speak } from '../../../../src-core/realtime/scripted/voice.ts';

describe('speak', () => {
  it('takes 180 ms a syllable or Chinese character, and pauses at signs', () => {
    const ms = (text: string): number => [...speak(text)].reduce((sum, { pcm }) => sum + pcm.length / 24, 0);
    expect(ms('hello')).toBe(360);
    expect(ms('你好吗')).toBe(540);
    expect(ms('7 km')).toBe(360);
    expect(ms('hello, you.')).toBe(360 + 130 + 180 + 260);
    expect(ms('')).toBe(0);
  });

  it('says all of the text, and the same always', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (text) => {
        const parts = [...speak(text, 8_000)];
        expect(parts.map((part) => part.text).join('')).toBe(text);
        expect([...speak(text, 8_000)]).toEqual(parts);
      }),
      { numRuns: 50 },
    );
  });

  it('has no steps between its samples, which would hiss', () => {
    const samples = [...speak('how are you today')].flatMap(({ pcm }) => [...pcm]);
    const loudest = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const steepest = samples.reduce((most, value, at) => Math.max(most, Math.abs(value - (samples[at - 1] ?? 0))), 0);
    expect(loudest).toBeGreaterThan(0);
    // A tone of 3,600 Hz, the highest in the voice, rises by at most 2π · 3,600 / 24,000 of its peak from one sample to the next.
    expect(steepest / loudest).toBeLessThan((2 * Math.PI * 3_600) / 24_000);
  });

  it('is as loud as a voice, not as a siren', () => {
    const meter = new LevelMeter(24_000, 540);
    const levels = [...speak('how are you today')].flatMap(({ pcm }) => meter.push(pcm));
    expect(levels.length).toBeGreaterThan(0);
    for (const { rms, peak } of levels) {
      expect(rms).toBeGreaterThan(-30);
      expect(peak).toBeLessThan(-6);
    }
  });
});
