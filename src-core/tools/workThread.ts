import { Worker } from 'node:worker_threads';

import { describeThrown } from './describeThrown.ts';
import { TooMuchWorkError, type WorkBudget } from './workBudget.ts';

const entry = new URL(import.meta.url.endsWith('.ts') ? '../worker.ts' : './worker.js', import.meta.url);

/** A thread is ended after this many times the limit of its work, and not before `minWallMs`, also on a busy machine. */
const wallFactor = 5;
const minWallMs = 10_000;

/** A kind of work that threads do. `worker.ts` lists all of them. */
export interface Work<Input, Question, Answer> {
  readonly name: string;
  /**
   * Opens an input, and returns what answers questions about it. Questions and answers are copied as by
   * `structuredClone`, which loses exact numbers: values that may have some cross as JSON text.
   */
  readonly open: (input: Input) => (question: Question, budget: WorkBudget) => Answer;
}

/** A message to a thread. `limitMs` is processor time. */
export interface AskedWork {
  name: string;
  /** Identifies the input. A thread keeps the input that it opened last, which `input` then need not repeat. */
  key?: number | undefined;
  input?: unknown;
  question: unknown;
  limitMs: number;
}

/** What a thread replies; `usedMs` is processor time. If `isTooMuch` is set, work was stopped; an answer may still say so. */
export type WorkReply = { usedMs: number; isTooMuch: boolean } & ({ answer: unknown } | { error: string });

/** What a thread sends: that it takes the work, then its reply. */
export type ThreadMessage = { isTaken: true } | WorkReply;

/** A thread that does one piece of work after another. */
export interface WorkThread {
  /** Whether it may be asked: it does not work, and has not ended. */
  readonly isIdle: boolean;
  /** The input that it has open. */
  readonly key: number | undefined;
  /** Sends a piece of work to an idle thread. Rejects with the reason if the thread ends before it replies. */
  ask(asked: AskedWork): Promise<WorkReply>;
  end(reason: Error): void;
}

/** What a thread may take. */
export interface ThreadOptions {
  /** MB of values that it may hold. */
  heapMb: number;
  /** It ends after so many ms without work, and does not keep the process running meanwhile. */
  idleMs: number;
  /** Called when it no longer runs. */
  onExit: () => void;
}

/** Starts a thread. It ends if work takes more than it may, also if the work was stopped in time. */
export function startThread({ heapMb, idleMs, onExit }: ThreadOptions): WorkThread {
  const resourceLimits = { maxOldGenerationSizeMb: heapMb };
  const worker = new Worker(entry, { env: {}, argv: [], execArgv: [], name: 'work', resourceLimits });
  let asking: { reply: PromiseWithResolvers<WorkReply>; asked: AskedWork } | undefined;
  let key: number | undefined;
  let ended: Error | undefined;
  let timer: NodeJS.Timeout | undefined;

  function end(reason: Error): void {
    clearTimeout(timer);
    ended ??= reason;
    asking?.reply.reject(ended);
    void worker.terminate();
  }

  /** Neither the start of the thread nor the wait for it counts. */
  function limitWallTime({ limitMs }: AskedWork): void {
    const wallMs = Math.max(minWallMs, limitMs * wallFactor);
    timer = setTimeout(() => end(new TooMuchWorkError(`it takes more than ${wallMs / 1_000} s`)), wallMs);
  }

  worker.on('message', (message: ThreadMessage) => {
    clearTimeout(timer);
    if (asking === undefined || ended !== undefined) return;
    const { asked, reply } = asking;
    if ('isTaken' in message) return limitWallTime(asked);
    asking = undefined;
    reply.resolve(message);
    if (message.isTooMuch) return end(hasEnded());
    key = 'answer' in message ? asked.key : undefined;
    timer = setTimeout(() => end(hasEnded()), idleMs).unref();
    worker.unref();
  });
  worker.on('error', (error) => end(reasonOf(error, heapMb)));
  worker.on('exit', () => {
    end(hasEnded());
    onExit();
  });

  return {
    get isIdle() {
      return ended === undefined && asking === undefined;
    },
    get key() {
      return key;
    },
    ask(asked) {
      clearTimeout(timer);
      const reply = Promise.withResolvers<WorkReply>();
      asking = { asked, reply };
      worker.ref();
      worker.postMessage(asked);
      return reply.promise;
    },
    end,
  };
}

function hasEnded(): Error {
  return new Error('The thread has ended.');
}

function reasonOf(error: unknown, heapMb: number): Error {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory
    ? new TooMuchWorkError(`it takes more than ${heapMb} MB of memory`)
    : new Error(describeThrown(error), { cause: error });
}
