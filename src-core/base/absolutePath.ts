import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

import { RequestError } from './requestError.ts';

/**
 * The path that the user typed, with `~` expanded. `field` is the one that the error names.
 * @throws {RequestError} If it is relative: it would depend on the folder in which Toolwire was started.
 */
export function absolutePath(typed: string, field: string): string {
  const path = typed === '~' || typed.startsWith('~/') ? join(homedir(), typed.slice(1)) : typed;
  if (isAbsolute(path)) return path;
  throw new RequestError(`"${typed}" is not an absolute path. Write it from the root, or from ~.`, { field });
}
