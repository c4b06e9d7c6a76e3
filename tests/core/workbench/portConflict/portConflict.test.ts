import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { conflictText, describeConflict } from '../../../../src-core/workbench/portConflict/describeConflict.ts';
import { findFreePort } from '../../../../src-core/workbench/portConflict/findFreePort.ts';
import { findPortHolder } from '../../../../src-core/workbench/portConflict/findPortHolder.ts';

/** Listens on a free port in a process of its own, which prints the port. */
const program = `
  const server = require('node:net').createServer().listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

async function startHolder(): Promise<{ port: number; pid: number | undefined; end: () => Promise<unknown> }> {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-port-'));
  const script = join(dir, 'port-holder.cjs');
  writeFileSync(script, program);
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const end = (): Promise<unknown> => {
    child.kill();
    return closed;
  };
  onTestFinished(async () => {
    await end();
    rmSync(dir, { recursive: true });
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { port: Number(line.toString()), pid: child.pid, end };
}

test('the system of this machine tells who listens on a port', async () => {
  const { port, pid, end } = await startHolder();
  expect(await findPortHolder(port)).toEqual({ pid, program: 'node port-holder.cjs' });
  await end();
  expect(await findPortHolder(port)).toEqual({});
});

test.each(['darwin', 'win32', 'aix'] as const)('nothing is told where %s has not what we ask', async (platform) => {
  if (platform === process.platform) return;
  expect(await findPortHolder(1, platform)).toEqual({});
});

test('a free port is one that can be bound, near the taken one where there is one', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo;
  const free = await findFreePort('127.0.0.1', port);
  expect(free).toBeGreaterThan(0);
  const other = createServer().listen(free, '127.0.0.1');
  await once(other, 'listening');
  other.close();
  expect(await findFreePort('127.0.0.1', 65_535)).toBeGreaterThan(0);
  // No address of this machine: there is no free port either.
  expect(await findFreePort('192.0.2.254', 8_000)).toBe(0);
});

test('a conflict says who, as far as it is known, and what to do', async () => {
  const { port, pid } = await startHolder();
  const conflict = await describeConflict('127.0.0.1', port);
  expect(conflictText('127.0.0.1', conflict)).toBe(
    `Port ${port} on 127.0.0.1 is in use by node port-holder.cjs (process ${pid}). End it and try again, or take port ${conflict.freePort}.`,
  );
  expect(conflictText('0.0.0.0', { port: 80, freePort: 81 })).toBe(
    'Port 80 on 0.0.0.0 is in use by another program. End it and try again, or take port 81.',
  );
});
