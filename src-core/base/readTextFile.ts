import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs';

/** A file that is not read. The message names the file, and its size and the limit if it is too large. */
export class RefusedFileError extends Error {
  readonly path: string;
  /** Why, as the rest of a sentence about the file. */
  readonly reason: string;
  readonly isTooLarge: boolean;

  constructor(path: string, { reason, isTooLarge }: { reason: string; isTooLarge: boolean }) {
    super(`${path} ${reason}.`);
    this.name = 'RefusedFileError';
    this.path = path;
    this.reason = reason;
    this.isTooLarge = isTooLarge;
  }
}

/**
 * Reads a regular file as UTF-8. A device or a pipe, which may have no end or no writer, is refused.
 * @throws RefusedFileError if it is not a regular file or has more than `maxBytes`; Error of the file system.
 */
export function readTextFile(path: string, maxBytes: number): string {
  // Without O_NONBLOCK, opening a pipe waits for its writer. Windows does not know it.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(file);
    check(path, stats, maxBytes);
    const bytes = Buffer.alloc(stats.size);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null);
    return bytes.toString('utf8', 0, length);
  } finally {
    closeSync(file);
  }
}

/** Checks a file that another program reads, as `readTextFile` does. @throws what `readTextFile` throws. */
export function checkFileSize(path: string, maxBytes: number): void {
  check(path, statSync(path), maxBytes);
}

function check(path: string, stats: Stats, maxBytes: number): void {
  if (!stats.isFile()) throw new RefusedFileError(path, { reason: 'is not a regular file', isTooLarge: false });
  if (stats.size <= maxBytes) return;
  const [size, limit] = [stats.size, maxBytes].map((bytes) => bytes.toLocaleString('en'));
  throw new RefusedFileError(path, { reason: `has ${size} bytes; the limit is ${limit}`, isTooLarge: true });
}
