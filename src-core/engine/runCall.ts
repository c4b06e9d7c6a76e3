import { callDanger } from '../tools/callDanger.ts';
import { defaultToolCallConfig, type ToolCallRequest } from '../tools/calls.ts';
import { ToolError } from '../tools/errors.ts';
import { invalidArguments } from '../tools/invalidArguments.ts';
import { readArguments, type ReadArguments } from '../tools/readArguments.ts';
import { reportError } from '../tools/reportError.ts';
import type { ResolvedToolName } from '../tools/resolveToolName.ts';
import { softFailureOf } from '../tools/softFailure.ts';
import type { ToolOutput, ToolProgress } from '../tools/types.ts';
import { confirmCall } from './confirmCall.ts';
import type { ExecutionOptions, PendingCall, ToolCallRecord } from './executionOptions.ts';
import type { PreparedCall } from './prepareCall.ts';
import { resolveToolEnabled } from './resolveToolEnabled.ts';
import { serializeResult } from './serializeResult.ts';
import { toToolFailure, type CallOutcome } from './toFailure.ts';
import { withTimeout } from './withTimeout.ts';

const defaultMaxResultBytes = 5_000_000;

/** A prepared request, its record, and the options it is executed with. */
export interface RunCallOptions {
  request: ToolCallRequest;
  prepared: PreparedCall;
  record: ToolCallRecord;
  options: ExecutionOptions;
  /** When the call really goes out; for a queued source that is when its turn comes. */
  onWentOut: () => void;
}

/** The flow of seed 001 §4.5 for one request; rejects with a `ToolError` or what the tool threw. */
export async function runCall(call: RunCallOptions): Promise<CallOutcome> {
  const { request, record, options, onWentOut } = call;
  const { toolRegistryManager, caller, signal, onBeforeExecute } = options;
  let { prepared } = call;
  const config = options.config === undefined ? defaultToolCallConfig : { ...defaultToolCallConfig, ...options.config };
  if (signal?.aborted === true) throw new ToolError('cancelled', 'The call was cancelled before it began.');

  const danger = prepared.target && callDanger(prepared.target, options.dangerousTools);
  const confirm = async (): Promise<void> => {
    const args = await confirmCall({ request, pending: toPending(record, danger, signal), onBeforeExecute });
    if (args === undefined || prepared.target === undefined) return;
    const { target } = prepared;
    const { inputSchema } = target.method;
    prepared = { target, converted: readArguments({ args, inputSchema, source: 'json' }) };
    record.args = prepared.converted.args;
  };
  if (config.requireConfirmation) await confirm();

  if (prepared.error !== undefined) throw prepared.error;
  const { target } = prepared;
  if (caller !== 'user') {
    if (!resolveToolEnabled(target.registry.id, config)) {
      throw new ToolError('tool-disabled', `The tool "${target.registry.id}" is switched off for this agent.`);
    }
    // Double check of seed 001 §4.5: that a method exists does not mean that a model may call it.
    if (target.method.agentCallable !== true) {
      throw new ToolError('not-agent-callable', `"${target.qualifiedName}" may be called by a person only.`);
    }
  }
  throwIssues(target, prepared.converted);
  if (danger !== undefined && !config.requireConfirmation) {
    await confirm();
    throwIssues(target, prepared.converted);
  }
  if (toolRegistryManager.getTool(target.registry.id) !== target.registry) {
    throw new ToolError('disconnected', `The tool "${target.registry.id}" left before the call went out.`);
  }

  const output = await invoke({
    target,
    args: prepared.converted.args,
    record,
    options,
    onWentOut,
  });
  const { text, content, isError } = serializeResult({
    output,
    maxResultBytes: options.maxResultBytes ?? defaultMaxResultBytes,
  });
  if (isError) return toToolFailure(text, content);
  const softFailure = softFailureOf({
    text,
    methodName: target.method.name,
    fromDevice: target.registry.source.kind === 'device',
  });
  return {
    status: 'success',
    result: text,
    ...(content !== undefined && { content }),
    ...(softFailure !== undefined && { softFailure }),
  };
}

interface InvokeCall {
  target: ResolvedToolName;
  args: ToolCallRecord['args'];
  record: ToolCallRecord;
  options: ExecutionOptions;
  onWentOut: () => void;
}

function invoke({ target, args, record, options, onWentOut }: InvokeCall): Promise<ToolOutput> {
  const { registry, method, qualifiedName } = target;
  const { callId, timeoutMs } = record;
  const queued = registry.queued === true;
  let started = !queued;
  return withTimeout({
    what: `"${qualifiedName}"`,
    timeoutMs,
    signal: options.signal,
    after: options.after,
    waitForStart: queued,
    // Whatever the tool reports once its call has ended is nobody's business.
    run: (signal, startTimer, hasEnded, stop) => {
      tell(options, 'onCallStart', () => options.onCallStart?.(record, stop));
      // Whoever hears of it may cancel it there and then: nothing goes out.
      signal.throwIfAborted();
      if (started) onWentOut();
      return registry.invoke(method.name, args, {
        signal,
        timeoutMs,
        callId,
        onProgress: (progress: ToolProgress) => {
          if (!hasEnded()) tell(options, 'onProgress', () => options.onProgress?.({ ...progress, callId }));
        },
        onStart: () => {
          if (started || hasEnded()) return;
          started = true;
          onWentOut();
          startTimer();
        },
      });
    },
  });
}

/** A hook that throws is reported and changes nothing. */
function tell({ onError = reportError }: ExecutionOptions, name: string, hook: () => void): void {
  try {
    hook();
  } catch (error) {
    onError(error, `the hook ${name}`);
  }
}

function throwIssues({ qualifiedName }: ResolvedToolName, { issues }: ReadArguments): void {
  if (issues.length > 0) throw invalidArguments(qualifiedName, issues);
}

function toPending(record: ToolCallRecord, danger: string | undefined, signal: AbortSignal | undefined): PendingCall {
  const { callId, caller, toolId, methodName, args } = record;
  return {
    ...{ callId, caller, args },
    ...(toolId !== undefined && { toolId }),
    ...(methodName !== undefined && { methodName }),
    ...(danger !== undefined && { danger }),
    signal: signal ?? new AbortController().signal,
  };
}
