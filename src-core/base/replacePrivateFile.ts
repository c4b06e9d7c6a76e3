import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Writes a file whole that only its owner can read (0600): a crash leaves the old file or the new one.
 * @throws Error of the file system; the file stays as it was.
 */
export function replacePrivateFile(path: string, text: string): void {
  const next = `${path}.${process.pid}.new`;
  try {
    writeFileSync(next, text, { mode: 0o600, flush: true });
    // The mode above holds for a new file only.
    chmodSync(next, 0o600);
    renameSync(next, path);
  } catch (error) {
    removeLeft(next);
    throw error;
  }
}

function removeLeft(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // On a read-only disk nothing was written. The error of the write is thrown.
  }
}
