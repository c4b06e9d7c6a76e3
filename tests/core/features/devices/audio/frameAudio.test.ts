import fc from 'fast-check';
import { expect, test } from 'vitest';
import { frameAudio } from '../../../../../src-core/features/devices/audio/frameAudio.ts';
import { readBinaryFrame } from '../../../../../src-core/features/devices/audio/readBinaryFrame.ts';

test('frames are as the firmware sends them', () => {
  const opus = Buffer.from('f8fffe', 'hex');
  expect(frameAudio(opus, 1, 60)).toBe(opus);
  expect(frameAudio(opus, 2, 60).toString('hex')).toBe('00020000000000000000003c00000003f8fffe');
  expect(frameAudio(opus, 3, 60).toString('hex')).toBe('00000003f8fffe');
});

test('whatever is framed in a version is read in it', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 2_000 }),
      fc.constantFrom(1, 2, 3),
      fc.nat({ max: 2 ** 40 }),
      (payload, version, at) => {
        const frame = frameAudio(Buffer.from(payload), version, at);
        const timestamp = version === 2 ? { timestampMs: at % 2 ** 32 } : {};
        expect(readBinaryFrame(frame, version)).toEqual({ kind: 'audio', bytes: payload.length, ...timestamp });
      },
    ),
  );
});
