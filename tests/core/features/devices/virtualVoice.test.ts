/** What virtual devices say and hear (docs/protocols/xiaozhi.md#messages). */
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { OpusDecoder } from '../../../../src-core/audio/opusDecoder.ts';
import { OpusEncoder } from '../../../../src-core/audio/opusEncoder.ts';
import { bytesFromPcm } from '../../../../src-core/audio/pcm.ts';
import { pcmFromWav } from '../../../../src-core/audio/pcmFromWav.ts';
import { writeWav } from '../../../helpers/writeWav.ts';
import { frameAudio } from '../../../../src-core/features/devices/audio/frameAudio.ts';
import { payloadOf } from '../../../../src-core/features/devices/audio/readBinaryFrame.ts';
import { createVirtualDeviceOf } from '../../../../src-core/features/devices/virtual/profiles.ts';
import type { VirtualDeviceOptions } from '../../../../src-core/features/devices/virtual/virtualDevice.ts';
import { bestSnr, speech, tone } from '../../audio/support/signals.ts';
import { startXiaozhiServer } from '../../deviceSide/support/xiaozhiServer.ts';
import { createManualClock } from './support/manualClock.ts';

async function connected(profile: string, options: Partial<VirtualDeviceOptions> = {}, rate = 24_000) {
  const hello = { type: 'hello', transport: 'websocket', session_id: 's-1', audio_params: { sample_rate: rate } };
  const { url, visit } = await startXiaozhiServer({ hello });
  const clock = createManualClock();
  const device = createVirtualDeviceOf(profile, { url, clock, ...options });
  onTestFinished(() => device.close());
  await device.connect();
  const server = await visit(0);
  const packets: Buffer[] = [];
  server.socket.on('message', (data, isBinary) => void (isBinary && packets.push(data as Buffer)));
  /** Lets time pass, a packet at a time, until it is done. */
  async function pass(saying: Promise<unknown>): Promise<void> {
    let done = false;
    const end = (): void => void (done = true);
    saying.then(end, end);
    while (!done) {
      clock.advance(20);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return { device, server, clock, packets, pass };
}

describe('say', () => {
  test.each([
    ['firmware', 60, 1],
    ['firmware', 60, 3],
    ['py-xiaozhi', 20, 2],
  ] as const)('%s sends what it says as Opus of %i ms, in version %i', async (profile, frameMs, protocolVersion) => {
    const { device, server, packets, pass } = await connected(profile, { protocolVersion });
    const pcm = speech(16_000).subarray(0, 16_000 * 2);
    await server.frame('"listen"');
    const before = server.frames.length;
    const saying = device.say(bytesFromPcm(pcm));
    await pass(saying);
    await saying;
    await device.press();
    await server.frame('"state":"start","mode":"auto"');
    const manual = profile === 'py-xiaozhi';
    const listens = server.frames.slice(before).map((frame) => JSON.parse(frame) as Record<string, unknown>);
    expect(listens.slice(0, manual ? 2 : 1).map(({ state, mode }) => [state, mode])).toEqual(
      manual
        ? [
            ['start', 'manual'],
            ['stop', undefined],
          ]
        : [['start', 'auto']],
    );
    // An open microphone goes on for a second; a button is let go.
    const own = packets.filter((packet) => packet.toString('hex') !== 'fb03fffefffefffe');
    expect(own.length).toBeGreaterThanOrEqual(2_000 / frameMs);
    expect(own.length).toBeLessThanOrEqual((manual ? 2_000 : 3_000) / frameMs + 2);
    const decoder = await OpusDecoder.create({ sampleRate: 16_000 });
    const got = own.flatMap((packet) => [...decoder.decode(payloadOf(packet, protocolVersion))]);
    decoder.close();
    expect(bestSnr(pcm, Int16Array.from(got), 6_000).snr).toBeGreaterThan(5);
  });

  test('keeps to real time', async () => {
    const { device, server, clock, packets } = await connected('py-xiaozhi');
    const saying = device.say(tone(440, 16_000, 1));
    await server.frame('"mode":"manual"');
    while (packets.length < 7) await once(server.socket, 'message');
    // 120 ms ahead, and no more while time stands still.
    const ping = once(server.socket, 'pong');
    server.socket.ping();
    await ping;
    expect(packets).toHaveLength(7);
    clock.advance(1_000);
    await saying;
    await server.frame('"state":"stop"');
    expect(packets).toHaveLength(50);
  });

  test('stops on request and sends listen stop', async () => {
    const { device, server, packets } = await connected('firmware');
    const stop = new AbortController();
    const saying = device.say(tone(440, 16_000, 60), { signal: stop.signal });
    while (packets.length < 2) await once(server.socket, 'message');
    stop.abort(new Error('enough'));
    await expect(saying).rejects.toThrow('enough');
    await server.frame('"state":"stop"');
    await expect(device.say(tone(440, 16_000, 1), { signal: stop.signal })).rejects.toThrow('enough');
  });

  test('rejects where the connection is lost half-way, where it speaks already and where it is not connected', async () => {
    const { device, server, packets } = await connected('firmware');
    const saying = device.say(tone(440, 16_000, 60));
    await expect(device.say(tone(440, 16_000, 1))).rejects.toThrow('speaking already');
    while (packets.length < 2) await once(server.socket, 'message');
    server.socket.terminate();
    await expect(saying).rejects.toThrow('connection was lost');
    await expect(device.say(tone(440, 16_000, 1))).rejects.toThrow('not connected');
    await expect(device.say(new Int16Array(16_000 * 601))).rejects.toThrow('600 s');
  });
});

describe('hearing', () => {
  test.each([
    [24_000, 1],
    [16_000, 3],
  ] as const)('decodes speech of %i Hz and receives messages, in version %i', async (rate, protocolVersion) => {
    const pieces: Int16Array[] = [];
    const messages: string[] = [];
    const rates = new Set<number>();
    let heardAll = (): void => {};
    const { device, server } = await connected(
      'py-xiaozhi',
      {
        protocolVersion,
        onMessage: ({ type }) => messages.push(type),
        onSpeech: (pcm, sampleRate) => {
          pieces.push(pcm);
          rates.add(sampleRate);
          if (pieces.length === 11) heardAll();
        },
      },
      rate,
    );
    const all = new Promise<void>((resolve) => (heardAll = resolve));
    const encoder = await OpusEncoder.create({ sampleRate: rate, frameMs: 60 });
    const samples = encoder.frameSamples;
    const pcm = tone(440, rate, 0.6);
    server.send({ type: 'tts', state: 'start' });
    for (let at = 0; at < 10; at += 1) {
      const packet = Buffer.from(encoder.encode(pcm.slice(at * samples, (at + 1) * samples)));
      server.socket.send(frameAudio(packet, protocolVersion, 0), { binary: true });
    }
    encoder.close();
    // No Opus: counted, and concealed.
    server.socket.send(frameAudio(Buffer.from('ff', 'hex'), protocolVersion, 0), { binary: true });
    await all;
    expect(device.heard()).toMatchObject({ packets: 11, malformed: 1 });
    expect([...rates]).toEqual([rate]);
    expect(messages).toEqual(['tts']);
    const got = Int16Array.from(pieces.slice(0, 10).flatMap((piece) => [...piece]));
    expect(bestSnr(pcm, got, 300).snr).toBeGreaterThan(15);
  });
});

test('a WAV file of any rate is what a device can say', () => {
  const pcm = pcmFromWav(writeWav(tone(1_000, 44_100, 1), 44_100), 16_000);
  expect(pcm).toHaveLength(16_000);
  expect(bestSnr(tone(1_000, 16_000, 1), pcm, 0).snr).toBeGreaterThan(50);
});
