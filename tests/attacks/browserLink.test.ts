/** The one-time link of the built product: other users of the machine can see the arguments of every process. */
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
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
