import { rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { Clock } from '../base/clock.ts';
import { suspectSuffix } from './damage.ts';
import { refusalUntilRestart, StorageError, storageErrorOf } from './storageError.ts';
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
  const onChange = (): void => health.onChange();
  const disk = new DiskHealth({ path, clock, onChange });
  const damaged = new DamagedRows(onChange);
  const health: StorageHealth = {
    onChange: () => undefined,
    state: () => {
      const { fault } = disk;
      return {
        dir,
        ...(fault && { fault: fault.kind, reason: fault.reason }),
        ...(fault?.untilRestart === true && { untilRestart: true }),
        ...(fault?.isSolved && { isSolved: true }),
        ...(movedAside !== undefined && { movedAside }),
        unreadable: damaged.counts(),
      };
    },
    failed(error) {
      const known = storageErrorOf(error, path);
      if (known === undefined) return error;
      const { fault } = disk;
      if (fault?.untilRestart !== true) return disk.noted(known);
      return new StorageError(fault.kind, refusalUntilRestart(fault.kind, dir, fault.isSolved === true), error);
    },
    faultUntilRestart: (error) => disk.faultUntilRestart(error),
    readable: (kind, key, read) => damaged.read(kind, key, read),
    watch(database) {
      disk.watch(database);
      watchCalls(database, health.failed);
    },
    close: () => disk.close(),
  };
  return health;
}

/** Counts damaged rows. */
class DamagedRows {
  readonly #keys = new Map<UnreadableKind, Set<string | number>>();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  counts(): StorageState['unreadable'] {
    return Object.fromEntries([...this.#keys].map(([kind, keys]) => [kind, keys.size]));
  }

  read<T>(kind: UnreadableKind, key: string | number, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
      const keys = this.#keys.get(kind) ?? new Set();
      this.#keys.set(kind, keys);
      if (keys.has(key) || keys.size >= maxUnreadable) return undefined;
      keys.add(key);
      this.#onChange();
      return undefined;
    }
  }
}

/** The fault of a disk, and attempts to write until it is solved. */
class DiskHealth {
  fault: { kind: StorageFault; reason: string; untilRestart: boolean; isSolved?: true } | undefined;
  readonly #path: string;
  readonly #clock: Clock;
  readonly #onChange: () => void;
  #probe: (() => void) | undefined;
  #setPatience: (isPatient: boolean) => void = () => undefined;
  #stopTimer: (() => void) | undefined;

  constructor({ path, clock, onChange }: { path: string; clock: Clock; onChange: () => void }) {
    this.#path = path;
    this.#clock = clock;
    this.#onChange = onChange;
  }

  #set(next: DiskHealth['fault']): void {
    // While writing fails, the engine's thread does not wait for a program that keeps the database locked.
    if ((next === undefined) !== (this.fault === undefined)) this.#setPatience(next === undefined);
    const isSame =
      next?.kind === this.fault?.kind &&
      next?.untilRestart === this.fault?.untilRestart &&
      next?.isSolved === this.fault?.isSolved;
    this.fault = next;
    if (!isSame) this.#onChange();
  }

  #tryAgain(): void {
    const { fault } = this;
    if (fault === undefined || fault.isSolved || fault.kind === 'damaged') return;
    const { untilRestart } = fault;
    const work = untilRestart ? () => this.#probeDir() : this.#probe;
    const attempt = (): void => {
      this.#stopTimer = undefined;
      try {
        work?.();
        this.#set(untilRestart && this.fault !== undefined ? { ...this.fault, isSolved: true } : undefined);
      } catch {
        this.#tryAgain();
      }
    };
    if (work !== undefined) this.#stopTimer ??= this.#clock.after(probeMs, attempt);
  }

  /** Without a database that can be written, only a file shows whether the disk can be. */
  #probeDir(): void {
    const file = `${this.#path}.probe`;
    try {
      writeFileSync(file, Buffer.alloc(probeBytes), { mode: 0o600 });
    } finally {
      rmSync(file, { force: true });
    }
  }

  noted(error: StorageError): StorageError {
    // Damage is noted for the next start, which looks through the database only if it has to.
    if (error.fault === 'damaged') attemptTo(() => writeFileSync(this.#path + suspectSuffix, '', { mode: 0o600 }));
    const { fault } = this;
    const isKnown = fault !== undefined && (fault.untilRestart || fault.kind === 'damaged');
    if (!isKnown) this.#set({ kind: error.fault, reason: reasonOf(error), untilRestart: false });
    this.#tryAgain();
    return error;
  }

  faultUntilRestart(error: StorageError): void {
    this.#set({ kind: error.fault, reason: reasonOf(error), untilRestart: true });
    this.#tryAgain();
  }

  watch(database: DatabaseSync): void {
    const put = database.prepare('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)');
    const remove = database.prepare('DELETE FROM settings WHERE key = ?');
    const busyMs = Number(database.prepare('PRAGMA busy_timeout').get()?.['timeout']);
    const execute = database.exec.bind(database);
    this.#setPatience = (isPatient) => execute(`PRAGMA busy_timeout = ${isPatient ? busyMs : 0}`);
    const key = 'storage.probe';
    this.#probe = () => {
      put.run(key, 'x'.repeat(probeBytes));
      remove.run(key);
    };
  }

  close(): void {
    this.#stopTimer?.();
    this.#probe = undefined;
  }
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
