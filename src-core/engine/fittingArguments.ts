import { invalidArguments } from '../schema/invalidArguments.ts';
import type { JsonObject } from '../base/json.ts';
import { parseArgsJson } from '../schema/parseArgsJson.ts';
import { readArguments } from '../schema/readArguments.ts';
import type { ToolRegistryManager } from '../registry/toolRegistryManager.ts';
import { prepareCall } from './prepareCall.ts';

/** Arguments that the user wrote in place of a model's, and the call they are for. */
export interface FittingArgumentsOptions {
  argsJson: string;
  toolName: string;
  command?: string | undefined;
  toolRegistryManager: ToolRegistryManager;
}

/**
 * The arguments as values. @throws {ToolError} `invalid-arguments` if they are not a JSON object or do not match the
 * method's schema.
 */
export function fittingArguments({
  argsJson,
  toolName,
  command,
  toolRegistryManager,
}: FittingArgumentsOptions): JsonObject {
  const args = parseArgsJson(argsJson);
  const request = { toolName, ...(command !== undefined && { command }), args };
  const { target } = prepareCall({ toolRegistryManager, request });
  // A call without a method fails whatever its arguments; the executor reports that.
  if (target === undefined) return args;
  const read = readArguments({ args, inputSchema: target.method.inputSchema, source: 'json' });
  if (read.issues.length > 0) throw invalidArguments(target.qualifiedName, read);
  return args;
}
