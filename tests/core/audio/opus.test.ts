import { describe, expect, it } from 'vitest';
import { OpusDecoder, OpusPacketError } from '../../../src-core/audio/opusDecoder.ts';
import { OpusEncoder } from '../../../src-core/audio/opusEncoder.ts';
import type { OpusFrameMs, OpusSampleRate } from '../../../src-core/audio/opusFormat.ts';
import { PcmFramer } from '../../../src-core/audio/pcmFramer.ts';
import { PcmResampler } from '../../../src-core/audio/pcmResampler.ts';
import { bestSnr, spectralError, speech, tone } from './support/signals.ts';

async function encode(pcm: Int16Array, sampleRate: OpusSampleRate, frameMs: OpusFrameMs): Promise<Uint8Array[]> {
  const encoder = await OpusEncoder.create({ sampleRate, frameMs });
  const framer = new PcmFramer(sampleRate, frameMs);
  const frames = framer.push(pcm);
  const last = framer.flush();
  if (last !== undefined) frames.push(last);
  const packets = frames.map((frame) => encoder.encode(frame));
  encoder.close();
  return packets;
}

async function decode(packets: Uint8Array[], sampleRate: OpusSampleRate): Promise<Int16Array> {
  const decoder = await OpusDecoder.create({ sampleRate });
  const pcm = Int16Array.from(packets.flatMap((packet) => [...decoder.decode(packet)]));
  decoder.close();
  return pcm;
}

describe('Opus', () => {
  it.each([
    [16_000, 60],
    [16_000, 20],
    [24_000, 60],
    [24_000, 40],
  ] as const)('brings 10 s of a tone and of speech through at %i Hz, %i ms', async (sampleRate, frameMs) => {
    for (const [name, pcm, minSnr, maxSpectral] of [
      ['tone', tone(440, sampleRate, 10), 20, 0.5],
      ['speech', speech(sampleRate), 6, 1.5],
    ] as const) {
      const packets = await encode(pcm, sampleRate, frameMs);
      const got = await decode(packets, sampleRate);
      const { snr, delay } = bestSnr(pcm.subarray(0, sampleRate * 4), got, 300);
      const spectral = spectralError(pcm, got.subarray(delay), sampleRate);
      const bytes = packets.reduce((sum, packet) => sum + packet.length, 0);
      console.info(
        `Opus ${sampleRate} Hz, ${frameMs} ms, ${name}: SNR ${snr.toFixed(1)} dB at a delay of ${delay} samples, ` +
          `spectrum within ${spectral.toFixed(2)} dB, ${Math.round((bytes * 8) / 10_000)} kbit/s`,
      );
      expect(packets).toHaveLength(Math.ceil(10_000 / frameMs));
      expect(snr).toBeGreaterThan(minSnr);
      expect(spectral).toBeLessThan(maxSpectral);
    }
  });

  it('brings speech the whole way of a device: 16 kHz, Opus, 24 kHz, Opus, 16 kHz', async () => {
    const pcm = speech(16_000);
    const heard = await decode(await encode(pcm, 16_000, 60), 16_000);
    const up = new PcmResampler(16_000, 24_000);
    const model = Int16Array.from([...up.push(heard), ...up.flush()]);
    const spoken = await decode(await encode(model, 24_000, 60), 24_000);
    const down = new PcmResampler(24_000, 16_000);
    const back = Int16Array.from([...down.push(spoken), ...down.flush()]);
    const spectral = spectralError(pcm, back, 16_000);
    console.info(`speech through both codecs and both resamplers: spectrum within ${spectral.toFixed(2)} dB`);
    expect(spectral).toBeLessThan(2);
  });

  it('reports an invalid packet and continues', async () => {
    const decoder = await OpusDecoder.create({ sampleRate: 16_000 });
    const [packet = new Uint8Array()] = await encode(tone(440, 16_000, 1), 16_000, 60);
    const bad = [new Uint8Array(), Buffer.alloc(10_000, 1), Buffer.from('ff', 'hex'), Buffer.from('{"type":"hello"}')];
    for (const garbage of bad) {
      try {
        expect(decoder.decode(garbage).length).toBeLessThanOrEqual(16_000 * 0.12);
      } catch (error) {
        expect(error).toBeInstanceOf(OpusPacketError);
      }
    }
    expect(() => decoder.decode(new Uint8Array())).toThrow(OpusPacketError);
    expect(() => decoder.decode(Buffer.from('ff', 'hex'))).toThrow(OpusPacketError);
    expect(decoder.decode(packet)).toHaveLength(960);
    decoder.close();
  });

  it('goes on sounding if a packet is lost', async () => {
    const packets = await encode(tone(440, 16_000, 1), 16_000, 60);
    const decoder = await OpusDecoder.create({ sampleRate: 16_000 });
    for (const packet of packets.slice(0, 8)) decoder.decode(packet);
    const concealed = decoder.conceal();
    expect(concealed).toHaveLength(960);
    expect(Math.max(...concealed)).toBeGreaterThan(1_000);
    decoder.close();
  });

  it('refuses to work after close', async () => {
    const encoder = await OpusEncoder.create({ sampleRate: 24_000, frameMs: 20 });
    expect(encoder.frameSamples).toBe(480);
    expect(() => encoder.encode(new Int16Array(479))).toThrow(RangeError);
    encoder.close();
    encoder.close();
    expect(() => encoder.encode(new Int16Array(480))).toThrow();
  });
});
