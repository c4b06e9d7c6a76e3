/** The thread that does work whose size others decide (`tools/workThread.ts`). */
import { parentPort, workerData } from 'node:worker_threads';

import { replyTextWork } from './chat/readText.ts';
import { resultWork } from './collections/resultReader.ts';
import { readingWork } from './protocols/readReplyFully.ts';
import { argumentsWork, outputWork } from './tools/checkThread.ts';
import { describeThrown } from './tools/describeThrown.ts';
import { createWorkBudget, processorMs, TooMuchWorkError } from './tools/workBudget.ts';
import type { AskedWork, Work, WorkReply, WorkStart } from './tools/workThread.ts';

const works = [argumentsWork, outputWork, readingWork, replyTextWork, resultWork] as readonly Work<
  unknown,
  unknown,
  unknown
>[];

const { name, input } = workerData as WorkStart;
const work = works.find((each) => each.name === name);
if (work === undefined) throw new Error(`There is no work "${name}".`);
const answer = work.open(input);

function reply({ question, limitMs }: AskedWork): WorkReply {
  const start = processorMs();
  try {
    return { answer: answer(question, createWorkBudget(limitMs)), usedMs: processorMs() - start };
  } catch (error) {
    const isTooMuch = error instanceof TooMuchWorkError;
    return { error: describeThrown(error), isTooMuch, usedMs: processorMs() - start };
  }
}

parentPort?.on('message', (asked: AskedWork) => parentPort?.postMessage(reply(asked)));
