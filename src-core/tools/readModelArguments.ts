import { ToolError } from './errors.ts';
import type { JsonObject } from './json.ts';
import { maxForeignValues, measureJson } from './measureJson.ts';
import { parseArgsJson } from './parseArgsJson.ts';

/** The arguments of a model's native call, or why it cannot be made. Then `args` is empty. */
export interface ModelArguments {
  args: JsonObject;
  refusal?: ToolError;
}

/** Reads the arguments that a model wrote. They must be a JSON object with at most `maxForeignValues` values. */
export function readModelArguments(text: string): ModelArguments {
  try {
    const args = parseArgsJson(text);
    if (measureJson(args, maxForeignValues) <= maxForeignValues) return { args };
    return { args: {}, refusal: tooManyValues() };
  } catch (error) {
    if (error instanceof ToolError) return { args: {}, refusal: error };
    throw error;
  }
}

function tooManyValues(): ToolError {
  const message = `The arguments have more than ${maxForeignValues} values. Send fewer of them.`;
  return new ToolError('invalid-arguments', message, { issues: [{ path: '', parameter: '', message }] });
}
