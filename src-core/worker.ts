/** The thread that does work whose size others decide (`tools/workPool.ts`). */
import { parentPort } from 'node:worker_threads';

import { readFileWork, writeEntriesWork } from './chat/chatFileWork.ts';
import { replyTextWork } from './chat/readText.ts';
import { resultWork } from './collections/resultReader.ts';
import { readingWork } from './protocols/readReplyFully.ts';
import { argumentsWork, outputWork } from './tools/checkThread.ts';
import { describeThrown } from './tools/describeThrown.ts';
import { createWorkBudget, processorMs, TooMuchWorkError } from './tools/workBudget.ts';
import type { AskedWork, ThreadMessage, Work, WorkReply } from './tools/workThread.ts';

const works = [
  argumentsWork,
  outputWork,
  readFileWork,
  readingWork,
  replyTextWork,
  resultWork,
  writeEntriesWork,
] as readonly Work<unknown, unknown, unknown>[];

/** The input that was opened last. */
let opened: { key: number | undefined; answer: ReturnType<Work<unknown, unknown, unknown>['open']> } | undefined;

function open({ name, key, input }: AskedWork): NonNullable<typeof opened> {
  if (opened !== undefined && key !== undefined && opened.key === key) return opened;
  const work = works.find((each) => each.name === name);
  if (work === undefined) throw new Error(`There is no work "${name}".`);
  opened = undefined;
  return (opened = { key, answer: work.open(input) });
}

function reply(asked: AskedWork): WorkReply {
  const start = processorMs();
  const budget = createWorkBudget(asked.limitMs);
  try {
    const answer = open(asked).answer(asked.question, budget);
    return { answer, usedMs: processorMs() - start, isTooMuch: budget.isSpent };
  } catch (error) {
    const isTooMuch = error instanceof TooMuchWorkError;
    return { error: describeThrown(error), usedMs: processorMs() - start, isTooMuch };
  }
}

function send(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}

parentPort?.on('message', (asked: AskedWork) => {
  send({ isTaken: true });
  send(reply(asked));
});
