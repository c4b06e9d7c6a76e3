import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

import { connectToRunning, type RunningClient } from '../../src-core/rpc/runningWorkbench.ts';

/** ms for the first start of an app on a slow build machine. */
const startMs = 90_000;
const pollMs = 500;
/** ms for the end of an app, which closes its workbench first. */
const endMs = 15_000;

export interface StartedApp {
  client: RunningClient['client'];
  /** The data directory, which is new and deleted afterwards. */
  dataDir: string;
}

/**
 * Starts a program that serves a workbench, waits until the workbench answers, runs `use`, and ends the program. Sets exit code
 * 1 and writes the reason to stderr if the program does not start, ends early, or `use` rejects.
 */
export async function withStartedApp(
  [command, ...args]: readonly string[],
  use: (app: StartedApp) => Promise<string>,
): Promise<void> {
  if (command === undefined) throw new Error('Name the program to start, and its arguments.');
  const dataDir = mkdtempSync(join(tmpdir(), 'toolwire-smoke-'));
  const app = spawn(command, args, { stdio: 'inherit', env: { ...process.env, TOOLWIRE_DATA_DIR: dataDir } });
  // Resolves as well if the command cannot be run at all.
  const exit = once(app, 'exit').then(
    ([code, signal]) => `the program ended with ${String(code ?? signal)}`,
    (error: unknown) => String(error),
  );
  const ended = exit.then((how): never => {
    throw new Error(how);
  });
  ended.catch(() => undefined);
  try {
    const running = await Promise.race([ended, connect(dataDir, exit)]);
    try {
      const text = await Promise.race([ended, use({ client: running.client, dataDir })]);
      process.stdout.write(`${text}\n`);
    } finally {
      running.close();
    }
  } catch (error) {
    process.stderr.write(`${command} failed: ${String(error)}\n`);
    process.exitCode = 1;
  } finally {
    app.kill();
    const timer = setTimeout(() => app.kill('SIGKILL'), endMs);
    await exit;
    clearTimeout(timer);
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function connect(dataDir: string, exit: Promise<unknown>): Promise<RunningClient> {
  let isRunning = true;
  void exit.then(() => (isRunning = false));
  for (const giveUpAt = Date.now() + startMs; isRunning && Date.now() < giveUpAt; await after(pollMs)) {
    const running = await connectToRunning(dataDir);
    if (running) return running;
  }
  throw new Error(`no workbench within ${startMs / 1000} s`);
}
