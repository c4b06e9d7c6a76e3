import { readArgumentsFully, type CheckLimits } from '../../schema/checkFully.ts';
import { invalidArguments } from '../../schema/invalidArguments.ts';
import type { JsonObject } from '../../base/json.ts';
import { readModelArguments } from '../../schema/readModelArguments.ts';
import type { OfferedTool } from './toolCatalog.ts';

/** A model's arguments as they are sent, or why the tool does not take them. */
export interface FittedArguments {
  args: JsonObject;
  problem?: string;
  /** False if the text is not a JSON object, or one that is too large; then `args` is empty. */
  isReadable: boolean;
}

/**
 * Reads the arguments of a model's call. If they do not fit the schema as JSON, texts are read as the types that the schema
 * accepts ("50" as 50), by the rules of the text protocols. `isCut`: as `readModelArguments` takes it. Never rejects.
 */
export async function fitArguments(
  argumentsText: string,
  { name, method: { inputSchema } }: OfferedTool,
  { limits, isCut }: { limits: CheckLimits; isCut: boolean },
): Promise<FittedArguments> {
  const { args, refusal } = readModelArguments(argumentsText, { isCut });
  if (refusal !== undefined) return { args, problem: refusal.message, isReadable: false };
  const read = await readArgumentsFully({ args, inputSchema, source: 'json' }, limits);
  if (read.issues.length === 0) return { args, isReadable: true };
  const problem = invalidArguments(name, read).message;
  // As text the same values would take at least as much work.
  if (read.unchecked) return { args, problem, isReadable: true };
  const converted = await readArgumentsFully({ args, inputSchema, source: 'text' }, limits);
  if (converted.issues.length === 0) return { args: converted.args, isReadable: true };
  return { args, problem, isReadable: true };
}
