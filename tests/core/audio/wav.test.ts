import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pcmFromFloat } from '../../../src-core/audio/pcm.ts';
import { readWav } from '../../../src-core/audio/readWav.ts';
import { writeWav } from '../../helpers/writeWav.ts';
import { RequestError } from '../../../src-core/base/requestError.ts';

interface WavInit {
  code?: number;
  bits: number;
  channels?: number;
  rate?: number;
  data: Buffer;
  before?: Buffer;
  length?: number;
}

function wav({ code = 1, bits, channels = 1, rate = 16_000, data, before = Buffer.alloc(0), length }: WavInit): Buffer {
  const fmt = Buffer.alloc(24);
  fmt.write('fmt ', 0, 'latin1');
  fmt.writeUInt32LE(16, 4);
  fmt.writeUInt16LE(code, 8);
  fmt.writeUInt16LE(channels, 10);
  fmt.writeUInt32LE(rate, 12);
  fmt.writeUInt16LE(bits, 22);
  const head = Buffer.alloc(8);
  head.write('data', 0, 'latin1');
  head.writeUInt32LE(length ?? data.length, 4);
  return Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE', 'latin1'), before, fmt, head, data]);
}

describe('readWav', () => {
  it('reads what writeWav wrote', () => {
    fc.assert(
      fc.property(fc.int16Array({ minLength: 1, maxLength: 200 }), (pcm) => {
        const { samples, sampleRate } = readWav(writeWav(pcm, 24_000));
        expect(sampleRate).toBe(24_000);
        expect([...pcmFromFloat(samples)]).toEqual([...pcm]);
      }),
    );
  });

  it('reads every width, and mixes channels', () => {
    const of = (init: WavInit): number[] => [...readWav(wav(init)).samples].map((value) => Number(value.toFixed(4)));
    expect(of({ bits: 8, data: Buffer.from([0, 128, 192]) })).toEqual([-1, 0, 0.5]);
    expect(of({ bits: 16, data: Buffer.from([0, 0x80, 0, 0x40]) })).toEqual([-1, 0.5]);
    expect(of({ bits: 24, data: Buffer.from([0, 0, 0x80, 0, 0, 0x40, 255, 255, 255]) })).toEqual([-1, 0.5, -0]);
    expect(of({ bits: 32, data: Buffer.from([0, 0, 0, 0x40]) })).toEqual([0.5]);
    const float = Buffer.alloc(12);
    float.writeFloatLE(0.25, 0);
    float.writeFloatLE(Number.NaN, 4);
    float.writeFloatLE(-0.5, 8);
    expect(of({ code: 3, bits: 32, data: float })).toEqual([0.25, 0, -0.5]);
    expect(of({ bits: 16, channels: 2, data: Buffer.from([0, 0x40, 0, 0, 0, 0x40, 0, 0x40]) })).toEqual([0.25, 0.5]);
  });

  it('skips unknown chunks, and reads to the end if the length is unknown', () => {
    const list = Buffer.from('LIST\x03\0\0\0abc\0', 'latin1');
    const data = Buffer.from([0, 0x40, 0, 0x40]);
    expect(readWav(wav({ bits: 16, data, before: list })).samples).toHaveLength(2);
    expect(readWav(wav({ bits: 16, data, length: 0xffffffff })).samples).toHaveLength(2);
    expect(readWav(wav({ bits: 16, data, length: 0 })).samples).toHaveLength(2);
  });

  it.each([
    ['no WAV', Buffer.from('ID3 an mp3'), /does not begin/],
    ['empty', Buffer.alloc(0), /does not begin/],
    ['compressed', wav({ code: 7, bits: 8, data: Buffer.alloc(4) }), /compressed/],
    ['odd width', wav({ bits: 12, data: Buffer.alloc(4) }), /12 bits/],
    ['no channel', wav({ bits: 16, channels: 0, data: Buffer.alloc(4) }), /0 channels/],
    ['odd rate', wav({ bits: 16, rate: 1, data: Buffer.alloc(4) }), /samples a second/],
    ['no sound', wav({ bits: 16, data: Buffer.alloc(0) }), /no sound/],
  ])('says what is wrong: %s', (_name, bytes, message) => {
    expect(() => readWav(bytes)).toThrow(message);
    expect(() => readWav(bytes)).toThrow(RequestError);
  });

  it('says that a file is too long', () => {
    const bytes = wav({ bits: 8, rate: 4_000, data: Buffer.alloc(8_001) });
    expect(() => readWav(bytes, { maxSeconds: 2 })).toThrow(/2 s long; 2 s can be read/);
  });

  it('never breaks on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (noise) => {
        const bytes = Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE', 'latin1'), noise]);
        expect(() => readWav(bytes)).toThrow(RequestError);
      }),
    );
  });
});
