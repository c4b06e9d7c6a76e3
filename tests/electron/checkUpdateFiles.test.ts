import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

import { testFolder, writeFiles } from './testFiles.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

function latest(url: string, content: string, said = version): string {
  const sha512 = createHash('sha512').update(content).digest('base64');
  return `version: ${said}\nfiles:\n  - url: ${url}\n    sha512: ${sha512}\n    size: ${content.length}\n`;
}

function check(files: Record<string, string>): { status: number | null; stdout: string; stderr: string } {
  const dir = testFolder();
  writeFiles(dir, files);
  return spawnSync(process.execPath, ['electron/packaging/checkUpdateFiles.ts', dir], { encoding: 'utf8' });
}

test('accepts packages that match their update file, and a folder without one', () => {
  expect(check({ 'a-x64.zip': 'zip', 'latest-mac.yml': latest('a-x64.zip', 'zip') })).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^1 update file/),
  });
  expect(check({ 'a-x64.exe': 'exe' })).toMatchObject({ status: 0 });
});

test.each([
  ['a package that is not there', { 'latest.yml': latest('b.exe', 'exe') }, 'names b.exe, which is not there'],
  ['other bytes', { 'a.exe': 'exo', 'latest.yml': latest('a.exe', 'exe') }, 'another SHA-512'],
  ['another length', { 'a.exe': 'exe2', 'latest.yml': latest('a.exe', 'exe') }, 'has 4 bytes; latest.yml says 3'],
  ['another version', { 'a.exe': 'exe', 'latest.yml': latest('a.exe', 'exe', '9.9.9') }, 'of version 9.9.9'],
  ['no package at all', { 'latest.yml': `version: ${version}\nfiles: []\n` }, 'names no package'],
  ['a name that GitHub changes', { 'Toolwire Setup.exe': 'exe' }, 'GitHub would rename Toolwire Setup.exe'],
])('reports %s', (_what, files, problem) => {
  const { status, stderr } = check(files);
  expect([status, stderr]).toEqual([1, expect.stringContaining(problem)]);
});
