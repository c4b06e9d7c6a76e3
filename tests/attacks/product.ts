/** The built product under attack: `toolwire serve` in a process of its own, with a client of its contract. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Client } from '../../src-core/rpc/client.ts';
import { connectToRunning } from '../../src-core/rpc/runningWorkbench.ts';
import { runTerminal } from '../e2e/runTerminal.ts';
import { startServedProcess, type ServedProcess } from '../helpers/servedProcess.ts';

export interface Product extends ServedProcess {
  readonly dataDir: string;
  /** A client of the contract, as the window has one. */
  readonly client: Client;
  /** Runs the built terminal on the same data directory. */
  terminal(...words: string[]): ReturnType<typeof runTerminal>;
}

/**
 * Starts the product on a new data directory, or on one that the test prepared (which the test then removes). The
 * returned `stop` ends the process and removes a new directory.
 */
export async function startProduct(
  options: { dataDir?: string; env?: NodeJS.ProcessEnv; flags?: readonly string[] } = {},
): Promise<Product> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'toolwire-attack-'));
  const served = await startServedProcess(dataDir, options);
  const running = await connectToRunning(dataDir);
  if (!running) throw new Error(`The workbench on ${dataDir} does not answer`);
  return {
    ...served,
    dataDir,
    client: running.client,
    terminal: (...words) => runTerminal(dataDir, words),
    async stop(signal) {
      running.close();
      const code = await served.stop(signal);
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
      return code;
    },
  };
}
