import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The program: beside the built one, or the source. */
const cliFile = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../cli.ts' : './cli.js', import.meta.url));

/**
 * How a terminal of this machine runs `toolwire`: by that name if `startedAs`, the script that was started, has it and is not in the
 * folder that npm and npx put on the PATH for one command only. Otherwise, as after `npm start`, Node and the file are named.
 */
export function toolwireCommand(startedAs = process.argv[1] ?? ''): string {
  const installed = basename(startedAs) === 'toolwire' && basename(dirname(startedAs)) !== '.bin';
  return installed ? 'toolwire' : `"${process.execPath}" "${cliFile}"`;
}
