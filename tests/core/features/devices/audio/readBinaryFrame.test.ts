import { describe, expect, test } from 'vitest';
import { binaryVersionOf, readBinaryFrame } from '../../../../../src-core/features/devices/audio/readBinaryFrame.ts';
import type { BinaryVersion } from '../../../../../src-core/features/devices/audio/readBinaryFrame.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const text = Buffer.from('{"type":"abort"}').toString('hex');

describe('a binary frame', () => {
  test.each<[string, BinaryVersion, string, object]>([
    ['raw Opus', 1, 'f8 ff fe', { kind: 'audio', bytes: 3 }],
    ['raw Opus that looks like JSON', 1, text, { kind: 'audio', bytes: 16 }],
    ['version 2, Opus', 2, '0002 0000 00000000 0000003c 00000003 f8fffe', { kind: 'audio', bytes: 3, timestampMs: 60 }],
    ['version 2, JSON', 2, `0002 0001 00000000 00000000 00000010 ${text}`, { kind: 'json', text: '{"type":"abort"}' }],
    ['version 3, Opus', 3, '00 00 0003 f8fffe', { kind: 'audio', bytes: 3 }],
    ['version 3, JSON', 3, `01 00 0010 ${text}`, { kind: 'json', text: '{"type":"abort"}' }],
  ])('of %s is read', (_what, version, bytes, frame) => {
    expect(readBinaryFrame(hex(bytes), version)).toEqual(frame);
  });

  test.each<[string, BinaryVersion, string, string]>([
    ['nothing', 1, '', 'a binary frame of 0 bytes, too short for version 1'],
    ['half a header', 2, '0002 0000 00000000', 'of 8 bytes, too short for version 2'],
    ['a header alone', 2, '0002 0000 00000000 0000003c 00000000', 'of 16 bytes, too short for version 2'],
    ['a header alone', 3, '00 00 0000', 'of 4 bytes, too short for version 3'],
    ['another version', 2, '0003 0000 00000000 0000003c 00000001 f8', 'says version 3, not 2'],
    ['too little data', 2, '0002 0000 00000000 0000003c 00000002 f8', 'says 2 bytes, with 1 behind it'],
    ['too much data', 3, '00 00 0001 f8ff', 'says 1 bytes, with 2 behind it'],
    ['a size beyond any', 2, '0002 0000 00000000 0000003c ffffffff f8', 'says 4294967295 bytes'],
    ['an unknown type', 3, '07 00 0001 f8', 'of the unknown type 7'],
    ['raw Opus where a header belongs', 2, 'f8fffe'.repeat(8), 'says version 63743, not 2'],
  ])('of %s is malformed in version %d', (_what, version, bytes, reason) => {
    const frame = readBinaryFrame(hex(bytes), version);
    expect(frame).toEqual({ kind: 'malformed', reason: expect.stringContaining(reason) as string });
  });

  test('is read as version 1 if the hello has no known version', () => {
    expect([1, 2, 3, 0, 4, '2', null, undefined, NaN].map(binaryVersionOf)).toEqual([1, 2, 3, 1, 1, 1, 1, 1, 1]);
  });
});
