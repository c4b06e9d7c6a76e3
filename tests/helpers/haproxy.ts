/** Starts the installed HAProxy for one test. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

import { haproxy } from './findHaproxy.ts';

/** Why tests with a load balancer do not run here. */
export const noHaproxy = 'haproxy is not installed (Debian: apt install haproxy)';

/** A load balancer that ends with the test. Resolves once it listens on 127.0.0.1. */
export async function openHaproxy({ port, config }: { port: number; config: string }): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'toolwire-haproxy-'));
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, config);
  const child = spawn(haproxy ?? 'haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (data: Buffer) => (said += data.toString()));
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  for (;;) {
    const socket = createConnection({ port, host: '127.0.0.1' });
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    if (child.exitCode !== null) throw new Error(`haproxy ended: ${said}`);
    await wait(20);
  }
}
