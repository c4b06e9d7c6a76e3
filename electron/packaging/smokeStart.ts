/**
 * `node electron/packaging/smokeStart.ts COMMAND [ARGUMENT…]`: starts a package, waits until its workbench answers, makes one
 * call in it, and ends it. Exit code 0 where all of that went well. The data directory is a new one.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

import { connectToRunning } from '../../src-core/api/runningWorkbench.ts';

/** ms for the first start of an app on a slow build machine. */
const startMs = 90_000;
const lookEveryMs = 500;

const [command, ...args] = process.argv.slice(2);
if (command === undefined) throw new Error('Which package? node electron/packaging/smokeStart.ts COMMAND [ARGUMENT…]');

const dataDir = mkdtempSync(join(tmpdir(), 'toolwire-smoke-'));
const app = spawn(command, args, { stdio: 'inherit', env: { ...process.env, TOOLWIRE_DATA_DIR: dataDir } });
/** Rejects, as well, where the command cannot be run at all. */
const gone = once(app, 'exit').then(
  ([code]) => `it ended with ${String(code)}`,
  (error: unknown) => String(error),
);

/** What the call gave; rejects where the app ended or the time is over. */
async function useIt(): Promise<string> {
  const giveUpAt = Date.now() + startMs;
  let ended: string | undefined;
  void gone.then((how) => (ended = how));
  while (ended === undefined && Date.now() < giveUpAt) {
    const running = await connectToRunning(dataDir);
    if (running) {
      const { shell, version, platform } = await running.client.workbench.info();
      const { status } = await running.client.calls.execute({
        ...{ callId: crypto.randomUUID(), toolName: 'clock_get_time', argsJson: '{}', origin: 'cli' as const },
        confirmed: true,
      });
      running.close();
      if (shell !== 'electron' || status !== 'success') throw new Error(`shell ${shell}, call ${status}`);
      return `Toolwire ${version} on ${platform}: started and called`;
    }
    await after(lookEveryMs);
  }
  throw new Error(ended === undefined ? `no workbench within ${startMs / 1000} s` : `before its workbench, ${ended}`);
}

try {
  process.stdout.write(`${await useIt()}\n`);
} catch (error) {
  process.stderr.write(`The smoke start of ${command} failed: ${String(error)}\n`);
  process.exitCode = 1;
} finally {
  app.kill();
  await gone;
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
}
