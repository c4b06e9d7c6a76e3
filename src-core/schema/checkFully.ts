import { cloneJson } from '../base/cloneJson.ts';
import { checkOutput, type CheckedOutput } from './checkOutput.ts';
import { describeThrown } from '../base/describeThrown.ts';
import { parseExactly } from '../base/exactNumber.ts';
import { isJsonObject, type JsonObject, type JsonSchema } from '../base/json.ts';
import { readArguments, type ReadArguments, type ReadArgumentsOptions } from './readArguments.ts';
import { spentBudget } from '../base/workBudget.ts';
import { createWorkAllowance, workPool, type WorkAllowance, type WorkLimits } from '../base/workPool.ts';
import type { Work } from '../base/workProcess.ts';

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

/** What a process finds of arguments. */
type FoundArguments = Pick<ReadArguments, 'args' | 'issues' | 'warnings' | 'unchecked' | 'allIssues'>;

/** Milliseconds of processor time that a check may take in a process of the pool: 1,000 objects of ten fields take half a second. */
const processLimitMs = 2_000;
/** Milliseconds of processor time that the checks of one turn may take in processes of the pool. */
const turnLimitMs = 5_000;

/** How long a check may take. */
export interface CheckLimits {
  signal?: AbortSignal | undefined;
  /** Milliseconds of processor time of the process; 2,000 unless set. */
  limitMs?: number;
  /** Shared by the checks of one turn. */
  checkAllowance?: WorkAllowance | undefined;
}

/** What the checks of all calls that a model makes at once may take in processes of the pool, together. */
export function createCheckAllowance(limitMs = turnLimitMs): WorkAllowance {
  const spent = `the checks of this turn take more than ${limitMs / 1_000} s of processor time together`;
  return createWorkAllowance(limitMs, spent);
}

/**
 * `readArguments`, and in a process of the pool if the check takes longer than this thread may be held. The arguments stay unchecked,
 * with the reason, if that takes too long, too, or if the signal aborts. Never rejects.
 */
export async function readArgumentsFully(options: ReadArgumentsOptions, limits?: CheckLimits): Promise<ReadArguments> {
  return settleArguments(readArguments(options), options, limits);
}

/** What `readArgumentsFully` does for arguments that were read already. */
export async function settleArguments(
  read: ReadArguments,
  { args, inputSchema, source }: ReadArgumentsOptions,
  limits: CheckLimits = {},
): Promise<ReadArguments> {
  if (!read.isTooMuchWork) return read;
  const texts = { args: JSON.stringify(args), schema: JSON.stringify(inputSchema) };
  const found = await find<FoundArguments>(workPool.run(argumentsWork, { ...texts, source }, workLimits(limits)));
  if ('reason' in found) return readArguments({ args, inputSchema, source, budget: spentBudget(found.reason) });
  const cloned = cloneJson(found.answer.args);
  if ('problem' in cloned || !isJsonObject(cloned.value)) return read;
  return { ...read, ...found.answer, args: cloned.value, isTooMuchWork: false };
}

/** `checkOutput`, and in a process of the pool if the check takes longer than this thread may be held. Never rejects. */
export async function checkOutputFully(
  structuredContent: string | undefined,
  outputSchema: JsonSchema,
  limits: CheckLimits = {},
): Promise<CheckedOutput> {
  const checked = checkOutput(structuredContent, outputSchema);
  if (checked.isTooMuchWork !== true || structuredContent === undefined) return checked;
  const schema = JSON.stringify(outputSchema);
  const found = await find<CheckedOutput>(workPool.run(outputWork, { structuredContent, schema }, workLimits(limits)));
  if ('answer' in found) return found.answer;
  return checkOutput(structuredContent, outputSchema, spentBudget(found.reason));
}

function workLimits({ signal, limitMs = processLimitMs, checkAllowance }: CheckLimits): WorkLimits {
  return { limitMs, signal, allowance: checkAllowance };
}

/** What a process found, or why it found nothing: out of time or memory, or cancelled. */
async function find<T>(reply: Promise<string>): Promise<{ answer: T } | { reason: string }> {
  try {
    return { answer: parseExactly(await reply) as T };
  } catch (error) {
    return { reason: describeThrown(error) };
  }
}
