import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';

import { RequestError } from '../base/requestError.ts';
import { codeOf, isDamage } from './damage.ts';
import type { StorageFault } from '../contract/types.ts';

/** Something was not written, or not read, because of the disk. The message names the directory, the reason and the remedy. */
export class StorageError extends RequestError {
  readonly fault: StorageFault;

  constructor(fault: StorageFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StorageError';
    this.fault = fault;
  }
}

/** SQLite's result codes for a disk that does not do its part, besides damage. */
const sqliteFaults = new Map<number, StorageFault>([
  [3, 'read-only'], // PERM
  [5, 'failed'], // BUSY
  [8, 'read-only'], // READONLY
  [10, 'failed'], // IOERR
  [13, 'full'], // FULL
  [14, 'failed'], // CANTOPEN
]);

const systemFaults = new Map<unknown, StorageFault>([
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EROFS', 'read-only'],
  ['EACCES', 'read-only'],
  ['EPERM', 'read-only'],
  ['EIO', 'failed'],
]);

/** SQLite's extended result code if there is no room for the index of the write-ahead log. */
const noRoomForIndex = 4874;

/** The error as a StorageError if the disk that holds `path` is its cause; undefined for any other error. */
export function storageErrorOf(error: unknown, path: string): StorageError | undefined {
  if (error instanceof StorageError) return error;
  const fault = faultOf(error, dirname(path));
  if (fault === undefined) return undefined;
  const reason = error instanceof Error ? error.message : String(error);
  return new StorageError(fault, sentenceOf(fault, path, reason), error);
}

/** The refusal of every change if the disk could not be written at the start. `isSolved`: it can be written by now. */
export function refusalUntilRestart(fault: StorageFault, dir: string, isSolved: boolean): string {
  if (isSolved) return `${dir} can be written now. Start Toolwire again, then try again.`;
  if (fault === 'full') return `The disk that holds ${dir} is full. Free some space, then start Toolwire again.`;
  return `${dir} is read-only. Allow Toolwire to write there, then start it again.`;
}

/** Runs `work`. Returns undefined if the disk refuses; the store's health has noted why. Throws every other error. */
export function unlessStorageFails<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof StorageError) return undefined;
    throw error;
  }
}

function faultOf(error: unknown, dir: string): StorageFault | undefined {
  if (isDamage(error)) return 'damaged';
  if (error instanceof Error && 'errcode' in error && error.errcode === noRoomForIndex) return 'full';
  const system = error instanceof Error && 'code' in error ? systemFaults.get(error.code) : undefined;
  const fault = system ?? sqliteFaults.get(codeOf(error));
  // SQLite reports a file system that became read-only as a failed write.
  return fault === 'failed' && !isWritable(dir) ? 'read-only' : fault;
}

function isWritable(dir: string): boolean {
  try {
    accessSync(dir, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function sentenceOf(fault: StorageFault, path: string, reason: string): string {
  const dir = dirname(path);
  switch (fault) {
    case 'full':
      return `The disk that holds ${dir} is full. Free some space and try again.`;
    case 'read-only':
      return `${dir} is read-only. Allow Toolwire to write there and try again.`;
    case 'damaged':
      return `${path} is damaged (${reason}). Start Toolwire again: it is moved aside then.`;
    case 'failed':
      return `${path} cannot be written (${reason}). Try again.`;
  }
}
