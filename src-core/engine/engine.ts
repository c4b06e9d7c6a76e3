import type { ToolCallingProtocol } from '../protocols/base.ts';
import type { ToolCallConfig, ToolCallCycleResult, ToolCaller, ToolExecutionResult } from '../base/calls.ts';
import type { ExecutionOptions } from './executionOptions.ts';
import { executeToolRequests } from './executor.ts';
import { parseToolRequests } from './parser.ts';

/** How one turn is parsed and executed: `ExecutionOptions` with a whole ToolCallConfig and a protocol. */
export interface ToolCallCycleOptions extends Omit<ExecutionOptions, 'config' | 'caller'> {
  protocol: ToolCallingProtocol;
  config: ToolCallConfig;
  /** `model` by default. */
  caller?: ToolCaller | undefined;
}

/**
 * One turn of the cycle: parse the reply, execute its calls. If `config.enabled` is false, the text is
 * not parsed. With `mode: 'manual'` the calls are parsed but not executed: the user decides whether to run them. Never
 * rejects: failures are in the results.
 */
export async function processToolCallCycle(
  assistantText: string,
  { protocol, caller = 'model', ...options }: ToolCallCycleOptions,
): Promise<ToolCallCycleResult> {
  const { enabled, mode } = options.config;
  const parsedRequests = enabled ? parseToolRequests(assistantText, protocol, options) : [];
  const run = mode === 'auto' && parsedRequests.length > 0;
  const executionResults = run ? await executeToolRequests(parsedRequests, { ...options, caller }) : [];
  return { hasToolRequests: parsedRequests.length > 0, parsedRequests, executionResults };
}

/** The text that feeds results back to the model, in the protocol's format; empty if there are none. */
export function formatResultsForContext(results: ToolExecutionResult[], protocol: ToolCallingProtocol): string {
  return results.length === 0 ? '' : protocol.formatToolResults(results);
}
