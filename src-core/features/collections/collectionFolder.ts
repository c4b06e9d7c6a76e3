import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { RequestError } from '../../base/requestError.ts';
import { UnreadableFileError } from './unreadableFileError.ts';
import { syncFolder, writeWhole } from './writeWhole.ts';

const last = new Map<string, Promise<unknown>>();

/** Bytes of one file; larger files are refused. */
const maxFileBytes = 4 * 1024 * 1024;

/** A file's text, and a version that identifies it. */
export interface FileText {
  text: string;
  version: string;
}

/** The file was changed since it was read. `current` is its content now; absent if it was deleted. */
export class ChangedFileError extends RequestError {
  readonly current: FileText | undefined;

  constructor(file: string, current: FileText | undefined) {
    const what = current === undefined ? 'is gone' : 'was changed by someone else';
    super(`${file} ${what} since it was opened. Look at it again, or save over it.`, { field: 'version' });
    this.current = current;
  }
}

/** The files of one collection's folder; no other path is ever read or written, and links out of it are not followed. */
export interface CollectionFolder {
  /** The real path. */
  readonly path: string;
  /** Names of the calls' files, in order of name. */
  callFiles(): Promise<string[]>;
  environmentFiles(): Promise<string[]>;
  /** Undefined if there is none. @throws {RequestError} For a link, a folder, or a file that is too large. */
  read(file: string): Promise<FileText | undefined>;
  /**
   * Writes a file as a whole, as `writeWhole` does. `version` is the version to replace, null for a file that does not
   * exist yet, undefined for any.
   * @throws {ChangedFileError} If the file has another version.
   * @throws {RequestError} For a file that `read` would refuse.
   */
  write(file: string, text: string, version: string | null | undefined): Promise<FileText>;
  /** @throws {RequestError} If it is missing already. */
  remove(file: string, version?: string): Promise<void>;
}

/** Manifest, call or environment: the only names there are. Backslashes and colons are paths on Windows. */
const fileName = /^(?:toolwire\.json|[^/\\:\0]{1,200}\.call\.json|environments\/[^/\\:\0]{1,200}\.json)$/;

/** Opens a folder by its real path. @throws {RequestError} If it is not a folder. */
export async function openCollectionFolder(typed: string): Promise<CollectionFolder> {
  const path = await realpath(typed).catch(() => undefined);
  if (path === undefined || !(await lstat(path)).isDirectory())
    throw new RequestError(`"${typed}" is not a folder on this machine. Choose one that exists.`, { field: 'folder' });

  const place = (file: string): Promise<string> => placeIn(path, file);

  async function read(file: string): Promise<FileText | undefined> {
    const at = await place(file);
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    const handle = await open(at, flags).catch(ifMissing);
    if (handle === undefined) return undefined;
    try {
      const stat = await handle.stat();
      // For systems without O_NOFOLLOW.
      const named = await lstat(at).catch(ifMissing);
      if (named === undefined) return undefined;
      if (!stat.isFile() || named.isSymbolicLink()) throw new UnreadableFileError(`${at} is not a regular file.`);
      if (stat.size > maxFileBytes) throw new UnreadableFileError(`${at} is larger than 4 MB.`);
      return withVersion(await handle.readFile('utf8'));
    } finally {
      await handle.close();
    }
  }

  async function expect(file: string, version: string | null | undefined): Promise<void> {
    if (version === undefined) return;
    const current = await read(file);
    if ((current?.version ?? null) !== version) throw new ChangedFileError(file, current);
  }

  return {
    path,
    callFiles: () => names(path, '.call.json'),
    async environmentFiles() {
      await place('environments/any.json');
      return (await names(join(path, 'environments'), '.json')).map((name) => `environments/${name}`);
    },
    read,
    // One at a time, so that no two writes find the same version and both overwrite it.
    write: (file, text, version) =>
      inTurn(path, async () => {
        const at = await place(file);
        if (Buffer.byteLength(text) > maxFileBytes)
          throw new RequestError(`${file} would be larger than 4 MB, so it could not be read again. Shorten it.`, {
            field: 'file',
          });
        await expect(file, version);
        if (file.startsWith('environments/')) {
          const made = await mkdir(join(path, 'environments'), { recursive: true });
          if (made !== undefined) await syncFolder(path);
        }
        try {
          await writeWhole(at, text, { isNew: version === null });
        } catch (error) {
          // Another program created the file first.
          if (version === null && (error as NodeJS.ErrnoException).code === 'EEXIST')
            throw new ChangedFileError(file, await read(file));
          throw error;
        }
        return withVersion(text);
      }),
    remove: (file, version) =>
      inTurn(path, async () => {
        const at = await place(file);
        await expect(file, version);
        await unlink(at).catch((error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') throw new RequestError(`${file} is gone already.`, { field: 'file' });
          throw error;
        });
        await syncFolder(dirname(at));
      }),
  };
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ELOOP') throw new UnreadableFileError(`${error.path} is a link. Links are not followed.`);
  if (error.code !== 'ENOENT' && error.code !== 'ENAMETOOLONG') throw error;
}

async function placeIn(path: string, file: string): Promise<string> {
  const parts = file.split('/');
  if (!fileName.test(file) || parts.some((part) => part.startsWith('.')))
    throw new RequestError(`"${file}" is not a file of a collection.`, { field: 'file' });
  const [parent] = parts;
  if (parts.length === 2 && parent !== undefined) {
    const folder = join(path, parent);
    const stat = await lstat(folder).catch(() => undefined);
    if (stat !== undefined && !stat.isDirectory())
      throw new RequestError(`${folder} is a link or a file. It must be a folder.`, { field: 'file' });
  }
  return join(path, ...parts);
}

async function names(folder: string, suffix: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const found = entries.filter((entry) => entry.name.endsWith(suffix) && !entry.name.startsWith('.'));
  return found.map(({ name }) => name).sort(byName);
}

/** The same order on every machine: numbers by their value, so that 2 comes before 10. */
function byName(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true }) || (a < b ? -1 : 1);
}

function withVersion(text: string): FileText {
  return { text, version: createHash('sha256').update(text).digest('base64url').slice(0, 24) };
}

/** Does pieces of work of one name one after the other, in the order in which they were asked for; others do not wait. */
async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const before = last.get(name);
  const mine = (async () => {
    await before?.catch(() => undefined); // Its own caller receives the error.
    return work();
  })();
  last.set(name, mine);
  try {
    return await mine;
  } finally {
    if (last.get(name) === mine) last.delete(name);
  }
}
