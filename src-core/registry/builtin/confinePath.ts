import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep, win32 } from 'node:path';
import { ToolError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';

/** In the details of an error that a choice in the settings corrects: the setting. */
export const rootSetting = { setting: 'directoryRoot' };

/** A path that is below the root after links are resolved. */
export interface ConfinedPath {
  /** Absolute, without symbolic links. */
  root: string;
  /** Absolute, without symbolic links; the root or below it. */
  target: string;
}

/**
 * Finds a relative path below a root directory. `/` and `\` both separate. Throws a `ToolError` `tool-error` that says
 * what to write instead: for absolute paths, `..` that leaves the root, links that lead out, and what does not exist.
 */
export async function confinePath({ root, path }: { root: string; path: string }): Promise<ConfinedPath> {
  if (path.includes('\0')) throw refuse(path, 'holds a NUL character');
  if (isAbsolute(path) || win32.isAbsolute(path) || /^[A-Za-z]:/.test(path))
    throw refuse(path, 'is absolute; write it relative to the root, such as "src/tools", or "." for the root itself');
  const realRoot = await find(root, (reason) => `The folder chosen in Settings ${reason}.`, rootSetting);
  const asked = resolve(realRoot, ...path.split(/[\\/]+/));
  if (!isInside(realRoot, asked)) throw refuse(path, 'leads out of the root directory');
  const target = await find(asked, (reason) => refusal(path, reason));
  if (!isInside(realRoot, target)) throw refuse(path, 'is a link that leads out of the root directory');
  return { root: realRoot, target };
}

/** True for the directory itself and for everything below it. Both absolute and without links. */
export function isInside(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

async function find(path: string, toMessage: (reason: string) => string, details: JsonObject = {}): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    const reason = code === 'ENOENT' || code === 'ENOTDIR' ? 'does not exist' : `cannot be read (${code})`;
    throw new ToolError('tool-error', toMessage(reason), { cause: error, details: { code, ...details } });
  }
}

function refuse(path: string, reason: string): ToolError {
  return new ToolError('tool-error', refusal(path, reason));
}

function refusal(path: string, reason: string): string {
  return `The path "${JSON.stringify(path.slice(0, 200)).slice(1, -1)}" ${reason}.`;
}
