import { cloneJson } from './cloneJson.ts';
import { checkOutput, type CheckedOutput } from './checkOutput.ts';
import { parseExactly } from './exactNumber.ts';
import { isJsonObject, type JsonObject, type JsonSchema } from './json.ts';
import { readArguments, type ReadArguments, type ReadArgumentsOptions } from './readArguments.ts';
import { runWork, type Work } from './workThread.ts';

/** `readArguments`; the arguments, the schema and what was found are JSON texts. */
export const argumentsWork: Work<
  undefined,
  { args: string; schema: string; source: ReadArgumentsOptions['source'] },
  string
> = {
  name: 'arguments',
  open: () => (texts, budget) => {
    const given = parseExactly(texts.args) as JsonObject;
    const inputSchema = parseExactly(texts.schema);
    const read = readArguments({ args: given, inputSchema, source: texts.source, budget });
    const { args, issues, warnings, unchecked, allIssues } = read;
    return JSON.stringify({ args, issues, warnings, unchecked, allIssues } satisfies FoundArguments);
  },
};

/** `checkOutput`; the data, the schema and what was found are JSON texts. */
export const outputWork: Work<undefined, { structuredContent: string; schema: string }, string> = {
  name: 'output',
  open:
    () =>
    ({ structuredContent, schema }, budget) =>
      JSON.stringify(checkOutput(structuredContent, parseExactly(schema) as JsonSchema, budget)),
};

/** What a thread finds of arguments. */
type FoundArguments = Pick<ReadArguments, 'args' | 'issues' | 'warnings' | 'unchecked' | 'allIssues'>;

/** Milliseconds of processor time that a check may take in a thread: 1,000 objects of ten fields take half a second. */
const threadLimitMs = 2_000;

/** How long a check may take. */
export interface CheckLimits {
  signal?: AbortSignal | undefined;
  /** Milliseconds of processor time in the thread; 2,000 unless set. */
  limitMs?: number;
}

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
  const reply = await found<FoundArguments>(runWork(argumentsWork, { ...texts, source }, { limitMs, signal }));
  if (reply === undefined) return read;
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
  const reply = runWork(outputWork, { structuredContent, schema }, { limitMs, signal });
  return (await found<CheckedOutput>(reply)) ?? checked;
}

/** Undefined if the thread was ended before it replied. */
async function found<T>(reply: Promise<string>): Promise<T | undefined> {
  try {
    return parseExactly(await reply) as T;
  } catch {
    // Out of memory, out of time, or cancelled: the check that gave up on this thread says that nothing was checked.
    return undefined;
  }
}
