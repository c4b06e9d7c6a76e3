import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const main = fileURLToPath(new URL('../../../src-core/cli/main.ts', import.meta.url));

test('asked to end after its command is done, it ends, whatever something in it still holds open', async () => {
  const code = `setInterval(() => undefined, 60_000);
    process.argv = ['node', 'toolwire', '--version'];
    const { main } = await import(${JSON.stringify(main)});
    await main();
    process.stdout.write('done');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exit = once(child, 'exit');
  let out = '';
  for await (const chunk of child.stdout) {
    out += String(chunk);
    if (out.endsWith('done')) break;
  }
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
});
