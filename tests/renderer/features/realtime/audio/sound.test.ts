import { describe, expect, it } from 'vitest';

import { fallingLevel, levelOf } from '../../../../../renderer/features/realtime/audio/level.ts';
import { mixDown } from '../../../../../renderer/features/realtime/audio/mixDown.ts';
import {
  base64FromPcm,
  floatsFromPcm,
  joinPcm,
  pcmFromBase64,
  pcmFromFloats,
} from '../../../../../renderer/features/realtime/audio/pcm.ts';
import { SoundSender } from '../../../../../renderer/features/realtime/audio/soundSender.ts';
import { streamSound, type SoundClock } from '../../../../../renderer/features/realtime/audio/streamSound.ts';
import { testUtterance } from '../../../../../renderer/features/realtime/audio/testUtterance.ts';
import { wavFile } from '../../../../../renderer/features/realtime/audio/wavFile.ts';

describe('samples', () => {
  it('go over the wire and back, whole, also where there are many and where they begin inside a buffer', () => {
    const pcm = Int16Array.from({ length: 50_001 }, (_, at) => ((at * 7_919) % 65_536) - 32_768).subarray(1);
    expect(pcmFromBase64(base64FromPcm(pcm))).toEqual(new Int16Array(pcm));
    expect(pcmFromBase64(btoa('abc'))).toHaveLength(1);
  });

  it('are cut off where they are too loud', () => {
    expect([...pcmFromFloats(Float32Array.of(0, 1, -1, 2, -2))]).toEqual([0, 32_767, -32_767, 32_767, -32_767]);
    expect([...floatsFromPcm(Int16Array.of(0, -32_768, 16_384))]).toEqual([0, -1, 0.5]);
  });

  it('of several channels become one, each as loud as the others', () => {
    expect([...mixDown([Float32Array.of(1, 0), Float32Array.of(0, -1)])]).toEqual([0.5, -0.5]);
    expect(mixDown([])).toHaveLength(0);
  });

  it('stand in a WAV file as they are', () => {
    const file = wavFile(Int16Array.of(1, -2), 16_000);
    const view = new DataView(file.buffer);
    expect(String.fromCharCode(...file.subarray(0, 4), ...file.subarray(8, 16))).toBe('RIFFWAVEfmt ');
    expect([view.getUint32(24, true), view.getUint32(40, true), view.getInt16(46, true)]).toEqual([16_000, 4, -2]);
  });
});

describe('levels', () => {
  it('are nothing in silence and at −60 dBFS, all of the scale at full loudness, half at −30 dBFS', () => {
    expect(levelOf(new Float32Array())).toBe(0);
    expect(levelOf(new Float32Array(100))).toBe(0);
    expect(levelOf(new Float32Array(100).fill(1))).toBe(1);
    expect(levelOf(new Float32Array(100).fill(10 ** -1.5))).toBeCloseTo(0.5);
    expect(levelOf(new Float32Array(100).fill(0.0005))).toBe(0);
  });

  it('rise at once and fall with time, never below nothing', () => {
    expect(fallingLevel(0.2, 0.9, 16)).toBe(0.9);
    expect(fallingLevel(0.9, 0, 100)).toBeCloseTo(0.76);
    expect(fallingLevel(0.1, 0, 10_000)).toBe(0);
  });

  it('of the built-in utterance are a voice’s, with pauses', () => {
    const pcm = testUtterance(16_000);
    const loud = levelOf(floatsFromPcm(pcm.subarray(800, 2_400)));
    expect(loud).toBeGreaterThan(0.6);
    expect(levelOf(floatsFromPcm(pcm.subarray(3_400, 4_100)))).toBe(0);
    expect(pcm.length / 16_000).toBeCloseTo(1.56);
  });
});

describe('sending', () => {
  /** Requests that end when they are let. */
  function slowEngine(): { requests: number[]; answer: () => Promise<void>; send: (pcm: Int16Array) => Promise<void> } {
    const requests: number[] = [];
    let answered = Promise.withResolvers<undefined>();
    return {
      requests,
      async send(pcm) {
        requests.push(pcm.length);
        await answered.promise;
      },
      async answer() {
        answered.resolve(undefined);
        answered = Promise.withResolvers<undefined>();
        await new Promise((resolve) => setTimeout(resolve));
      },
    };
  }

  it('goes one request at a time; what came meanwhile goes together, half a second at most', async () => {
    const engine = slowEngine();
    const sender = new SoundSender({ sampleRate: 1_000, send: engine.send });
    for (let at = 0; at < 8; at += 1) sender.push(new Int16Array(100));
    expect(engine.requests).toEqual([100]);
    await engine.answer();
    await engine.answer();
    expect(engine.requests).toEqual([100, 500, 200]);
    await engine.answer();
    await sender.sent();
    expect(sender.waitingMs).toBe(0);
  });

  it('loses the oldest where the engine does not keep up, and tells how much', async () => {
    const engine = slowEngine();
    const sender = new SoundSender({ sampleRate: 1_000, send: engine.send, maxWaitingMs: 300 });
    for (let at = 0; at < 6; at += 1) sender.push(new Int16Array(100));
    expect(sender.droppedMs).toBe(200);
    await engine.answer();
    expect(engine.requests).toEqual([100, 300]);
  });

  it('stops at a failure and says it to whoever goes on', async () => {
    const sender = new SoundSender({ sampleRate: 1_000, send: () => Promise.reject(new Error('closed')) });
    sender.push(new Int16Array(10));
    await expect(sender.sent()).rejects.toThrow('closed');
    expect(() => sender.push(new Int16Array(10))).toThrow('closed');
  });
});

describe('a recording', () => {
  /** A time that passes as it is waited for. */
  function clock(): SoundClock & { at: number } {
    const time = { at: 0, now: () => time.at, wait };
    function wait(ms: number, signal: AbortSignal): Promise<void> {
      signal.throwIfAborted();
      time.at += ms;
      return Promise.resolve();
    }
    return time;
  }

  it('goes as fast as it would be spoken, a little ahead, and ends when its last word is said', async () => {
    const time = clock();
    const pieces: { at: number; samples: number }[] = [];
    const progress: number[] = [];
    await streamSound({
      pcm: new Int16Array(1_050),
      sampleRate: 1_000,
      push: (piece) => pieces.push({ at: time.at, samples: piece.length }),
      onProgress: (ms) => progress.push(ms),
      signal: new AbortController().signal,
      clock: time,
    });
    expect(joinPcm(pieces.map(({ samples }) => new Int16Array(samples)))).toHaveLength(1_050);
    expect(pieces.map(({ at }) => at)).toEqual([0, 0, 0, 100, 200, 300, 400, 500, 600, 700, 800]);
    expect(progress.at(-1)).toBe(1_050);
    expect(time.at).toBe(1_050);
  });

  it('ends in the middle where it is stopped', async () => {
    const stop = new AbortController();
    const pieces: Int16Array[] = [];
    const played = streamSound({
      pcm: new Int16Array(5_000),
      sampleRate: 1_000,
      push: (piece) => {
        pieces.push(piece);
        if (pieces.length === 3) stop.abort();
      },
      onProgress: () => undefined,
      signal: stop.signal,
      clock: clock(),
    });
    await expect(played).rejects.toThrow();
    expect(pieces).toHaveLength(3);
  });
});
