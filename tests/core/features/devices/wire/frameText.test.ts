import fc from 'fast-check';
import { expect, test } from 'vitest';

import { readFrameText } from '../../../../../src-core/features/devices/wire/frameText.ts';

test.each([
  ['63 61 66 e9', 'caf\\xE9', 'not UTF-8 (byte E9 at position 3)'],
  ['e4 bd a0 e5 a5', '你\\xE5\\xA5', 'not UTF-8 (byte E5 at position 3)'],
  ['c4 e3 ba c3 21', '\\xC4\\xE3\\xBA\\xC3!', 'not UTF-8 (byte C4 at position 0)'],
  ['41 80 42 f0 9f 98 80 ff', 'A\\x80B😀\\xFF', 'not UTF-8 (byte 80 at position 1)'],
  ['ed a0 80', '\\xED\\xA0\\x80', 'not UTF-8 (byte ED at position 0)'],
])('bytes that are not UTF-8 stay readable: %s', (hex, text, problem) => {
  expect(readFrameText(Buffer.from(hex.replaceAll(' ', ''), 'hex'))).toEqual({ text, problem });
});

test('a text is read as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(readFrameText(Buffer.from(text.toWellFormed()))).toEqual({ text: text.toWellFormed() });
    }),
  );
});

test('no byte is lost, whatever comes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const data = Buffer.from(bytes.filter((byte) => byte !== 0x5c));
      const { text } = readFrameText(data);
      const back = Buffer.concat(
        text
          .split(/(\\x[0-9A-F]{2})/)
          .map((part) => (part.startsWith('\\x') ? Buffer.from(part.slice(2), 'hex') : Buffer.from(part))),
      );
      expect(back.equals(data)).toBe(true);
    }),
  );
});
