import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { readDeepLink } from '../../electron/deepLink.ts';
import { openFile } from '../../electron/openFile.ts';
import { openRequests } from '../../electron/openRequests.ts';
import { createWorkbench, type Workbench } from '../../src-core/workbench.ts';

test.each([
  ['toolwire://pane/devices', { kind: 'pane', pane: 'devices' }],
  ['toolwire://pane/devices/', { kind: 'pane', pane: 'devices' }],
  ['toolwire://device/02%3A00%3A00%3A11%3A22%3A33', { kind: 'device', deviceId: '02:00:00:11:22:33' }],
  ['toolwire://tool/self.audio_speaker.set_volume', { kind: 'tool', qualifiedName: 'self.audio_speaker.set_volume' }],
  ['toolwire://tool/%E7%81%AF', { kind: 'tool', qualifiedName: '灯' }],
  ['toolwire://run/everything', undefined],
  ['toolwire://tool/a?run=true', undefined],
  ['toolwire://tool/a#b', undefined],
  ['toolwire://tool/a/b', undefined],
  ['toolwire://user@tool/a', undefined],
  ['toolwire://tool:80/a', undefined],
  ['toolwire://tool/', undefined],
  ['toolwire://tool/%', undefined],
  ['toolwire://tool/%00', undefined],
  ['toolwire://tool/a%0Ab', undefined],
  ['toolwire://tool/a%E2%80%AEb', undefined],
  ['toolwire://pane/../settings', undefined],
  ['toolwire://pane/__proto__', undefined],
  ['toolwire:tool/a', undefined],
  ['https://tool/a', undefined],
  [' toolwire://tool/a', undefined],
  [`toolwire://tool/${'a'.repeat(257)}`, undefined],
  [`toolwire://tool/${'%61'.repeat(500)}`, undefined],
])('the link %s', (link, opening) => {
  expect(readDeepLink(link)).toEqual(opening);
});

test('a command line: switches are none of ours, paths are whole, at most sixteen', () => {
  const of = (argv: string[], packaged = true) => openRequests(argv, { cwd: '/home/me', packaged });
  expect(of(['toolwire'])).toEqual([]);
  expect(of(['toolwire', '--allow-file-access', 'a.jsonl', '-x', '/b', 'TOOLWIRE://pane/chat'])).toEqual([
    { path: resolve('/home/me/a.jsonl') },
    { path: resolve('/b') },
    { link: 'TOOLWIRE://pane/chat' },
  ]);
  expect(of(['electron', '--inspect', '/project', 'a'], false)).toEqual([{ path: resolve('/home/me/a') }]);
  expect(of(['toolwire', ...Array.from({ length: 100 }, (_, at) => `${at}`)])).toHaveLength(16);
});

const header = JSON.stringify({
  toolwire: 'capture',
  version: 1,
  exportedAt: 1,
  device: { name: 'Desk', deviceId: '02:00:00:11:22:33' },
});
const frame = '{"seq":1,"at":1,"direction":"in","kind":"text","type":"hello","summary":"hello","bytes":2,"text":"{}"}';

async function open(): Promise<{ workbench: Workbench; dir: string }> {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-open-'));
  const onError = (error: unknown): never => {
    throw error;
  };
  const workbench = await createWorkbench({ dataDir: join(dir, 'data'), devicePort: 0, shell: 'electron', onError });
  onTestFinished(async () => {
    await workbench.close();
    rmSync(dir, { recursive: true, force: true });
  });
  return { workbench, dir };
}

test('a capture is imported by the host; the window is given its id, once', async () => {
  const { workbench, dir } = await open();
  const { services } = workbench;
  const file = join(dir, 'Desk.jsonl');
  writeFileSync(file, `${header}\n${frame}\n`);
  const opening = await openFile(file, services);
  expect(await services.captures.list()).toMatchObject([{ name: 'Desk.jsonl' }]);
  expect(opening).toEqual({ kind: 'capture', captureId: (await services.captures.list())[0]!.id });
  services.workbench.putOpening(opening);
  expect(services.workbench.takeOpenings()).toEqual([opening]);
  expect(services.workbench.takeOpenings()).toEqual([]);
});

test('a collection opens by its folder, its toolwire.json or one of its calls', async () => {
  const { workbench, dir } = await open();
  const folder = join(dir, 'my-board');
  mkdirSync(folder);
  writeFileSync(join(folder, 'toolwire.json'), '{"format":1,"name":"My board"}');
  for (const path of [folder, join(folder, 'toolwire.json')])
    expect(await openFile(path, workbench.services)).toMatchObject({ kind: 'collection' });
  writeFileSync(join(folder, 'a.call.json'), '{"name":"a","tool":"time_now","arguments":{}}');
  expect(await openFile(join(folder, 'a.call.json'), workbench.services)).toMatchObject({ kind: 'collection' });
  expect(await workbench.services.collections.list()).toMatchObject([{ name: 'My board', problems: [] }]);
});

test.each([
  ['a file that is not there', undefined, /there is no such file/],
  ['an empty file', '', /is empty/],
  ['another file', 'MZ\0\0', /capture/],
  ['a capture with a broken line', `${header}\n${frame}\n{]`, /Line 3/],
])('refuses %s with the reason and keeps nothing of it', async (_what, text, reason) => {
  const { workbench, dir } = await open();
  const file = join(dir, 'x.jsonl');
  if (text !== undefined) writeFileSync(file, text);
  await expect(openFile(file, workbench.services)).rejects.toThrow(reason);
  expect(await workbench.services.captures.list()).toEqual([]);
});

test('a folder that is not a collection is refused', async () => {
  const { workbench, dir } = await open();
  await expect(openFile(dir, workbench.services)).rejects.toThrow(/toolwire\.json/);
});

test('more than a window can show: the oldest openings go', async () => {
  const { putOpening, takeOpenings } = (await open()).workbench.services.workbench;
  for (let at = 0; at < 100; at++) putOpening({ kind: 'tool', qualifiedName: `t${at}` });
  const taken = takeOpenings();
  expect(taken).toHaveLength(16);
  expect(taken.at(-1)).toEqual({ kind: 'tool', qualifiedName: 't99' });
});
