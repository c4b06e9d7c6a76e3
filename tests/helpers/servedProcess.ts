import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import type { App } from '../e2e/app.ts';
import { inspectProcess, type Inspector } from './inspectProcess.ts';

/** The built Toolwire, served by a process that can be inspected. */
export interface ServedProcess {
  /** What `serve --json` printed. */
  readonly served: App['served'];
  readonly pid: number;
  readonly inspector: Inspector;
  /** What the process has written to stderr, without the inspector's own lines. */
  stderr(): string;
  /** Ends the process; returns its exit code, or null if a signal ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts `toolwire serve` on free ports with an inspector. */
export async function startServedProcess(
  dataDir: string,
  { env = {}, flags = [] }: { env?: NodeJS.ProcessEnv; flags?: readonly string[] } = {},
): Promise<ServedProcess> {
  const args = ['serve', '--port', '0', '--device-port', '0', '--no-open', '--json', '--data-dir', dataDir, ...flags];
  const host = spawn(process.execPath, ['--inspect=127.0.0.1:0', 'dist/cli.js', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const written: string[] = [];
  const ended = once(host, 'exit') as Promise<[number | null]>;
  const inspectorUrl = new Promise<string>((resolve) => {
    createInterface({ input: host.stderr }).on('line', (line) => {
      const url = /^Debugger listening on (ws:\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
      else if (!/^(For help, see|Debugger (attached|ending))/.test(line)) written.push(line);
    });
  });
  const [line] = await Promise.race([
    once(createInterface({ input: host.stdout }), 'line') as Promise<[string]>,
    ended.then(([code]) => {
      throw new Error(
        `dist/cli.js serve ended with ${String(code)} before it listened. Run: npm run build\n${written.join('\n')}`,
      );
    }),
  ]);
  const inspector = await inspectProcess(await inspectorUrl);
  return {
    served: JSON.parse(line) as App['served'],
    pid: host.pid ?? 0,
    inspector,
    stderr: () => written.join('\n'),
    async stop(signal = 'SIGTERM') {
      inspector.close();
      host.kill(signal);
      const [code] = await ended;
      return code;
    },
  };
}
