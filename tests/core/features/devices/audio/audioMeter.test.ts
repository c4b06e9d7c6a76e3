import { expect, test } from 'vitest';
import { AudioMeter } from '../../../../../src-core/features/devices/audio/audioMeter.ts';

test('reports nothing for a connection without audio', () => {
  expect(new AudioMeter().figures(5_000)).toBeUndefined();
});

test('frames, bytes and the rate of the last two seconds', () => {
  const meter = new AudioMeter();
  // 60 ms a frame, from ten seconds on.
  for (let now = 10_000; now < 13_000; now += 60) meter.add(100, now);
  const figures = meter.figures(13_000);
  expect(figures).toMatchObject({ frames: 50, bytes: 5_000, malformed: 0 });
  expect(figures?.framesPerSecond).toBeCloseTo(1_000 / 60, 0);
});

test('the rate falls to nothing when the audio ends; the counts stay', () => {
  const meter = new AudioMeter();
  for (let now = 0; now < 2_000; now += 20) meter.add(50, now);
  expect(meter.figures(2_000)?.framesPerSecond).toBe(50);
  expect(meter.figures(3_000)?.framesPerSecond).toBe(25);
  expect(meter.figures(4_000)?.framesPerSecond).toBe(0);
  expect(meter.figures(1e9)).toEqual({ frames: 100, bytes: 5_000, framesPerSecond: 0, malformed: 0 });
  meter.add(50, 1e9);
  expect(meter.figures(1e9 + 250)?.framesPerSecond).toBe(0.5);
});

test('malformed frames are counted apart', () => {
  const meter = new AudioMeter();
  meter.addMalformed();
  expect(meter.figures(0)).toEqual({ frames: 0, bytes: 0, framesPerSecond: 0, malformed: 1 });
});
