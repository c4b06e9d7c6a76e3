/** The one-time link of the built product: other users of the machine can see the arguments of every process. */
import { once } from 'node:events';
import {
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

import { recordOpenedBrowser } from '../helpers/openedBrowser.ts';

test('the opener gets a file that only this user can read, and that is removed with its link and on exit', async ({
  skip,
}) => {
  if (process.platform === 'win32') return skip('the opener of Windows is no script');
  const { home, serve, takeArguments } = recordOpenedBrowser();
  const takeFileLink = async (): Promise<string> => {
    const words = await takeArguments();
    expect(words.join(' ')).not.toContain('token');
    expect(words).toEqual([expect.stringMatching(/^file:\/\/\/\S+50%25%20of%20home\/toolwire-open-\w+\.html$/)]);
    const file = fileURLToPath(words[0]!);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    return /url=(http:[^"]+)/.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  };

  const { child, link } = await serve();
  const first = await takeFileLink();
  expect(first).not.toBe(link);
  expect((await fetch(first)).headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict/);
  expect(readdirSync(home)).toEqual([]);
  expect((await fetch(first)).status).toBe(401);

  // A second `serve` ends at once: the workbench that runs owns the file.
  const second = await serve();
  if (second.child.exitCode === null) await once(second.child, 'exit');
  expect((await fetch(await takeFileLink())).status).toBe(200);
  expect(readdirSync(home)).toEqual([]);

  await serve();
  await takeFileLink();
  child.kill('SIGTERM');
  await once(child, 'exit');
  expect(readdirSync(home)).toEqual([]);
});

test('the file that a killed process left is removed by the next start, and nothing else is', async ({ skip }) => {
  if (process.platform === 'win32') return skip('the opener of Windows is no script');
  const { home, serve, takeArguments } = recordOpenedBrowser();
  const { child } = await serve();
  const left = fileURLToPath((await takeArguments())[0]!);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(readdirSync(home)).toEqual([basename(left)]);

  const old = (Date.now() - 3_600_000) / 1_000;
  const name = (digit: string): string => `toolwire-open-${digit.repeat(16)}.html`;
  const others = ['toolwire-open-notes.html', `x${name('1')}`, name('2'), name('3'), name('4')];
  for (const file of others.slice(0, 2)) writeFileSync(join(home, file), '');
  mkdirSync(join(home, name('2')));
  symlinkSync(left, join(home, name('3')));
  // One that is younger than its lifetime belongs to a workbench that runs.
  writeFileSync(join(home, name('4')), '');
  for (const file of [left, ...others.slice(0, 3).map((other) => join(home, other))]) utimesSync(file, old, old);
  lutimesSync(join(home, name('3')), old, old);
  const next = await serve();
  await takeArguments();
  next.child.kill('SIGTERM');
  await once(next.child, 'exit');
  expect(readdirSync(home).sort()).toEqual(others.sort());
});
