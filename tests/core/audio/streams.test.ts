import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FramePacer } from '../../../src-core/audio/framePacer.ts';
import { LevelMeter } from '../../../src-core/audio/levelMeter.ts';
import { bytesFromPcm, floatFromPcm, pcmFromBytes, pcmFromFloat } from '../../../src-core/audio/pcm.ts';
import { PcmFramer } from '../../../src-core/audio/pcmFramer.ts';
import { createManualClock } from '../features/devices/support/manualClock.ts';
import { tone } from './support/signals.ts';

describe('PCM', () => {
  it('goes to bytes and to floats and back as it was', () => {
    fc.assert(
      fc.property(fc.int16Array(), (pcm) => {
        expect([...pcmFromBytes(bytesFromPcm(pcm))]).toEqual([...pcm]);
        expect([...pcmFromFloat(floatFromPcm(pcm))]).toEqual([...pcm]);
      }),
    );
  });

  it('is read at odd addresses and without a last odd byte, and cut to full scale', () => {
    expect([...pcmFromBytes(Buffer.from([9, 1, 0, 255, 255, 7]).subarray(1))]).toEqual([1, -1]);
    expect([...pcmFromFloat(Float32Array.of(2, -2, Number.NaN, 0.5))]).toEqual([32_767, -32_768, 0, 16_384]);
  });
});

describe('PcmFramer', () => {
  it('returns every sample once, in order, and pads the last frame', () => {
    fc.assert(
      fc.property(fc.array(fc.int16Array({ maxLength: 50 }), { maxLength: 20 }), (pieces) => {
        const framer = new PcmFramer(1_000, 16);
        const frames = pieces.flatMap((piece) => framer.push(piece));
        const last = framer.flush();
        const all = [...frames, ...(last === undefined ? [] : [last])];
        const input = pieces.flatMap((piece) => [...piece]);
        expect(all.every((frame) => frame.length === 16)).toBe(true);
        const output = all.flatMap((frame) => [...frame]);
        expect(output.slice(0, input.length)).toEqual(input);
        expect(output.slice(input.length).every((sample) => sample === 0)).toBe(true);
        expect(output.length - input.length).toBeLessThan(16);
      }),
    );
    expect(() => new PcmFramer(44_100, 2.5)).toThrow(RangeError);
  });
});

describe('LevelMeter', () => {
  it('measures a tone, and silence', () => {
    const meter = new LevelMeter(16_000);
    const levels = [...meter.push(tone(1_000, 16_000, 0.1)), ...meter.push(new Int16Array(800))];
    expect(levels.map(({ atMs }) => atMs)).toEqual([0, 50, 100]);
    expect(levels[0]?.rms).toBeCloseTo(-9.03, 1);
    expect(levels[0]?.peak).toBeCloseTo(-6.02, 1);
    expect(levels[2]).toEqual({ atMs: 100, rms: -100, peak: -100 });
  });
});

describe('FramePacer', () => {
  it('sends in real time with a small lead, and is idle when all was heard', async () => {
    const clock = createManualClock();
    const sent: [number, number][] = [];
    const pacer = new FramePacer<number>({
      frameMs: 60,
      leadMs: 120,
      clock,
      send: (frame) => sent.push([clock.now(), frame]),
    });
    for (let frame = 0; frame < 5; frame += 1) pacer.push(frame);
    expect(sent).toEqual([
      [0, 0],
      [0, 1],
      [0, 2],
    ]);
    let idle = false;
    const heard = pacer.idle().then(() => (idle = true));
    clock.advance(60);
    clock.advance(60);
    expect(sent.slice(3)).toEqual([
      [60, 3],
      [120, 4],
    ]);
    clock.advance(179);
    await Promise.resolve();
    expect(idle).toBe(false);
    clock.advance(1);
    await heard;
    expect(idle).toBe(true);
    pacer.push(9);
    expect(sent.at(-1)).toEqual([300, 9]);
  });

  it('pauses, goes on, drops what waits, and takes no more than it may', async () => {
    const clock = createManualClock();
    const sent: number[] = [];
    const pacer = new FramePacer<number>({
      frameMs: 60,
      leadMs: 0,
      maxWaiting: 3,
      clock,
      send: (frame) => sent.push(frame),
    });
    pacer.pause();
    expect([1, 2, 3, 4].map((frame) => pacer.push(frame))).toEqual([true, true, true, false]);
    clock.advance(1_000);
    expect(sent).toEqual([]);
    pacer.resume();
    clock.advance(60);
    expect(sent).toEqual([1, 2]);
    const idle = pacer.idle();
    expect(pacer.flush()).toBe(1);
    await idle;
    clock.advance(1_000);
    expect(sent).toEqual([1, 2]);
  });
});
