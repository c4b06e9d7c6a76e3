import type { ExecutionOptions, FinishedToolCall, ToolCallRecord } from '../../../src-core/engine/executionOptions.ts';
import { executeSingleRequest } from '../../../src-core/engine/executor.ts';
import type { ParsedToolRequest, ToolCallRequest, ToolExecutionResult } from '../../../src-core/base/calls.ts';
import { createToolRegistryManager, type ToolRegistryManager } from '../../../src-core/registry/toolRegistryManager.ts';
import type { ToolOutput, ToolRegistry } from '../../../src-core/registry/types.ts';
import { makeTool, type TestMethod } from '../registry/testTool.ts';

export interface Execution {
  toolRegistryManager: ToolRegistryManager;
  options: ExecutionOptions;
  started: ToolCallRecord[];
  ended: FinishedToolCall[];
  errors: string[];
  execute(request: ToolCallRequest, options?: Partial<ExecutionOptions>): Promise<ToolExecutionResult>;
}

/** An executor's surroundings with one tool, `lab`, and what its hooks told. Call ids are c1, c2 … */
export function setUp(methods: TestMethod[], ...others: ToolRegistry[]): Execution {
  const toolRegistryManager = createToolRegistryManager();
  for (const tool of [makeTool('lab', methods), ...others]) toolRegistryManager.register(tool);
  const started: ToolCallRecord[] = [];
  const ended: FinishedToolCall[] = [];
  const errors: string[] = [];
  let calls = 0;
  const options: ExecutionOptions = {
    toolRegistryManager,
    caller: 'model',
    newId: () => `c${(calls += 1)}`,
    onCallStart: (call) => started.push(call),
    onCallEnd: (call) => ended.push(call),
    onError: (error, where) => errors.push(`${where}: ${String(error)}`),
  };
  const execute: Execution['execute'] = (request, more) => executeSingleRequest(request, { ...options, ...more });
  return { toolRegistryManager, options, started, ended, errors, execute };
}

/** A request as a protocol reads it. */
export function request(toolName: string, args: Record<string, string> = {}, requestId = 'r1'): ParsedToolRequest {
  return { requestId, toolName, args, rawBlock: `<${toolName}>` };
}

/** A tool whose answers are whole outputs: blocks, errors, or none at all. */
export function outputTool(id: string, output: () => unknown, queued = false): ToolRegistry {
  return { ...makeTool(id, [{ name: 'get' }]), queued, invoke: async () => output() as ToolOutput };
}

/** A promise with its ends. */
export function deferred<T = void>(): PromiseWithResolvers<T> {
  return Promise.withResolvers<T>();
}
