import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { link, lstat, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The name of a temporary file that is written beside a file before it replaces it. */
const besideName = /\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.new$/;
/** ms after which a temporary file is left over from a crash, and not from a write that is still running. */
const leftMs = 600_000;

/**
 * Writes a file as a whole and syncs it to the disk: after a crash or power loss it is either the old one or the new
 * one. It keeps the old one's permissions. A link in its place is replaced, not followed.
 * @throws {Error} With the code EEXIST, if the file is to be new and the path exists.
 */
export async function writeWhole(at: string, text: string, { isNew }: { isNew: boolean }): Promise<void> {
  const folder = dirname(at);
  await removeLeft(folder);
  const old = isNew ? undefined : await lstat(at).catch(() => undefined); // There may be none.
  const beside = join(folder, `.toolwire.${randomUUID()}.new`);
  try {
    const handle = await open(beside, 'wx', 0o644);
    try {
      if (old?.isFile() === true) await handle.chmod(old.mode & 0o777);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (isNew) await takeFreePlace(beside, at);
    else await rename(beside, at);
  } finally {
    await rm(beside, { force: true });
  }
  await syncFolder(folder);
}

/** Takes a path only if it is free, unlike a rename. */
async function takeFreePlace(beside: string, at: string): Promise<void> {
  try {
    await link(beside, at);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    // A file system without hard links (exFAT): an empty file reserves the path.
    await (await open(at, 'wx', 0o644)).close();
    await rename(beside, at);
  }
}

/** Syncs a folder's directory entries to the disk. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // Windows opens no folders.
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function removeLeft(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!besideName.test(name)) continue;
    const path = join(folder, name);
    const stat = await lstat(path).catch(() => undefined); // Whose it was may have taken it away.
    if (stat?.isFile() === true && Date.now() - stat.mtimeMs > leftMs) await rm(path, { force: true });
  }
}
