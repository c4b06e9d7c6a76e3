import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import type { ReplyDialect } from '../../../src-core/base/replyTypes.ts';

/** What a worker of `openWorkMeter` parses. */
export interface WorkRequest {
  texts: readonly string[];
  reader: ReplyDialect;
  /** Characters that are fed at a time. */
  chunk: number;
}

/** Measures the work of parsing without a clock. */
export interface WorkMeter extends AsyncDisposable {
  /**
   * How often blocks of src-core/protocols ran, as V8 counts them (loop bodies, branches, functions), plus the characters that
   * methods of strings and regular expressions passed over, for all texts together. Measures one list at a time.
   */
  measure(texts: readonly string[], reader: ReplyDialect, chunk?: number): Promise<number>;
}

/** Starts a thread of its own: only there do counts and spies cost anything. */
export function openWorkMeter(): WorkMeter {
  const worker = new Worker(new URL('./workWorker.ts', import.meta.url));
  return {
    async measure(texts, reader, chunk = Infinity) {
      worker.postMessage({ texts, reader, chunk } satisfies WorkRequest);
      const [work] = (await once(worker, 'message')) as [number];
      return work;
    },
    async [Symbol.asyncDispose]() {
      await worker.terminate();
    },
  };
}
