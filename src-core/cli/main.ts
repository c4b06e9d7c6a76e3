import * as http from 'node:http';
import * as tls from 'node:tls';

import { reportError } from '../base/reportError.ts';
import { useSystemNetwork } from '../useSystemNetwork.ts';
import { processTerminal } from './processTerminal.ts';
import { run } from './run.ts';

/** Runs this process's own command line. */
export async function main(): Promise<void> {
  const terminal = processTerminal();
  const onError = (error: unknown): void => reportError(error, 'the terminal');
  if (process.versions['electron'] !== undefined) useSystemNetwork({ tls, http, env: process.env, onError });
  process.exitCode = await run(process.argv.slice(2), terminal);
  // Asked to end, it waits for nothing that the command may have left open; what was printed goes out first.
  const end = (): void => void process.stdout.write('', () => process.exit());
  if (terminal.ended.aborted) end();
  else terminal.ended.addEventListener('abort', end);
}
