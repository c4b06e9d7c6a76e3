import type { ToolExecutionResult } from '../../registry/calls.ts';
import { parseExactly } from '../../base/exactNumber.ts';
import type { ExactJson } from './exactJson.ts';

/**
 * A result as JSON paths and schemas see it: the value its text is the JSON of, or else the text. Of a key that comes
 * twice, as boards write it, the last counts, as for every reader of JSON.
 */
export function resultValue({ result }: Pick<ToolExecutionResult, 'result'>): ExactJson {
  try {
    return parseExactly(result);
  } catch {
    return result; // Most tools answer in words.
  }
}
