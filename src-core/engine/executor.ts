import type { ToolCallRequest, ToolExecutionResult } from '../base/calls.ts';
import { defaultToolCallConfig } from '../base/calls.ts';
import { followAbort } from '../base/followAbort.ts';
import { ToolError } from '../base/errors.ts';
import { createCheckAllowance, readArgumentsFully, settleArguments, checkOutputFully } from '../schema/checkFully.ts';
import { createTurns } from '../base/createTurns.ts';
import { maximumDelay, systemClock } from '../base/clock.ts';
import { reportError } from '../base/reportError.ts';
import { changedError, confirmCall } from './confirmCall.ts';
import type { ExecutionOptions, FinishedToolCall, PendingCall, ToolCallRecord } from './executionOptions.ts';
import { expandSerialCalls } from './expandSerialCalls.ts';
import { methodIdentity } from './methodIdentity.ts';
import { checkedSchema, sourceOf, type PreparedCall, prepareCall } from './prepareCall.ts';
import { untilAborted } from '../base/untilAborted.ts';
import { abortError, cancelledError, toFailure, type CallOutcome, toToolFailure } from './toFailure.ts';
import type { ResolvedToolName } from '../registry/resolveToolName.ts';
import { softFailureOf } from '../registry/softFailure.ts';
import type { ToolOutput } from '../registry/types.ts';
import type { ToolProgress } from '../base/toolTypes.ts';
import { getToolIndex } from '../registry/toolIndex.ts';
import { serializeResult } from './serializeResult.ts';
import type { UnmatchedFrames } from '../base/framesMeanwhile.ts';
import { invalidArguments } from '../schema/invalidArguments.ts';
import { resolveToolEnabled, toolDisabled } from './resolveToolEnabled.ts';
import { newCallId } from './newCallId.ts';
import { reasonToConfirm } from './reasonToConfirm.ts';
import { requireOffered, withheldError } from './requireOffered.ts';
import { timeoutError } from './timeoutError.ts';

const defaultMaxResultBytes = 5_000_000;

/** Calls that run at once if `parallelExecution` is set. */
const maximumParallel = 32;

/** Progress restarts the timeout, until a call has taken this many timeouts in all. */
const maxTimeouts = 10;

/**
 * Executes requests and returns their results in the order of the requests: one after the other, or at once if
 * `config.parallelExecution` is set (the calls of one serial block stay in order). Never rejects: a failure is a result
 * of status `error`, and cancelling makes every call that has not ended and could run `cancelled`. All checks share
 * one time allowance.
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
 * time-out and cancellation. Never rejects. All calls of every caller run here.
 */
export async function executeSingleRequest(
  request: ToolCallRequest,
  options: ExecutionOptions,
): Promise<ToolExecutionResult> {
  const call = beginCall(request, options);
  let outcome: CallOutcome;
  try {
    throwIfWithheld(call);
    // A call that cannot run is not cancelled: it has its own reason.
    if (options.signal?.aborted === true) checkCall(call);
    throwIfCancelled(options);
    if (call.prepared.converted?.isTooMuchWork === true) await settle(call);
    const always = options.config?.requireConfirmation ?? defaultToolCallConfig.requireConfirmation;
    if (always) await confirm(call);
    let checked = checkCall(call);
    if (call.danger !== undefined && !always) {
      await confirm(call);
      checked = checkCall(call);
    }
    checked = { ...checked, target: targetNow(call, checked.target) };
    outcome = await toOutcome(await invokeMethod(call, checked), call, checked);
  } catch (error) {
    outcome = toFailure(error);
  }
  return endCall(call, outcome);
}

function throwIfWithheld({ prepared: { target }, options }: ActiveCall): void {
  if (options.onlyAccepted === true && target?.method.withheldFrom !== undefined)
    throw withheldError(options.shownName ?? target.qualifiedName);
}

function throwIfCancelled({ signal }: ExecutionOptions): void {
  if (signal?.aborted === true) throw new ToolError('cancelled', 'The call was cancelled.');
}

