/** The data directory of the built product under attack: several owners, full disks, damaged rows. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';

import type { ServedAddresses } from '../../src-core/cli/addresses.ts';

const cli = resolve('dist/cli.js');

function dataFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-storage-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 3 }));
  return dir;
}

interface Server {
  child: ChildProcess;
  /** The addresses it prints once it serves, or once it found the workbench that serves already. */
  addresses: Promise<ServedAddresses>;
}

function startServer(dataDir: string): Server {
  const flags = ['serve', '--json', '--port', '0', '--device-port', '0', '--data-dir', dataDir];
  const child = spawn(process.execPath, [cli, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, CI: '1' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const addresses = once(createInterface(child.stdout), 'line').then(
    ([line]) => JSON.parse(String(line)) as ServedAddresses,
  );
  return { child, addresses };
}

test('of processes that start at once on one directory exactly one owns it; a killed owner frees it at once', async () => {
  const dataDir = dataFolder();
  const servers = Array.from({ length: 8 }, () => startServer(dataDir));
  const addresses = await Promise.all(servers.map((server) => server.addresses));
  const owners = servers.filter(({ child }, at) => child.pid === addresses[at]?.pid);
  expect(owners).toHaveLength(1);
  const [owner] = owners;
  expect(new Set(addresses.map(({ pid, url }) => `${pid} ${url}`)).size).toBe(1);

  const killed = once(owner!.child, 'exit');
  owner!.child.kill('SIGKILL');
  await killed;
  const next = startServer(dataDir);
  expect((await next.addresses).pid).toBe(next.child.pid);
}, 60_000);
