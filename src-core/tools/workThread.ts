import { Worker } from 'node:worker_threads';

import { describeThrown } from './describeThrown.ts';
import { TooMuchWorkError, type WorkBudget } from './workBudget.ts';

const entry = new URL(import.meta.url.endsWith('.ts') ? '../worker.ts' : './worker.js', import.meta.url);

/** MB of values that a thread may hold unless set. */
const usualHeapMb = 512;
/** A thread is ended after this many times its limit, and not before `minWallMs`, also if the machine is too busy to run it. */
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

/** What one question may cost. */
export interface WorkLimits {
  /** Milliseconds of the thread's processor time. */
  limitMs: number;
  /** Ends the thread. */
  signal?: AbortSignal | undefined;
}

/** What a thread starts with. */
export interface WorkStart {
  name: string;
  input: unknown;
}

/** A message to a thread. */
export interface AskedWork {
  question: unknown;
  limitMs: number;
}

/** What a thread replies; `usedMs` is processor time. */
export type WorkReply = { usedMs: number } & ({ answer: unknown } | { error: string; isTooMuch: boolean });

/** A thread that has opened one input. */
export interface WorkThread<Question, Answer> {
  /** Milliseconds of processor time that the questions have taken. */
  readonly usedMs: number;
  /**
   * Answers one question; ask the next one after it. Rejects with a `TooMuchWorkError` if time or memory run out, with
   * the signal's reason, or with what went wrong. The thread has ended after an abort and if its memory ran out.
   */
  ask(question: Question, limits: WorkLimits): Promise<Answer>;
  close(): void;
}

/** Starts a thread for one input. */
export function startWork<Input, Question, Answer>(
  { name }: Work<Input, Question, Answer>,
  input: Input,
  { heapMb = usualHeapMb }: { heapMb?: number } = {},
): WorkThread<Question, Answer> {
  const resourceLimits = { maxOldGenerationSizeMb: heapMb };
  const workerData: WorkStart = { name, input };
  const worker = new Worker(entry, { workerData, env: {}, argv: [], execArgv: [], name, resourceLimits });
  let waiting: PromiseWithResolvers<WorkReply> | undefined;
  let ended: Error | undefined;
  let usedMs = 0;
  function end(reason: unknown): void {
    ended ??= reason instanceof Error ? reason : new Error(describeThrown(reason));
    waiting?.reject(ended);
    void worker.terminate();
  }
  worker.on('message', (reply: WorkReply) => waiting?.resolve(reply));
  worker.on('error', (error) => end(reasonOf(error, heapMb)));
  worker.on('exit', () => end(new Error('The thread has ended.')));

  return {
    get usedMs() {
      return usedMs;
    },
    async ask(question, { limitMs, signal }) {
      if (ended !== undefined) throw ended;
      signal?.throwIfAborted();
      waiting = Promise.withResolvers<WorkReply>();
      const wallMs = Math.max(minWallMs, limitMs * wallFactor);
      const timer = setTimeout(() => end(new TooMuchWorkError(`it takes more than ${wallMs / 1_000} s`)), wallMs);
      const abort = (): void => end(signal?.reason);
      signal?.addEventListener('abort', abort, { once: true });
      try {
        worker.postMessage({ question, limitMs } satisfies AskedWork);
        const reply = await waiting.promise;
        usedMs += reply.usedMs;
        if ('answer' in reply) return reply.answer as Answer;
        throw reply.isTooMuch ? new TooMuchWorkError(reply.error) : new Error(reply.error);
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        waiting = undefined;
      }
    },
    close: () => void worker.terminate(),
  };
}

/** Answers one question in a thread of its own, which ends with it. Rejects as `ask` does. */
export async function runWork<Question, Answer>(
  work: Work<undefined, Question, Answer>,
  question: Question,
  limits: WorkLimits,
): Promise<Answer> {
  limits.signal?.throwIfAborted();
  const thread = startWork(work, undefined);
  try {
    return await thread.ask(question, limits);
  } finally {
    thread.close();
  }
}

function reasonOf(error: unknown, heapMb: number): Error {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory
    ? new TooMuchWorkError(`it takes more than ${heapMb} MB of memory`)
    : new Error(describeThrown(error), { cause: error });
}
