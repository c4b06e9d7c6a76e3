import type { ToolCallRequest } from '../base/calls.ts';
import { describeThrown } from '../base/describeThrown.ts';
import { ToolError } from '../base/errors.ts';
import type { JsonSchema } from '../base/json.ts';
import { readArguments, type ArgumentSource, type ReadArguments } from '../schema/readArguments.ts';
import { resolveToolName, type ResolvedToolName } from '../registry/resolveToolName.ts';
import type { ToolRegistryManager } from '../registry/toolRegistryManager.ts';
import type { MethodMetadata } from '../base/toolTypes.ts';

/** What a request comes to before anything runs: its method and its arguments, or why it has no method. */
export type PreparedCall =
  | { target: ResolvedToolName; converted: ReadArguments; error?: undefined }
  | { target?: undefined; converted?: undefined; error: ToolError };

/** The request, and where the tool it names is looked up. */
export interface PrepareCallOptions {
  toolRegistryManager: ToolRegistryManager;
  request: ToolCallRequest;
  /** The arguments are not checked against the method's schema. */
  isUnchecked?: boolean | undefined;
}

/**
 * Finds the method of a request and converts its arguments, without running anything. The executor does just this, so
 * a preview made with it shows what would happen. Never throws; the error is one of `resolveToolName`'s, or that of a
 * method that cannot be used.
 */
export function prepareCall({ toolRegistryManager, request, isUnchecked }: PrepareCallOptions): PreparedCall {
  try {
    const target = resolveToolName({ toolRegistryManager, toolName: request.toolName, command: request.command });
    const { error } = target.method;
    if (error !== undefined) return { error: new ToolError('unusable-method', error) };
    const args = argumentsOf(request, target);
    const inputSchema = checkedSchema(target.method, { isUnchecked });
    return { target, converted: readArguments({ args, inputSchema, source: sourceOf(request) }) };
  } catch (error) {
    if (error instanceof ToolError) return { error };
    // Only a request that is not of its type gets here, from a caller that TypeScript does not check.
    return {
      error: new ToolError('invalid-name', `The request cannot be read: ${describeThrown(error)}`, { cause: error }),
    };
  }
}

/** One object, as a schema is prepared once for each object. */
const anything: JsonSchema = Object.freeze({});

/** The schema that a call's arguments are checked against; an empty one accepts everything that can be sent. */
export function checkedSchema(
  { inputSchema }: Pick<MethodMetadata, 'inputSchema'>,
  { isUnchecked = false }: { isUnchecked?: boolean | undefined },
): JsonSchema {
  return isUnchecked ? anything : inputSchema;
}

/** Whether the arguments of a request are a protocol's text or JSON. */
export function sourceOf(request: ToolCallRequest): ArgumentSource {
  return 'rawBlock' in request ? 'text' : 'json';
}

function argumentsOf({ args, command }: ToolCallRequest, target: ResolvedToolName): Record<string, unknown> {
  return target.commandIsArgument && !Object.hasOwn(args, 'command') ? { ...args, command } : args;
}
