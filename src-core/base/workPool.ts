import { TooMuchWorkError } from './workBudget.ts';
import { startNodeChild, type StartChild, type AskedWork } from './workChild.ts';
import { startProcess, type Work, type WorkProcess } from './workProcess.ts';

/** What all work of a pool together may take. */
export interface PoolLimits {
  /** Processes that run at the same time. */
  processes: number;
  /** MB of values that a process may hold. */
  heapMb: number;
  /** Pieces of work that wait for a process, and the characters of their texts. */
  waiting: number;
  waitingCharacters: number;
  /** A process without work ends after so many ms. */
  idleMs: number;
}

const usualLimits: PoolLimits = {
  processes: 2,
  heapMb: 512,
  waiting: 256,
  waitingCharacters: 32_000_000,
  idleMs: 5_000,
};

/** What related pieces of work may take together. They run one after another, so that they take one process of a pool. */
export interface WorkAllowance {
  /** Milliseconds of processor time. */
  leftMs: number;
  isRunning: boolean;
  /** Why further work is refused once nothing is left, as in `TooMuchWorkError`. */
  readonly spent: string;
}

/** What one question may cost. */
export interface WorkLimits {
  /** Milliseconds of the process's processor time. */
  limitMs: number;
  /** Removes the question from the queue, or ends its process. */
  signal?: AbortSignal | undefined;
  /** Limits the question as well, and is charged for it. */
  allowance?: WorkAllowance | undefined;
}

/** An input that questions are asked about. */
export interface OpenWork<Question, Answer> {
  /** Rejects as `run` does. */
  ask(question: Question, limits: WorkLimits): Promise<Answer>;
  /** Rejects the questions that have no answer yet. */
  close(): void;
}

/** A question that waits or runs. */
interface Job {
  asked: Omit<AskedWork, 'limitMs'>;
  limits: WorkLimits;
  characters: number;
  done: PromiseWithResolvers<unknown>;
  /** Set while it runs. */
  worker?: WorkProcess | undefined;
}

/** Starts an allowance of so many milliseconds of processor time. */
export function createWorkAllowance(limitMs: number, spent: string): WorkAllowance {
  return { leftMs: limitMs, isRunning: false, spent };
}

/** Processes for work whose size others decide. They start when there is work; one that was stopped is not used again. */
export class WorkPool {
  /** Starts the child processes: Node's unless the program that runs the pool has others. */
  startChild: StartChild = startNodeChild;
  readonly #limits: PoolLimits;
  /** Also those that were stopped and still run. */
  readonly #processes = new Set<WorkProcess>();
  readonly #waiting: Job[] = [];
  #lastKey = 0;

  constructor(limits: Partial<PoolLimits> = {}) {
    this.#limits = { ...usualLimits, ...limits };
  }

  /** Processes that work or are idle. */
  get processes(): number {
    return this.#processes.size;
  }

  /** Pieces of work that wait for a process. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Characters of the texts of what waits. */
  get waitingCharacters(): number {
    return this.#waiting.reduce((sum, { characters }) => sum + characters, 0);
  }

