import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import type { App } from '../../e2e/app.ts';
import { measureEngine, type EngineMemory } from './inspectEngine.ts';

/** The built Toolwire, served by a process that can be asked what it holds. */
export interface Engine {
  readonly served: App['served'];
  memory(): Promise<EngineMemory>;
  stop(): Promise<void>;
}

/** Starts `toolwire serve` with an inspector. */
export async function startEngine(dataDir: string): Promise<Engine> {
  const args = ['serve', '--port', '0', '--device-port', '0', '--no-open', '--json', '--data-dir', dataDir];
  const host = spawn(process.execPath, ['--inspect=127.0.0.1:0', 'dist/cli.js', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const inspector = new Promise<string>((resolve) => {
    // What the inspector says of itself is not for the reader; what Toolwire says is.
    createInterface({ input: host.stderr }).on('line', (line) => {
      const url = /^Debugger listening on (ws:\S+)/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
      else if (!/^(For help, see|Debugger (attached|ending))/.test(line)) process.stderr.write(`${line}\n`);
    });
  });
  const [line] = await Promise.race([
    once(createInterface({ input: host.stdout }), 'line') as Promise<[string]>,
    once(host, 'exit').then(([code]) => {
      throw new Error(`dist/cli.js serve ended with ${String(code)} before it listened. Run: npm run build`);
    }),
  ]);
  const url = await inspector;
  return {
    served: JSON.parse(line) as App['served'],
    memory: () => measureEngine(url),
    async stop() {
      const ended = once(host, 'exit');
      host.kill('SIGTERM');
      await ended;
    },
  };
}
