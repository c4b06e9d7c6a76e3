import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The program: beside the built one, or the source. */
const cliFile = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../cli.ts' : './cli.js', import.meta.url));

/**
 * How a terminal of this machine runs `toolwire`: by that name if `startedAs`, the script that was started, has it. After `npm start` it
 * is not on the PATH, so Node and the file are named.
 */
export function toolwireCommand(startedAs = process.argv[1] ?? ''): string {
  return basename(startedAs) === 'toolwire' ? 'toolwire' : `"${process.execPath}" "${cliFile}"`;
}
