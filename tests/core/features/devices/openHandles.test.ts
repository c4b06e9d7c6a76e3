import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('a process that has closed the hub in the middle of a call ends by itself', async () => {
  const script = fileURLToPath(new URL('support/openAndClose.ts', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  expect(said).toMatch(/^ToolError: The connection to esp32-s3-box was closed here/);
  expect(code).toBe(0);
});
