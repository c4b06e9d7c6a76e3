import type { StorageFault, StorageState } from '../contract/types.ts';
import { StorageError } from './storageError.ts';
import type { StoreTables } from './types.ts';

/** The tables that a request can name. */
export type TableName = Exclude<keyof StoreTables, 'health' | 'notice' | 'close'>;

/** A call of a method of a table, or of one of its logs. */
export interface StoreRequest {
  table: TableName;
  /** The arguments of `log`, if the method is one of a log. */
  log?: readonly (string | undefined)[];
  method: string;
  args: readonly unknown[];
}

/** What a method returned, or what it threw; a failure comes with the state of the disk. */
export type StoreReply = { value: unknown } | { error: StoredError; health: StorageState };

/** An error as plain data. */
export interface StoredError {
  message: string;
  fault?: StorageFault;
  /** SQLite's result code. */
  errcode?: number;
}

/** Runs a request. Never throws. */
export function answerRequest(store: StoreTables, { table, log, method, args }: StoreRequest): StoreReply {
  try {
    const named = store[table] as unknown as Record<string, (...given: unknown[]) => unknown>;
    const target = log === undefined ? named : (named['log']?.(...log) as typeof named);
    return { value: target[method]?.(...args) };
  } catch (error) {
    return { error: describeError(error), health: store.health.state() };
  }
}

/** An error as plain data. */
export function describeError(error: unknown): StoredError {
  const { message = String(error), errcode } = (error ?? {}) as { message?: string; errcode?: number };
  return {
    message,
    ...(error instanceof StorageError && { fault: error.fault }),
    ...(errcode !== undefined && { errcode }),
  };
}

/** The error that was described: a StorageError if the disk was its cause. */
export function restoreError({ message, fault, errcode }: StoredError): Error {
  if (fault !== undefined) return new StorageError(fault, message);
  return Object.assign(new Error(message), errcode !== undefined && { errcode });
}