/** Finishes the check of arguments that took too long for this thread. */
async function settle(call: ActiveCall): Promise<void> {
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

/** Asks for the call, and takes the arguments of the user's decision. */
async function confirm(call: ActiveCall): Promise<void> {
  const { request, options, prepared, record } = call;
  const pending = toPending(call);
  call.asked = pending.identity;
  const args = await confirmCall({ request, pending, onBeforeExecute: options.onBeforeExecute });
  if (args === undefined || prepared.target === undefined) return;
  const { target } = prepared;
  const inputSchema = checkedSchema(target.method, options);
  const converted = await readArgumentsFully({ args, inputSchema, source: 'json' }, options);
  call.prepared = { target, converted };
  record.args = converted.args;
}

function toPending({ record, prepared, danger, options }: ActiveCall): PendingCall {
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

/** The same method as it is registered now. While the call was checked or asked, its source may have disconnected, reconnected, or changed it. */
function targetNow({ request, options, asked }: ActiveCall, target: ResolvedToolName): ResolvedToolName {
  const { toolRegistryManager, caller, isUnchecked, shownName = target.qualifiedName } = options;
  const { id } = target.registry;
  const now = getToolIndex(toolRegistryManager).tools.get(id)?.byName.get(target.method.name);
  if (now === undefined) throw prepareCall({ toolRegistryManager, request, isUnchecked }).error ?? changedError(id);
  if (caller !== 'user') requireOffered(now, shownName, options.consumer);
  const isSame = asked === undefined && now.method === target.method;
  if (!isSame && methodIdentity(now) !== (asked ?? methodIdentity(target))) throw changedError(id);
  return { ...target, ...now };
}

async function endCall(call: ActiveCall, outcome: CallOutcome): Promise<ToolExecutionResult> {
  const { record, options } = call;
  const { requestId, toolName } = record;
  const { error } = outcome;
  const finalOutcome =
    error?.code === 'cancelled'
      ? toFailure(cancelledError(error.message, { mayHaveRun: call.wentOutAt !== undefined }))
      : outcome;
  const result: ToolExecutionResult = { ...finalOutcome, requestId, toolName, durationMs: durationOf(call, outcome) };
  if (options.onCallEnd !== undefined) await reportEnd({ ...record, result }, options);
  return result;
}

function durationOf({ wentOutAt, timedMs, waitedMs }: ActiveCall, { status }: CallOutcome): number {
  if (wentOutAt === undefined) return 0;
  return Math.round((timedMs ?? performance.now() - wentOutAt - (status === 'error' ? 0 : waitedMs)) * 1_000) / 1_000;
}

async function reportEnd(
  call: FinishedToolCall,
  { onCallEnd, onError = reportError }: ExecutionOptions,
): Promise<void> {
  try {
    await onCallEnd?.(call);
  } catch (error) {
    onError(error, 'the hook onCallEnd');
  }
}

/** The outcome for what a tool returned. Rejects with `serializeResult`'s errors if it cannot be passed on. */
async function toOutcome(output: ToolOutput, { options }: ActiveCall, { target }: CheckedCall): Promise<CallOutcome> {
  const { maxResultBytes = defaultMaxResultBytes } = options;
  const { text, isError, ...parts } = serializeResult({ output, maxResultBytes });
  if (isError) return toToolFailure(text, parts, output.details);
  const { outputSchema } = target.method;
  const softFailure = softFailureOf({
    text,
    methodName: target.method.name,
    fromDevice: target.registry.source.kind === 'device',
  });
  const outcome: CallOutcome = { status: 'success', result: text, ...parts };
  if (outputSchema !== undefined) {
    const { issues, unchecked } = await checkOutputFully(parts.structuredContent, outputSchema, options);
    if (unchecked === undefined) outcome.outputIssues = issues;
    else outcome.outputUnchecked = unchecked;
  }
  if (softFailure !== undefined) outcome.softFailure = softFailure;
  return outcome;
}

/** Hands a call to its source, for as long as it may take. Rejects with a `ToolError` or what the tool threw. */
async function invokeMethod(call: ActiveCall, { target, converted }: CheckedCall): Promise<ToolOutput> {
  const { options, record } = call;
  const { registry, method, qualifiedName } = target;
  const { callId, timeoutMs } = record;
  const { signal: caller, after = systemClock.after, shownName = qualifiedName } = options;
  const ending = new AbortController();
  const { signal } = ending;
  const stopFollowing = followAbort(caller, ending);
  // MCP hosts and agents have time limits of their own, which neither progress nor a question extends.
  const restarts = options.caller !== 'mcp';
  const maxTotalMs = restarts ? maxTimeouts * timeoutMs : timeoutMs;
  let hasEnded = false;
  let waitsSince: number | undefined;
  let stopTimer: (() => void) | undefined;
  const startTimer = (): void => {
    if (timeoutMs === Infinity || registry.endsCalls === true) return;
    stopTimer?.();
    const { wentOutAt = performance.now(), waitedMs } = call;
    const leftMs = Math.max(0, maxTotalMs - (performance.now() - wentOutAt - waitedMs));
    const totalMs = leftMs < timeoutMs || !restarts ? maxTotalMs : undefined;
    stopTimer = after(Math.min(timeoutMs, leftMs, maximumDelay), () => {
      ending.abort(timeoutError(call, { source: registry, name: shownName, totalMs }));
    });
  };
  const markAsSent = (): void => {
    if (call.wentOutAt !== undefined || hasEnded || signal.aborted) return;
    if (call.asked !== undefined && registry.version !== undefined) targetNow(call, target);
    startTimer();
    call.wentOutAt = performance.now();
    if (options.onWentOut !== undefined) tell(options, 'onWentOut', () => options.onWentOut?.(record));
  };
  const countWait = (isWaiting: boolean): void => {
    if (waitsSince !== undefined) call.waitedMs += performance.now() - waitsSince;
    waitsSince = isWaiting && !hasEnded ? performance.now() : undefined;
  };
  const run = (): Promise<ToolOutput> => {
    if (options.onCallStart !== undefined) tell(options, 'onCallStart', () => options.onCallStart?.(record, ending));
    // A listener may cancel the call: nothing is sent.
    signal.throwIfAborted();
    if (registry.queued !== true) markAsSent();
    return registry.invoke(method.name, converted.args, {
      signal,
      timeoutMs,
      callId,
      shownName,
      ...(options.host && { host: options.host }),
      ...(options.asTask && { asTask: true }),
      ...(options.keepsTask && { keepsTask: true }),
      ...(options.taskId !== undefined && { taskId: options.taskId }),
      onReport: (given) => (hasEnded ? undefined : tell(options, 'onReport', () => options.onReport?.(given, callId))),
      onProgress: (progress: ToolProgress) => {
        if (hasEnded || signal.aborted) return;
        call.progress = progress;
        if (restarts && stopTimer !== undefined && waitsSince === undefined) startTimer();
        tell(options, 'onProgress', () => options.onProgress?.({ ...progress, callId }));
      },
      onUnmatched: (last, unreadable) => (call.unmatched = { count: call.unmatched.count + 1, last, unreadable }),
      onTimed: (durationMs) => (call.timedMs = durationMs),
      onReturn: () => (call.wentOutAt = undefined),
      onWait: (isWaiting) => {
        stopTimer?.();
        countWait(isWaiting);
        if (hasEnded || signal.aborted) return;
        if (!isWaiting) startTimer();
        tell(options, 'onReport', () => options.onReport?.({ isWaiting }, callId));
      },
      onStart: markAsSent,
    });
  };
  try {
    return await (registry.endsCalls === true ? run() : untilAborted(run, signal));
  } catch (error) {
    throw signal.aborted && error === signal.reason ? abortError(signal, `"${shownName}"`) : error;
  } finally {
    stopFollowing();
    hasEnded = true;
    stopTimer?.();
    countWait(false);
  }
}

/** A hook that throws is reported and changes nothing. */
function tell({ onError = reportError }: ExecutionOptions, name: string, hook: () => void): void {
  try {
    hook();
  } catch (error) {
    onError(error, `the hook ${name}`);
  }
}

/** A call that may run. */
type CheckedCall = Exclude<PreparedCall, { error: ToolError }>;

/**
 * What a call has to be before it runs: its name means a method, its caller may call that, and its arguments fit.
 * Throws a `ToolError`: one of `prepareCall`'s, `tool-disabled`, `not-agent-callable` or `invalid-arguments`.
 */
function checkCall({ prepared, options }: ActiveCall): CheckedCall {
  if (prepared.error !== undefined) throw prepared.error;
  const { target, converted } = prepared;
  const shownName = options.shownName ?? target.qualifiedName;
  if (options.caller !== 'user') {
    const config = { ...defaultToolCallConfig, ...options.config };
    if (!resolveToolEnabled(target.registry.id, config))
      throw toolDisabled(target.registry.id, { caller: options.caller, isCallingOn: config.enabled });
    // A second check, beside discovery: that a method exists does not mean that a model may call it.
    requireOffered(target, shownName, options.consumer);
  }
  if (converted.issues.length > 0) throw invalidArguments(shownName, converted);
  return prepared;
}

/** A request on its way through the executor. */
interface ActiveCall {
  readonly request: ToolCallRequest;
  readonly options: ExecutionOptions;
  readonly record: ToolCallRecord;
  /** The user's decision may contain other arguments. */
  prepared: PreparedCall;
  /** Why it must be confirmed, in a sentence. */
  danger: string | undefined;
  /** The identity of the method that the user was asked about. */
  asked: string | undefined;
  /** ms by `performance.now()`: when the call really went out; for a queued source that is when its turn came. */
  wentOutAt: number | undefined;
  /** ms, if the source has told how long the call took. */
  timedMs: number | undefined;
  /** ms during which the source waited for the user; they do not count. */
  waitedMs: number;
  /** What the source has reported last. */
  progress: ToolProgress | undefined;
  unmatched: UnmatchedFrames;
}

/** Resolves a request to its method and arguments, and starts its record. */
function beginCall(request: ToolCallRequest, options: ExecutionOptions): ActiveCall {
  const callId = (options.newId ?? newCallId)();
  const { toolRegistryManager, isUnchecked } = options;
  const prepared = prepareCall({ toolRegistryManager, request, isUnchecked });
  const { target } = prepared;
  const toolName = target?.qualifiedName ?? request.toolName;
  const record: ToolCallRecord = {
    callId,
    requestId: request.requestId ?? callId,
    caller: options.caller,
    toolName,
    args: prepared.converted?.args ?? request.args,
    startedAt: Date.now(),
    timeoutMs: resolveTimeout(toolName, options),
  };
  const call: ActiveCall = {
    request,
    options,
    record,
    prepared,
    danger: undefined,
    asked: undefined,
    wentOutAt: undefined,
    timedMs: undefined,
    waitedMs: 0,
    progress: undefined,
    unmatched: { count: 0, last: '' },
  };
  if (target === undefined) return call;
  record.toolId = target.registry.id;
  record.methodName = target.method.name;
  record.inputSchema = target.method.inputSchema;
  call.danger = reasonToConfirm(prepared, options);
  return call;
}

/**
 * ms that a method may take: its own entry in `toolTimeouts`, else `config.timeout`. What is no positive number cannot
 * be meant and gives the default.
 */
export function resolveTimeout(
  qualifiedName: string,
  { config, toolTimeouts }: Pick<ExecutionOptions, 'config' | 'toolTimeouts'>,
): number {
  const own =
    toolTimeouts !== undefined && Object.hasOwn(toolTimeouts, qualifiedName) ? toolTimeouts[qualifiedName] : undefined;
  const timeout = own ?? config?.timeout ?? defaultToolCallConfig.timeout;
  return timeout > 0 ? timeout : defaultToolCallConfig.timeout;
}
