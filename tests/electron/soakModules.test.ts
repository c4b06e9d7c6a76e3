import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const script = 'electron/packaging/soakModules.ts';
const serve = ['src-core/cli.ts', 'serve', '--no-open', '--port', '0', '--device-port', '0'];

test('a module is reloaded and called as often as told', { timeout: 120_000 }, async () => {
  const { stdout } = await run(process.execPath, [script, '3', process.execPath, ...serve]);
  expect(stdout).toContain('3 reloads, each called');
});

test('a program that ends before its workbench answers is a failure', async () => {
  const ended = run(process.execPath, [script, '1', process.execPath, '-e', 'process.exit(7)']);
  await expect(ended).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('ended with 7') as string });
});
