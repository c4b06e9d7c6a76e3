/** The process that does work whose size others decide (`base/workPool.ts`). */

import { fileURLToPath } from 'node:url';

import { readFileWork, writeEntriesWork } from './features/chat/chatFileWork.ts';
import { replyTextWork } from './features/chat/readText.ts';
import { resultWork } from './features/collections/resultReader.ts';
import { readingWork } from './protocols/readReplyFully.ts';
import { argumentsWork, outputWork } from './schema/checkFully.ts';
import { describeThrown } from './base/describeThrown.ts';
import { createWorkBudget, processorMs, TooMuchWorkError } from './base/workBudget.ts';
import type { AskedProgram, AskedWork, WorkMessage, WorkReply } from './base/workChild.ts';
import type { Work } from './base/workProcess.ts';

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

/** The port of a utility process of Electron. A child process of Node has none. */
interface ParentPort {
  on(event: 'message', listener: (event: { data: AskedWork | AskedProgram }) => void): void;
  postMessage(message: WorkMessage): void;
}
const { parentPort } = process as { parentPort?: ParentPort };

function send(message: WorkMessage): void {
  if (parentPort !== undefined) parentPort.postMessage(message);
  else process.send?.(message);
}

/** The conformance suite of MCP: a program of its own, which ends the process. */
const suite = new URL(
  import.meta.url.endsWith('.ts')
    ? '../node_modules/@modelcontextprotocol/conformance/dist/index.js'
    : './conformance/index.js',
  import.meta.url,
);

async function run({ args }: AskedProgram): Promise<void> {
  process.argv = [process.execPath, fileURLToPath(suite), ...args];
  await import(/* @vite-ignore */ suite.href);
}

function answer(asked: AskedWork | AskedProgram): void {
  if ('program' in asked) return void run(asked);
  send({ isTaken: true });
  send(reply(asked));
}

if (parentPort !== undefined) parentPort.on('message', ({ data }) => answer(data));
else process.on('message', (asked: AskedWork | AskedProgram) => answer(asked));
// Ctrl+C in a terminal reaches all processes of a program. The one that has started this one decides what ends.
process.on('SIGINT', () => undefined);