  /**
   * Answers one question. Rejects with a `TooMuchWorkError` if it takes too much time or memory or if too much other work
   * waits, with the signal's reason, or with the error.
   */
  async run<Question, Answer>(
    { name }: Work<undefined, Question, Answer>,
    question: Question,
    limits: WorkLimits,
  ): Promise<Answer> {
    return (await this.#ask({ name, question }, limits)) as Answer;
  }

  /**
   * Opens an input for several questions. It has a process only while one is answered: if other work had the process in
   * between, the input is sent and opened again.
   */
  open<Input, Question, Answer>({ name }: Work<Input, Question, Answer>, input: Input): OpenWork<Question, Answer> {
    const key = (this.#lastKey += 1);
    const closing = new AbortController();
    return {
      ask: async (question, limits) => {
        const signals = [closing.signal, ...(limits.signal === undefined ? [] : [limits.signal])];
        const signal = AbortSignal.any(signals);
        return (await this.#ask({ name, key, input, question }, { ...limits, signal })) as Answer;
      },
      close: () => closing.abort(new Error('The process has ended.')),
    };
  }

  async #ask(asked: Job['asked'], limits: WorkLimits): Promise<unknown> {
    const { signal } = limits;
    signal?.throwIfAborted();
    const characters = charactersOf(asked.question) + charactersOf(asked.input);
    const job: Job = { asked, limits, characters, done: Promise.withResolvers() };
    this.#waiting.push(job);
    this.#startWaiting();
    const { waiting, waitingCharacters } = this.#limits;
    const isOver = this.waiting > waiting || this.waitingCharacters > waitingCharacters;
    if (isOver && remove(this.#waiting, job)) throw new TooMuchWorkError('too much other work is waiting');
    const abort = (): void => {
      remove(this.#waiting, job);
      job.done.reject(signal?.reason);
      job.worker?.end(new Error('The process has ended.'));
    };
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await job.done.promise;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  #startWaiting(): void {
    for (const job of [...this.#waiting]) {
      const { allowance } = job.limits;
      if (allowance?.isRunning === true) continue;
      if (allowance !== undefined && allowance.leftMs < 1) {
        remove(this.#waiting, job);
        job.done.reject(new TooMuchWorkError(allowance.spent));
        continue;
      }
      const worker = this.#processFor(job.asked.key);
      if (worker === undefined) return;
      remove(this.#waiting, job);
      void this.#runOn(worker, job);
    }
  }

  /** Prefers a process that has the input open, then one that has none. */
  #processFor(key: number | undefined): WorkProcess | undefined {
    const idle = [...this.#processes].filter(({ isIdle }) => isIdle);
    const fitting = idle.find((each) => each.key === key) ?? idle.find((each) => each.key === undefined);
    return fitting ?? (this.#processes.size < this.#limits.processes ? this.#startProcess() : idle[0]);
  }

  #startProcess(): WorkProcess {
    const { heapMb, idleMs } = this.#limits;
    const onExit = (): void => {
      this.#processes.delete(worker);
      this.#startWaiting();
    };
    const worker = startProcess({ heapMb, idleMs, startChild: this.startChild, onExit });
    this.#processes.add(worker);
    return worker;
  }

  async #runOn(worker: WorkProcess, job: Job): Promise<void> {
    const { limitMs, allowance } = job.limits;
    const allowedMs = Math.ceil(Math.min(limitMs, allowance?.leftMs ?? limitMs));
    job.worker = worker;
    if (allowance !== undefined) allowance.isRunning = true;
    // If the process ends without a reply, its use is unknown.
    let usedMs = allowedMs;
    try {
      const reply = await worker.ask(messageFor(worker, job, allowedMs));
      usedMs = reply.isTooMuch ? Math.max(reply.usedMs, allowedMs) : reply.usedMs;
      if (reply.isTooMuch && allowance !== undefined && allowedMs < limitMs)
        throw new TooMuchWorkError(allowance.spent);
      if ('answer' in reply) job.done.resolve(reply.answer);
      else throw reply.isTooMuch ? new TooMuchWorkError(reply.error) : new Error(reply.error);
    } catch (error) {
      job.done.reject(error);
    } finally {
      if (allowance !== undefined) Object.assign(allowance, { isRunning: false, leftMs: allowance.leftMs - usedMs });
      job.worker = undefined;
      this.#startWaiting();
    }
  }
}

function messageFor(worker: WorkProcess, { asked }: Job, limitMs: number): AskedWork {
  const isOpen = asked.key !== undefined && asked.key === worker.key;
  return { ...asked, ...(isOpen && { input: undefined }), limitMs };
}

/** The pool of this process. */
export const workPool = new WorkPool();

/** Characters of a text, or of all texts in an object or a list. */
function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + charactersOf(each), 0);
}

function remove<T>(from: T[], item: T): boolean {
  const at = from.indexOf(item);
  if (at >= 0) from.splice(at, 1);
  return at >= 0;
}
