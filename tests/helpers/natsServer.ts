/** Starts the installed nats-server on 127.0.0.1, for one test. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

import { natsServer } from './findNatsServer.ts';
import { freePort } from './freePort.ts';

export { natsServer };

/** Why tests with a broker do not run here. */
export const noNatsServer = 'nats-server is not installed (Debian: apt install nats-server)';

export interface NatsServer {
  readonly url: string;
  readonly port: number;
  /** Sends a signal to the process. */
  signal(name: NodeJS.Signals): void;
  /** Stops it with SIGSTOP. On Linux, it resolves once each of its threads is stopped. */
  pause(): Promise<void>;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again at the same port, maybe with another configuration. */
  start(changed?: { config: string }): Promise<void>;
}

/** Settings of a broker that keeps values, in a folder that ends with the test. */
export function jetStream(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolwire-jetstream-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return `jetstream { store_dir: "${folder}" }`;
}

/** A broker that ends with the test. `config` is what its configuration file has beside the address. */
export async function openNatsServer({ config = '' }: { config?: string } = {}): Promise<NatsServer> {
  const folder = mkdtempSync(join(tmpdir(), 'toolwire-nats-'));
  const port = await freePort();
  const file = join(folder, 'nats.conf');
  let child: ChildProcess | undefined;

  async function start(changed = { config }): Promise<void> {
    writeFileSync(file, `listen: "127.0.0.1:${port}"\n${changed.config}\n`);
    child = spawn(natsServer ?? 'nats-server', ['--config', file], { stdio: ['ignore', 'ignore', 'ignore'] });
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`nats-server ended with ${String(code)} before it listened`);
    });
    ended.catch(() => undefined);
    for (let isOpen = false; !isOpen;) {
      isOpen = await Promise.race([canConnect(port), ended]);
      if (!isOpen) await wait(20);
    }
  }

  async function kill(): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async function pause(): Promise<void> {
    child?.kill('SIGSTOP');
    const tasks = `/proc/${child?.pid}/task`;
    const isStopped = (task: string): boolean => readFileSync(join(tasks, task, 'stat'), 'utf8').includes(') T ');
    while (existsSync(tasks) && !readdirSync(tasks).every(isStopped)) await wait(1);
  }

  onTestFinished(async () => {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  });
  await start();
  return { url: `nats://127.0.0.1:${port}`, port, signal: (name) => void child?.kill(name), pause, kill, start };
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    const end = (isOpen: boolean) => (): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', end(true)).once('error', end(false));
  });
}
