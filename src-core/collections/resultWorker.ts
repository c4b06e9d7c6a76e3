/** The thread that reads a large result, and answers what may take long. */
import { parentPort, workerData } from 'node:worker_threads';

import { describeThrown } from '../tools/describeThrown.ts';
import { createWorkBudget, processorMs } from '../tools/workBudget.ts';
import { answer, parseResult } from './resultReader.ts';
import type { ResultReply, ResultWork } from './resultThread.ts';
import { tookTooLong } from './timeBudget.ts';

const { text, limits } = workerData as ResultWork;
const result = parseResult(text);
let left = limits.together;

function reply(question: string): ResultReply {
  const start = processorMs();
  try {
    if (left < 1) throw tookTooLong(limits.together);
    return { json: answer(question, result, createWorkBudget(Math.min(limits.each, Math.ceil(left)))) };
  } catch (error) {
    return { error: describeThrown(error) };
  } finally {
    left -= processorMs() - start;
  }
}

parentPort?.on('message', (question: string) => parentPort?.postMessage(reply(question)));
