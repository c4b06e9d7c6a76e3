import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The built program; the source only if there is none. */
const built = new URL(import.meta.url.endsWith('.ts') ? '../../dist/cli.js' : './cli.js', import.meta.url);
const cliFile = fileURLToPath(existsSync(built) ? built : new URL('../cli.ts', import.meta.url));

/**
 * How a terminal of this machine runs `toolwire`: by that name if `startedAs`, the script that was started, has it and is not in the
 * folder that npm and npx put on the PATH for one command only. Otherwise, as after `npm start`, Node and the file are named.
 */
export function toolwireCommand(startedAs = process.argv[1] ?? ''): string {
  const installed = basename(startedAs) === 'toolwire' && basename(dirname(startedAs)) !== '.bin';
  return installed ? 'toolwire' : `"${process.execPath}" "${cliFile}"`;
}
