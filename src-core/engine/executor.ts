import type { ToolCallRequest, ToolExecutionResult } from '../tools/calls.ts';
import { defaultToolCallConfig } from '../tools/calls.ts';
import { reportError } from '../tools/reportError.ts';
import type { ExecutionOptions, FinishedToolCall, ToolCallRecord } from './executionOptions.ts';
import { expandSerialCalls } from './expandSerialCalls.ts';
import { newCallId } from './newCallId.ts';
import { prepareCall } from './prepareCall.ts';
import { resolveTimeout } from './resolveTimeout.ts';
import { runCall } from './runCall.ts';
import { toFailure, type CallOutcome } from './toFailure.ts';

/** Calls that run at once where `parallelExecution` is set. */
const maximumParallel = 32;

/**
 * Executes requests and gives their results in the order of the requests: one after the other, or at once where
 * `config.parallelExecution` is set (the calls of one serial block stay in order). Never rejects: whatever goes wrong is
 * a result of status `error`, and cancelling makes everything that has not ended `cancelled`. Seed 001 §4.5.
 */
export async function executeToolRequests(
  requests: readonly ToolCallRequest[],
  options: ExecutionOptions,
): Promise<ToolExecutionResult[]> {
  const results = requests.map((): ToolExecutionResult[] => []);
  const waiting = requests.entries();
  const { parallelExecution } = { ...defaultToolCallConfig, ...options.config };

  async function work(): Promise<void> {
    for (const [at, request] of waiting) {
      for (const call of expandSerialCalls(request)) results[at]?.push(await executeSingleRequest(call, options));
    }
  }
  // All workers draw from one iterator, so that each request is taken once.
  await Promise.all(Array.from({ length: parallelExecution ? maximumParallel : 1 }, work));
  return results.flat();
}

/**
 * Executes one request: confirm, route, check that the caller may, convert and validate the arguments, run with time-out
 * and cancellation. Never rejects. All calls, whoever makes them, come through here.
 */
export async function executeSingleRequest(
  request: ToolCallRequest,
  options: ExecutionOptions,
): Promise<ToolExecutionResult> {
  const callId = (options.newId ?? newCallId)();
  const prepared = prepareCall({ toolRegistryManager: options.toolRegistryManager, request });
  const { registry, method, qualifiedName = request.toolName } = prepared.target ?? {};
  const record: ToolCallRecord = {
    callId,
    requestId: request.requestId ?? callId,
    caller: options.caller,
    toolName: qualifiedName,
    args: prepared.converted?.args ?? request.args,
    startedAt: Date.now(),
    timeoutMs: resolveTimeout(qualifiedName, options),
  };
  if (registry !== undefined) record.toolId = registry.id;
  if (method !== undefined) record.methodName = method.name;
  let wentOutAt: number | undefined;
  const onWentOut = (): void => {
    wentOutAt = performance.now();
  };
  let outcome: CallOutcome;
  try {
    outcome = await runCall({ request, prepared, record, options, onWentOut });
  } catch (error) {
    outcome = toFailure(error);
  }
  const durationMs = wentOutAt === undefined ? 0 : Math.round((performance.now() - wentOutAt) * 1_000) / 1_000;
  const result: ToolExecutionResult = { requestId: record.requestId, toolName: qualifiedName, ...outcome, durationMs };
  if (options.onCallEnd !== undefined) reportEnd({ ...record, result }, options);
  return result;
}

function reportEnd(call: FinishedToolCall, { onCallEnd, onError = reportError }: ExecutionOptions): void {
  try {
    onCallEnd?.(call);
  } catch (error) {
    onError(error, 'the hook onCallEnd');
  }
}
