import type { ToolCallRequest, ToolExecutionResult } from '../registry/calls.ts';
import { defaultToolCallConfig } from '../registry/calls.ts';
import { ToolError } from '../base/errors.ts';
import { createCheckAllowance, readArgumentsFully, settleArguments } from '../schema/checkFully.ts';
import { createTurns } from '../base/createTurns.ts';
import { reportError } from '../base/reportError.ts';
import { takeInHand, type CallInHand } from './callInHand.ts';
import { checkCall, type CheckedCall } from './checkCall.ts';
import { confirmCall } from './confirmCall.ts';
import type { ExecutionOptions, FinishedToolCall, PendingCall } from './executionOptions.ts';
import { expandSerialCalls } from './expandSerialCalls.ts';
import { invokeMethod } from './invokeMethod.ts';
import { methodIdentity } from './methodIdentity.ts';
import { checkedSchema, sourceOf } from './prepareCall.ts';
import { cancelledError, toFailure, type CallOutcome } from './toFailure.ts';
import { toOutcome } from './toOutcome.ts';

/** Calls that run at once if `parallelExecution` is set. */
const maximumParallel = 32;

/**
 * Executes requests and returns their results in the order of the requests: one after the other, or at once if
 * `config.parallelExecution` is set (the calls of one serial block stay in order). Never rejects: a failure is a result
 * of status `error`, and cancelling makes every call that has not ended `cancelled`. All checks share one time
 * allowance.
 */
export async function executeToolRequests(
  requests: readonly ToolCallRequest[],
  { checkAllowance = createCheckAllowance(), ...others }: ExecutionOptions,
): Promise<ToolExecutionResult[]> {
  const options = { ...others, checkAllowance };
  const results = requests.map((): ToolExecutionResult[] => []);
  const waiting = requests.entries();
  const { parallelExecution } = { ...defaultToolCallConfig, ...options.config };

  const rest = createTurns();

  async function work(): Promise<void> {
    for (const [at, request] of waiting) {
      for (const call of expandSerialCalls(request)) {
        results[at]?.push(await executeSingleRequest(call, options));
        await rest(1);
      }
    }
  }
  // All workers draw from one iterator, so that each request is taken once.
  await Promise.all(Array.from({ length: parallelExecution ? maximumParallel : 1 }, work));
  return results.flat();
}

/**
 * Executes one request: confirm, route, check that the caller may, convert and validate the arguments, run with
 * time-out and cancellation. Never rejects. All calls, whoever makes them, come through here.
 */
export async function executeSingleRequest(
  request: ToolCallRequest,
  options: ExecutionOptions,
): Promise<ToolExecutionResult> {
  const call = takeInHand(request, options);
  let outcome: CallOutcome;
  try {
    throwIfCancelled(options);
    if (call.prepared.converted?.isTooMuchWork === true) await settle(call);
    const always = options.config?.requireConfirmation ?? defaultToolCallConfig.requireConfirmation;
    if (always) await confirm(call);
    let checked = checkCall(call);
    if (call.danger !== undefined && !always) {
      await confirm(call);
      checked = checkCall(call);
    }
    throwIfGone(call, checked);
    outcome = await toOutcome(await invokeMethod(call, checked), call, checked);
  } catch (error) {
    outcome = toFailure(error);
  }
  return endCall(call, outcome);
}

function throwIfCancelled({ signal }: ExecutionOptions): void {
  if (signal?.aborted === true) throw new ToolError('cancelled', 'The call was cancelled.');
}

/** Finishes the check of arguments that took too long for this thread. */
async function settle(call: CallInHand): Promise<void> {
  const { prepared, record, options } = call;
  if (prepared.error !== undefined) return;
  const { target, converted } = prepared;
  const { given: args } = converted;
  const inputSchema = checkedSchema(target.method, options);
  const source = sourceOf(call.request);
  const settled = await settleArguments(converted, { args, inputSchema, source }, options);
  throwIfCancelled(options);
  call.prepared = { target, converted: settled };
  record.args = settled.args;
}

/** Asks for the call, and takes the arguments that whoever confirms it wants instead. */
async function confirm(call: CallInHand): Promise<void> {
  const { request, options, prepared, record } = call;
  const args = await confirmCall({ request, pending: toPending(call), onBeforeExecute: options.onBeforeExecute });
  if (args === undefined || prepared.target === undefined) return;
  const { target } = prepared;
  const inputSchema = checkedSchema(target.method, options);
  const converted = await readArgumentsFully({ args, inputSchema, source: 'json' }, options);
  call.prepared = { target, converted };
  record.args = converted.args;
}

function toPending({ record, prepared, danger, options }: CallInHand): PendingCall {
  const { callId, caller, toolId, methodName, args } = record;
  return {
    callId,
    caller,
    args,
    identity: prepared.target === undefined ? '' : methodIdentity(prepared.target),
    ...(toolId !== undefined && { toolId }),
    ...(methodName !== undefined && { methodName }),
    ...(danger !== undefined && { danger }),
    signal: options.signal ?? new AbortController().signal,
  };
}

/** The tool may have been removed while the user was asked. */
function throwIfGone({ options }: CallInHand, { target: { registry } }: CheckedCall): void {
  if (options.toolRegistryManager.getTool(registry.id) === registry) return;
  throw new ToolError('disconnected', `The tool "${registry.id}" left before the call went out.`);
}

function endCall(call: CallInHand, outcome: CallOutcome): ToolExecutionResult {
  const { record, options } = call;
  const durationMs = durationOf(call);
  const { requestId, toolName } = record;
  const { error } = outcome;
  const finalOutcome =
    error?.code === 'cancelled'
      ? toFailure(cancelledError(error.message, { mayHaveRun: call.wentOutAt !== undefined }))
      : outcome;
  const result: ToolExecutionResult = { ...finalOutcome, requestId, toolName, durationMs };
  if (options.onCallEnd !== undefined) reportEnd({ ...record, result }, options);
  return result;
}

function durationOf({ wentOutAt, timedMs }: CallInHand): number {
  if (wentOutAt === undefined) return 0;
  return Math.round((timedMs ?? performance.now() - wentOutAt) * 1_000) / 1_000;
}

function reportEnd(call: FinishedToolCall, { onCallEnd, onError = reportError }: ExecutionOptions): void {
  try {
    onCallEnd?.(call);
  } catch (error) {
    onError(error, 'the hook onCallEnd');
  }
}
