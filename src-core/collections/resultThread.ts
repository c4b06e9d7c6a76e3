import { Worker } from 'node:worker_threads';

import { describeThrown } from '../tools/describeThrown.ts';

const entry = new URL(import.meta.url.endsWith('.ts') ? './resultWorker.ts' : './resultWorker.js', import.meta.url);

/** MB of values that the thread may hold. */
const maxHeapMb = 512;

/** Processor time that questions may take in the thread of a result, in ms. */
export interface ReadLimits {
  each: number;
  together: number;
}

/** What the thread reads, and for how long. */
export interface ResultWork {
  text: string;
  limits: ReadLimits;
}

/** What the thread says to a question. */
export type ResultReply = { json: string } | { error: string };

/** A thread that reads one result. */
export interface ResultThread {
  /** The answer to a question, both as JSON. One question at a time. Rejects with what went wrong. */
  ask(question: string): Promise<string>;
  close(): void;
}

/** Starts a thread that reads a result. */
export function startResultThread(workerData: ResultWork): ResultThread {
  const resourceLimits = { maxOldGenerationSizeMb: maxHeapMb };
  const worker = new Worker(entry, { workerData, env: {}, argv: [], execArgv: [], name: 'result', resourceLimits });
  const ended = Promise.withResolvers<never>();
  // Nothing may be waiting when it ends.
  ended.promise.catch(() => undefined);
  worker.once('error', (error) => ended.reject(new Error(reasonOf(error))));
  worker.once('exit', () => ended.reject(new Error('The thread that checks the result has ended.')));
  return {
    async ask(question) {
      const replied = Promise.withResolvers<ResultReply>();
      const receive = (reply: ResultReply): void => replied.resolve(reply);
      worker.once('message', receive);
      try {
        worker.postMessage(question);
        const reply = await Promise.race([replied.promise, ended.promise]);
        if ('error' in reply) throw new Error(reply.error);
        return reply.json;
      } finally {
        worker.off('message', receive);
      }
    },
    close: () => void worker.terminate(),
  };
}

function reasonOf(error: unknown): string {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory ? `it takes more than ${maxHeapMb} MB of memory` : describeThrown(error);
}
