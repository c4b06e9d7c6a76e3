import { processTerminal } from './processTerminal.ts';
import { run } from './run.ts';

/** Runs this process's own command line. */
export async function main(): Promise<void> {
  process.exitCode = await run(process.argv.slice(2), processTerminal());
}
