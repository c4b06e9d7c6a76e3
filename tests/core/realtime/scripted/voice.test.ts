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
