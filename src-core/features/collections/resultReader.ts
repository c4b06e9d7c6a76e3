import { keepIntegers, parseExactly } from '../../base/exactNumber.ts';
import { createWorkBudget, TooMuchWorkError, workLimitMs, type WorkBudget } from '../../base/workBudget.ts';
import { createWorkAllowance, workPool, type OpenWork } from '../../base/workPool.ts';
import type { Work } from '../../base/workProcess.ts';
import { checkSchema, type AssertedSchema, type SchemaAnswer } from './checkSchema.ts';
import { writeExact, type ExactJson } from '../../base/exactJson.ts';
import { lookUp, searchable, type Found, type Lookup, type Searchable } from './jsonPath.ts';
import { tookTooLong, type TimeBudget } from './timeBudget.ts';
import type { ToolExecutionResult } from '../../base/calls.ts';

/** Characters of a result that may be read on the engine's thread. */
const smallResult = 32_768;

/** Answers questions about one result. None holds the engine's thread for more than 12 ms. */
export interface ResultReader {
  /** Evaluates a JSON path. Rejects with what is wrong with it, or that it takes too much time or memory. */
  lookUp(lookup: Lookup): Promise<Found>;
  checkSchema(schema: AssertedSchema): Promise<SchemaAnswer>;
  close(): void;
}

/** Processor time that questions may take in the process of a result, in ms. */
export interface ReadLimits {
  each: number;
  together: number;
}

/** A path through a result of 1 MB takes 200 ms. */
const usualLimits: ReadLimits = { each: 1_000, together: 5_000 };

/** A question as it goes to the process, as JSON. */
type Question = { lookup: Lookup } | { schema: AssertedSchema };

/**
 * Opens the text of a result. Small ones are read here; large ones, and what takes long, in a process of the pool. Close it in
 * the end.
 */
export function openResult(text: string, budget: TimeBudget, limits = usualLimits): ResultReader {
  let here: ParsedResult | undefined;
  let elsewhere: OpenWork<string, string> | undefined;
  const allowance = createWorkAllowance(limits.together, tookTooLong(limits.together).message);

  async function ask(question: Question): Promise<unknown> {
    elsewhere ??= workPool.open(resultWork, text);
    const answer = elsewhere.ask(writeExact(question as never), { limitMs: limits.each, allowance });
    return parseExactly(await budget.wait(answer));
  }

  function read<T>(work: (result: ParsedResult, budget: WorkBudget) => T): T | undefined {
    if (text.length > smallResult) return undefined;
    return work((here ??= parseResult(text)), createWorkBudget(budget.left(workLimitMs)));
  }

  return {
    async lookUp(lookup) {
      try {
        const found = read((result, work) => lookUp(lookup, result.searchable, work));
        if (found !== undefined) return found;
      } catch (error) {
        if (!(error instanceof TooMuchWorkError)) throw error;
      }
      return (await ask({ lookup })) as Found;
    },
    async checkSchema(schema) {
      const found = read((result, work) => checkSchema(schema, result.text, work));
      if (found !== undefined && found.unchecked === undefined) return found;
      return (await ask({ schema })) as SchemaAnswer;
    },
    close: () => elsewhere?.close(),
  };
}

/** Opens the text of a result; a question and its answer are JSON texts. */
export const resultWork: Work<string, string, string> = {
  name: 'result',
  open(text) {
    const result = parseResult(text);
    return (question, budget) => answer(question, result, budget);
  },
};

/** A result that was read. */
interface ParsedResult {
  text: string;
  searchable: Searchable;
}

function parseResult(text: string): ParsedResult {
  return { text, searchable: searchable(resultValue({ result: text })) };
}

function answer(json: string, result: ParsedResult, budget: WorkBudget): string {
  const question = parseExactly(json) as unknown as Question;
  const found =
    'lookup' in question
      ? lookUp(question.lookup, result.searchable, budget)
      : checkSchema(keepIntegers(question.schema as never), result.text, budget);
  return writeExact(found as never);
}

/**
 * A result as JSON paths and schemas see it: the value its text is the JSON of, or else the text. Of a key that comes
 * twice, as boards write it, the last counts, as for every reader of JSON.
 */
function resultValue({ result }: Pick<ToolExecutionResult, 'result'>): ExactJson {
  try {
    return parseExactly(result);
  } catch {
    return result; // Most tools answer in words.
  }
}
