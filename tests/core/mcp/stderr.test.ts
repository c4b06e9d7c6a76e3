import { expect, test } from 'vitest';

import { connect } from './connectedServer.ts';

test('of what a process wrote to stderr, the last lines of at most 64 KiB are kept', async () => {
  const script = "for (let line = 10; line < 30; line += 1) console.error(line + 'x'.repeat(8_000))";
  const connecting = connect({ type: 'stdio', command: process.execPath, args: ['-e', script], env: {} });
  const stderr = [22, 23, 24, 25, 26, 27, 28, 29].map((line) => `${line}${'x'.repeat(8_000)}`);
  await expect(connecting).rejects.toMatchObject({ code: 'process-exited', stderr });
});
