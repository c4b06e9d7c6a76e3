import { rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { Clock } from '../base/clock.ts';
import { suspectSuffix } from './damage.ts';
import { refusalUntilRestart, StorageError, storageErrorOf } from './storageError.ts';
import { forgetStatements } from './transaction.ts';
import type { StorageFault, StorageState, UnreadableKind } from '../contract/types.ts';

/** ms between two attempts to write, as long as writing fails. */
const probeMs = 2_000;
/** Bytes of an attempt: a disk with room for one short row only still counts as full. */
const probeBytes = 64 * 1024;
/** Damaged rows that are counted; beyond it the count stays. */
const maxUnreadable = 10_000;

/** Knows the state of one database's disk. */
export interface StorageHealth {
  state(): StorageState;
  /** Called after each change of the state. */
  onChange: () => void;
  /** Notes a failure of the disk, and returns the error to throw. Returns every other error as it is. */
  failed(error: unknown): unknown;
  /** Notes a fault that lasts until the next start. The state says once the disk can be written again. */
  faultUntilRestart(error: StorageError): void;
  /**
   * Returns what `read` returns, or undefined if it throws a SyntaxError or a TypeError: then the row is damaged, which is
   * counted once for each `key`.
   */
  readable<T>(kind: UnreadableKind, key: string | number, read: () => T): T | undefined;
  /** From now on, reports what this database does and tries to write to it until that works again. */
  watch(database: DatabaseSync): void;
  close(): void;
}

/** Makes the health of the database at `path`. */
export function createStorageHealth(options: { path: string; movedAside?: string; clock: Clock }): StorageHealth {
  const { path, movedAside, clock } = options;
  const dir = dirname(path);
  const damaged = createDamagedRows(() => health.onChange());
  let fault: { kind: StorageFault; reason: string; untilRestart: boolean; isSolved?: true } | undefined;
  let probe: (() => void) | undefined;
  let setPatience: (isPatient: boolean) => void = () => undefined;
  let stopTimer: (() => void) | undefined;

  function set(next: typeof fault): void {
    // While writing fails, the engine's thread does not wait for a program that keeps the database locked.
    if ((next === undefined) !== (fault === undefined)) setPatience(next === undefined);
    const isSame =
      next?.kind === fault?.kind && next?.untilRestart === fault?.untilRestart && next?.isSolved === fault?.isSolved;
    fault = next;
    if (!isSame) health.onChange();
  }

  function tryAgain(): void {
    if (fault === undefined || fault.isSolved || fault.kind === 'damaged') return;
    const { untilRestart } = fault;
    const work = untilRestart ? () => probeDir(path) : probe;
    const attempt = (): void => {
      stopTimer = undefined;
      try {
        work?.();
        set(untilRestart && fault !== undefined ? { ...fault, isSolved: true } : undefined);
      } catch {
        tryAgain();
      }
    };
    if (work !== undefined) stopTimer ??= clock.after(probeMs, attempt);
  }

  function noted(error: StorageError): StorageError {
    // Damage is noted for the next start, which looks through the database only if it has to.
    if (error.fault === 'damaged') attemptTo(() => writeFileSync(path + suspectSuffix, '', { mode: 0o600 }));
    const isKnown = fault !== undefined && (fault.untilRestart || fault.kind === 'damaged');
    if (!isKnown) set({ kind: error.fault, reason: reasonOf(error), untilRestart: false });
    tryAgain();
    return error;
  }

  const health: StorageHealth = {
    onChange: () => undefined,
    state: () => ({
      dir,
      ...(fault && { fault: fault.kind, reason: fault.reason }),
      ...(fault?.untilRestart === true && { untilRestart: true }),
      ...(fault?.isSolved && { isSolved: true }),
      ...(movedAside !== undefined && { movedAside }),
      unreadable: damaged.counts(),
    }),
    failed(error) {
      const known = storageErrorOf(error, path);
      if (known === undefined) return error;
      if (fault?.untilRestart !== true) return noted(known);
      return new StorageError(fault.kind, refusalUntilRestart(fault.kind, dir, fault.isSolved === true), error);
    },
    faultUntilRestart(error) {
      set({ kind: error.fault, reason: reasonOf(error), untilRestart: true });
      tryAgain();
    },
    readable: damaged.read,
    watch(database) {
      const busyMs = Number(database.prepare('PRAGMA busy_timeout').get()?.['timeout']);
      const execute = database.exec.bind(database);
      setPatience = (isPatient) => execute(`PRAGMA busy_timeout = ${isPatient ? busyMs : 0}`);
      probe = probeOf(database, execute);
      watchCalls(database, health.failed);
      forgetStatements(database);
    },
    close() {
      stopTimer?.();
      probe = undefined;
    },
  };
  return health;
}

/** Counts rows that cannot be read. */
function createDamagedRows(onChange: () => void) {
  const unreadable = new Map<UnreadableKind, Set<string | number>>();
  return {
    counts: () => Object.fromEntries([...unreadable].map(([kind, keys]) => [kind, keys.size])),
    read<T>(kind: UnreadableKind, key: string | number, read: () => T): T | undefined {
      try {
        return read();
      } catch (error) {
        if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
        const keys = unreadable.get(kind) ?? new Set();
        unreadable.set(kind, keys);
        if (keys.has(key) || keys.size >= maxUnreadable) return undefined;
        keys.add(key);
        onChange();
        return undefined;
      }
    },
  };
}

/** Without a database that can be written, only a file shows whether the disk can be. */
function probeDir(path: string): void {
  const file = `${path}.probe`;
  try {
    writeFileSync(file, Buffer.alloc(probeBytes), { mode: 0o600 });
  } finally {
    rmSync(file, { force: true });
  }
}

/** Writes a row of some size, and removes it. Both wait for the disk. */
function probeOf(database: DatabaseSync, execute: (sql: string) => void): () => void {
  const put = database.prepare('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)');
  const remove = database.prepare('DELETE FROM settings WHERE key = ?');
  const key = 'storage.probe';
  return () => {
    execute('PRAGMA synchronous = FULL');
    try {
      put.run(key, 'x'.repeat(probeBytes));
      remove.run(key);
    } finally {
      execute('PRAGMA synchronous = NORMAL');
    }
  };
}

/** Has every statement prepared from now on, and every `exec`, throw what `explain` returns for an error. */
function watchCalls(database: DatabaseSync, explain: (error: unknown) => unknown): void {
  const watched =
    <A extends unknown[], R>(method: (...given: A) => R) =>
    (...given: A): R => {
      try {
        return method(...given);
      } catch (error) {
        throw explain(error);
      }
    };
  const prepare = watched(database.prepare.bind(database));
  const watchedStatement = (sql: string): StatementSync => {
    const statement = prepare(sql);
    const iterate = statement.iterate.bind(statement);
    return Object.assign(statement, {
      run: watched(statement.run.bind(statement)),
      get: watched(statement.get.bind(statement)),
      all: watched(statement.all.bind(statement)),
      *iterate(...values: Parameters<typeof iterate>) {
        try {
          yield* iterate(...values);
        } catch (error) {
          throw explain(error);
        }
      },
    });
  };
  Object.assign(database, { prepare: watchedStatement, exec: watched(database.exec.bind(database)) });
}

function reasonOf({ cause, message }: StorageError): string {
  return cause instanceof Error ? cause.message : message;
}

function attemptTo(work: () => void): void {
  try {
    work();
  } catch {
    // The disk fails at this, too.
  }
}
