import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { cloneJson } from './cloneJson.ts';
import { checkOutput, type CheckedOutput } from './checkOutput.ts';
import { parseExactly } from './exactNumber.ts';
import { isJsonObject, type JsonSchema } from './json.ts';
import { readArguments, type ReadArguments, type ReadArgumentsOptions } from './readArguments.ts';

const entry = new URL(import.meta.url.endsWith('.ts') ? './checkWorker.ts' : './checkWorker.js', import.meta.url);

/** ms after which a thread is ended, also if the machine is too busy to run it. */
const maxWallMs = 10_000;
/** Milliseconds of processor time that a check may take in a thread: 1,000 objects of ten fields take half a second. */
const threadLimitMs = 2_000;
/** MB of values that a thread may hold. */
const maxHeapMb = 512;

/** One check: exact JSON texts, and how to read them. */
export type CheckWork = { limitMs: number; schema: string } & (
  | { kind: 'arguments'; args: string; source: ReadArgumentsOptions['source'] }
  | { kind: 'output'; structuredContent: string }
);

/** How long a check may take. */
export interface CheckLimits {
  signal?: AbortSignal | undefined;
  /** Milliseconds of processor time in the thread; 2,000 unless set. */
  limitMs?: number;
}

/** What the thread found, as exact JSON. */
export type CheckReply =
  Pick<ReadArguments, 'args' | 'issues' | 'warnings' | 'unchecked' | 'allIssues'> | CheckedOutput;

/**
 * `readArguments`, and in a thread of its own if the check takes longer than this thread may be held. The arguments
 * stay unchecked if that takes too long, too, or if the signal aborts. Never rejects.
 */
export async function readArgumentsFully(options: ReadArgumentsOptions, limits?: CheckLimits): Promise<ReadArguments> {
  return settleArguments(readArguments(options), options, limits);
}

/** What `readArgumentsFully` does for arguments that were read already. */
export async function settleArguments(
  read: ReadArguments,
  { args, inputSchema, source }: ReadArgumentsOptions,
  { signal, limitMs = threadLimitMs }: CheckLimits = {},
): Promise<ReadArguments> {
  if (!read.isTooMuchWork) return read;
  const texts = { args: JSON.stringify(args), schema: JSON.stringify(inputSchema) };
  const reply = await ask({ kind: 'arguments', ...texts, source, limitMs }, signal);
  if (reply === undefined || !('args' in reply)) return read;
  const cloned = cloneJson(reply.args);
  if ('problem' in cloned || !isJsonObject(cloned.value)) return read;
  return { ...read, ...reply, args: cloned.value, isTooMuchWork: false };
}

/** `checkOutput`, and in a thread of its own if the check takes longer than this thread may be held. Never rejects. */
export async function checkOutputFully(
  structuredContent: string | undefined,
  outputSchema: JsonSchema,
  { signal, limitMs = threadLimitMs }: CheckLimits = {},
): Promise<CheckedOutput> {
  const checked = checkOutput(structuredContent, outputSchema);
  if (checked.isTooMuchWork !== true || structuredContent === undefined) return checked;
  const schema = JSON.stringify(outputSchema);
  const reply = await ask({ kind: 'output', structuredContent, schema, limitMs }, signal);
  return reply === undefined || 'args' in reply ? checked : reply;
}

/** Undefined if the thread was ended before it replied. */
async function ask(work: CheckWork, signal?: AbortSignal): Promise<CheckReply | undefined> {
  const resourceLimits = { maxOldGenerationSizeMb: maxHeapMb };
  const worker = new Worker(entry, {
    workerData: work,
    env: {},
    argv: [],
    execArgv: [],
    name: 'check',
    resourceLimits,
  });
  const timeout = AbortSignal.timeout(maxWallMs);
  const stop = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  try {
    // `once` rejects if the thread fails, and when it is to stop.
    const [reply] = (await once(worker, 'message', { signal: stop })) as [string];
    return parseExactly(reply) as unknown as CheckReply;
  } catch {
    // Out of memory, out of time, or cancelled: the check that gave up on this thread says that nothing was checked.
    return undefined;
  } finally {
    await worker.terminate();
  }
}
