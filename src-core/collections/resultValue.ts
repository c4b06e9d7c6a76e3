import type { ToolExecutionResult } from '../tools/calls.ts';
import { parseExact, type ExactJson } from './exactJson.ts';

/** A result as JSON paths and schemas see it: the value its text is the JSON of, or else the text. */
export function resultValue({ result }: Pick<ToolExecutionResult, 'result'>): ExactJson {
  try {
    return parseExact(result);
  } catch {
    return result; // Most tools answer in words.
  }
}
