import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Writes a file whole, which only its owner can read without another `mode`: a crash leaves the old file or the new one.
 * @throws Error of the file system; the file stays as it was.
 */
export function replaceFile(path: string, text: string, mode = 0o600): void {
  const next = `${path}.${process.pid}.new`;
  try {
    writeFileSync(next, text, { mode, flush: true });
    // The mode above holds for a new file only.
    chmodSync(next, mode);
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
