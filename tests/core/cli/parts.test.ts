import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';

import { firstLine } from '../../../src-core/cli/firstLine.ts';
import { openBrowser, openerOf } from '../../../src-core/cli/openBrowser.ts';
import { excerpt, lineIndex } from '../../../src-core/cli/sourceLines.ts';
import type { Terminal } from '../../../src-core/cli/terminal.ts';
import { defaultDataDir } from '../../../src-core/dataDir.ts';
import { toolsText } from '../../../src-core/cli/textTable.ts';

test.each<[NodeJS.Platform, Record<string, string>, string]>([
  ['linux', {}, '/home/x/.local/share/toolwire'],
  ['linux', { XDG_DATA_HOME: '/data' }, '/data/toolwire'],
  ['darwin', { XDG_DATA_HOME: '/data' }, '/home/x/Library/Application Support/Toolwire'],
  ['win32', { APPDATA: '/roaming' }, '/roaming/Toolwire'],
  ['win32', {}, '/home/x/AppData/Roaming/Toolwire'],
  ['darwin', { TOOLWIRE_DATA_DIR: '/elsewhere' }, '/elsewhere'],
  ['linux', { TOOLWIRE_DATA_DIR: 'data' }, resolve('data')],
])('the data directory on %s with %j is %s', (platform, env, dir) => {
  expect(defaultDataDir({ platform, env, home: '/home/x' })).toBe(dir);
});

test.each<[NodeJS.Platform, Record<string, string>, string | undefined]>([
  ['darwin', {}, 'open'],
  ['win32', {}, 'rundll32'],
  ['linux', { DISPLAY: ':0' }, 'xdg-open'],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, 'xdg-open'],
  ['linux', {}, undefined],
  ['darwin', { CI: 'true' }, undefined],
])('the browser on %s with %j is opened by %s', (platform, env, program) => {
  expect(openerOf(env, platform)?.program).toBe(program);
});

test.runIf(process.platform === 'linux')('prints the link if no browser can be opened', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolwire-browser-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'xdg-open'), '#!/bin/sh\nexit 3\n', { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`);
  const notes: string[] = [];
  const terminal = { env: { DISPLAY: ':0' }, note: (text: string) => notes.push(text) } as unknown as Terminal;
  await openBrowser({ createLinkFile: () => 'file:///link.html', terminal });
  await expect
    .poll(() => notes)
    .toEqual(['The browser could not be opened (xdg-open ended with code 3): open the link above.\n']);
});

test('lines end as they end anywhere, and are found by offset', () => {
  const lines = lineIndex('a\r\nb\n\nd\re');
  expect([0, 3, 5, 6, 8].map((offset) => lines.position(offset).line)).toEqual([1, 2, 3, 4, 5]);
  expect([1, 2, 3, 4, 5].map((line) => lines.lineText(line))).toEqual(['a', 'b', '', 'd', 'e']);
  expect(lines.position(9)).toEqual({ line: 5, column: 2 });
});

test('carets stand under the range, whatever is wide before it', () => {
  expect(excerpt(lineIndex('灯a\u0301「x」'), { start: 4, end: 5 })).toBe('  1 | 灯a\u0301「x」\n    |      ^');
});

test('a range over several lines is marked to the end of its first', () => {
  expect(excerpt(lineIndex('abc\ndef'), { start: 1, end: 6 })).toBe('  1 | abc\n    |  ^^');
});

test('an empty range at the end of the text has a caret', () => {
  expect(excerpt(lineIndex('abc'), { start: 3, end: 3 })).toBe('  1 | abc\n    |    ^');
});

test('a long line is cut around the range', () => {
  const shown = excerpt(lineIndex(`${'x'.repeat(5000)}HERE${'y'.repeat(5000)}`), { start: 5000, end: 5004 });
  expect(shown.split('\n').map((line) => line.length)).toEqual([106, 40]);
  expect(shown.indexOf('HERE') - 6).toBe(shown.split('\n')[1]!.indexOf('^') - 6);
});

test('a first line shows what a terminal would obey', () => {
  expect(firstLine('  first\u001b[0m line\r\nsecond')).toBe(String.raw`first\u001b[0m line`);
  expect(firstLine('x'.repeat(500))).toHaveLength(100);
});

test.each([
  [1, '1 tool'],
  [2, '2 tools'],
  ['–', '– tools'],
])('%s is counted as %s', (count, text) => {
  expect(toolsText(count)).toBe(text);
});
