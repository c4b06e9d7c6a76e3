import { expect, test } from 'vitest';

import { escapeControls } from '../../../src-core/base/hiddenCharacters.ts';

const hostile =
  'a\u001b]0;title\u0007b\u009b2J\r\u007f\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069\u200b\u2060\ufeff\u{e0061}c';

test('what a terminal obeys becomes visible; lines, tabs and other letters stay', () => {
  expect(escapeControls(hostile)).toBe(
    String.raw`a\u001b]0;title\u0007b\u009b2J\u000d\u007f\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069\u200b\u2060\ufeff\udb40\udc61c`,
  );
  expect(escapeControls('灯\t“é”\n👩‍👩‍👧\r\n')).toBe('灯\t“é”\n👩‍👩‍👧\r\n');
  expect(escapeControls('a\r\r\n')).toBe('a\\u000d\r\n');
  const flag = '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}';
  expect(escapeControls(`${flag}\u{e0061}`)).toBe(`${flag}\\udb40\\udc61`);
});

test('JSON keeps its value', () => {
  const value = { [hostile]: [hostile, { nested: `${hostile}\\` }] };
  const text = escapeControls(JSON.stringify(value, null, 2));
  expect(text).not.toMatch(/[^\P{Cc}\n]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u);
  expect(JSON.parse(text)).toEqual(value);
});
