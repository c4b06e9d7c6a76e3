import type { ExecutionOptions } from '../engine/executionOptions.ts';
import { executeSingleRequest } from '../engine/executor.ts';
import type { ToolExecutionResult } from '../base/calls.ts';
import { ToolError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { parseArgsJson } from '../schema/parseArgsJson.ts';
import type { ToolRegistryManager } from '../registry/toolRegistryManager.ts';
import type { ConvertedCallOptions } from './convertibleTool.ts';

/** How the calls of converted tools are executed: limits, hooks, what asks first. */
export type ConverterExecution = Omit<ExecutionOptions, 'toolRegistryManager' | 'caller' | 'signal' | 'shownName'>;

/** Runs one call of a framework through the executor, as a model's. Never rejects. */
export async function runConverted(
  target: {
    toolRegistryManager: ToolRegistryManager;
    toolName: string;
    /** The name that the model knows, for errors. */
    wireName: string;
    execution: ConverterExecution;
  },
  input: unknown,
  { signal, callId }: ConvertedCallOptions,
): Promise<ToolExecutionResult> {
  const { toolRegistryManager, toolName, wireName: shownName, execution } = target;
  let args: JsonObject;
  try {
    args = readInput(input);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return {
      requestId: callId ?? '',
      toolName,
      status: 'error',
      result: error.message,
      durationMs: 0,
      error: error.info,
    };
  }
  const request = { toolName, args, ...(callId !== undefined && { requestId: callId }) };
  return executeSingleRequest(request, { ...execution, toolRegistryManager, caller: 'model', signal, shownName });
}

/** Frameworks pass on whatever the model wrote, so that it can be no object at all. */
function readInput(input: unknown): JsonObject {
  return parseArgsJson(typeof input === 'string' ? input : JSON.stringify(input ?? {}));
}
