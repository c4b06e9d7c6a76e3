import { cloneJson } from '../../base/cloneJson.ts';
import { describeThrown } from '../../base/describeThrown.ts';
import { roundExact } from '../../base/exactNumber.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { parseArgsJson } from '../../schema/parseArgsJson.ts';
import type { ToolCallChunk } from '../chunks.ts';
import { realtimeLimits } from '../limits.ts';

/** The arguments that a model wrote, as `ToolCallChunk` has them, or what to tell it instead. Never throws; keys are data, `__proto__` too. */
export function readArguments(text: string): Pick<ToolCallChunk, 'arguments' | 'argumentsJson'> | { problem: string } {
  if (text.length > realtimeLimits.argumentCharacters)
    return { problem: `The arguments are more than ${realtimeLimits.argumentCharacters} characters. Write fewer.` };
  let parsed: JsonObject;
  try {
    parsed = parseArgsJson(text);
  } catch (error) {
    return { problem: describeThrown(error) };
  }
  const cloned = cloneJson(parsed);
  if ('problem' in cloned) return { problem: `The arguments cannot be used: ${cloned.problem}.` };
  // Rounded once their depth is known.
  const args = roundExact(cloned.value);
  if (!isJsonObject(args)) return { problem: 'The arguments are not an object.' };
  return { arguments: args, argumentsJson: JSON.stringify(cloned.value) };
}
