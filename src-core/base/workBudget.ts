import { Script, createContext } from 'node:vm';

/** Milliseconds of processor time that the work on one untrusted input may take on this thread. */
export const workLimitMs = 12;

/** Steps (schemas × values) that surely take less than that, however they are combined. */
export const smallWork = 5_000;

/** The work exceeded its limit of time or memory; the message states which. */
export class TooMuchWorkError extends Error {}

/** Processor time for pieces of synchronous work on one untrusted input. */
export interface WorkBudget {
  /**
   * Runs a piece of work, for at most what is left, or `mostMs` if that is less. A piece inside another one shares its
   * limit. The work may run again from its beginning, so it must not change anything outside itself.
   * @throws TooMuchWorkError
   */
  run<T>(work: () => T, mostMs?: number): T;
  /** Whether a piece of work was stopped. */
  readonly isSpent: boolean;
}

/** For work that was counted and is small. */
export const unlimitedWork: WorkBudget = { run: (work) => work(), isSpent: false };

/** A budget that is spent, for the given reason. */
export function spentBudget(reason: string): WorkBudget {
  return {
    run() {
      throw new TooMuchWorkError(reason);
    },
    isSpent: true,
  };
}

const timeoutCode = 'ERR_SCRIPT_EXECUTION_TIMEOUT';
const sandbox: { run?: () => unknown } = {};
const context = createContext(sandbox);
const script = new Script('run()');

/** The part of its limit that an attempt has used if it was not waiting for the processor. */
const usedUp = 0.8;
/** Attempts at one piece of work; each has up to twice the wall time of the one before. */
const maxAttempts = 4;
/** What all attempts together may take, as a multiple of the limit. */
const maxTogether = 2;

/**
 * Starts a budget of so many milliseconds of this thread's processor time, or at most twice as many on a machine that is
 * so busy that work is stopped early and runs again. Each piece costs about 0.1 ms more than to run
 * it directly, so count the work first and use `unlimitedWork` for what is small. `clock` returns the milliseconds of
 * processor time that the thread has used.
 */
export function createWorkBudget(limitMs: number = workLimitMs, clock: () => number = processorMs): WorkBudget {
  let left = limitMs;
  let leftTogether = limitMs * maxTogether;
  let running = false;
  let isSpent = false;
  return {
    get isSpent() {
      return isSpent;
    },
    run(work, mostMs = Infinity) {
      if (running) return work();
      running = true;
      const allowed = Math.min(left, mostMs);
      let used = 0;
      try {
        for (let attempt = 0; attempt < maxAttempts && allowed >= 1 && leftTogether >= allowed; attempt += 1) {
          // An attempt takes no more processor time than wall time.
          const wallMs = Math.min(Math.ceil(allowed) * 2 ** attempt, Math.ceil(leftTogether));
          const start = clock();
          try {
            return runFor(work, wallMs);
          } catch (error) {
            if (!isTimeout(error)) throw error;
          } finally {
            used = clock() - start;
            leftTogether -= used;
          }
          // On a busy machine the work had little of the wall time, and runs again with more of it.
          if (used >= allowed * usedUp) break;
        }
        isSpent = true;
        if (used >= allowed * usedUp) used = Math.max(used, allowed);
        throw new TooMuchWorkError(`it takes more than ${limitMs} ms of processor time`);
      } finally {
        running = false;
        // Attempts that waited are not charged.
        left -= used;
      }
    },
  };
}

/** V8 checks for the timeout in loops, in calls and in the backtracking of regular expressions. */
function runFor<T>(work: () => T, timeoutMs: number): T {
  const outer = sandbox.run;
  let result: { value: T } | undefined;
  sandbox.run = () => {
    result = { value: work() };
  };
  try {
    script.runInContext(context, { timeout: timeoutMs });
  } finally {
    if (outer === undefined) delete sandbox.run;
    else sandbox.run = outer;
  }
  if (result === undefined) throw new Error('The work ended without a result.');
  return result.value;
}

/** Milliseconds of processor time that this thread has used. */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** The error comes from the script's own realm, so it is not an instance of this realm's `Error`. */
function isTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === timeoutCode;
}
