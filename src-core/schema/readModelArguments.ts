import { ToolError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { maxForeignValues, measureJson } from '../base/measureJson.ts';
import { parseArgsJson } from './parseArgsJson.ts';

/** The arguments of a model's native call, or why it cannot be made. Then `args` is empty. */
export interface ModelArguments {
  args: JsonObject;
  refusal?: ToolError;
}

/**
 * Reads the arguments that a model wrote. They must be a JSON object with at most `maxForeignValues` values. `isCut`: the
 * reply was cut at its limit of tokens, and this is its last call. Empty arguments are then refused, too: they may not have
 * begun.
 */
export function readModelArguments(text: string, { isCut = false }: { isCut?: boolean } = {}): ModelArguments {
  try {
    const args = parseArgsJson(text);
    if (isCut && Object.keys(args).length === 0) return { args, refusal: cutAtTokenLimit() };
    if (measureJson(args, maxForeignValues) <= maxForeignValues) return { args };
    return { args: {}, refusal: tooManyValues() };
  } catch (error) {
    if (error instanceof ToolError) return { args: {}, refusal: isCut ? cutAtTokenLimit() : error };
    throw error;
  }
}

function tooManyValues(): ToolError {
  return refusal(`The arguments have more than ${maxForeignValues} values. Send fewer of them.`);
}

function cutAtTokenLimit(): ToolError {
  return refusal(
    "The model's answer was cut at its limit of tokens, so this call is incomplete and was not run. Make the call with shorter arguments, or raise the limit of tokens.",
    { finishReason: 'length' },
  );
}

function refusal(message: string, details?: JsonObject): ToolError {
  const issues = [{ path: '', parameter: '', message }];
  return new ToolError('invalid-arguments', message, { issues, ...(details && { details }) });
}
