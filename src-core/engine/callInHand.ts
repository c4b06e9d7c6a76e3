import type { ToolCallRequest } from '../registry/calls.ts';
import type { ExecutionOptions, ToolCallRecord } from './executionOptions.ts';
import { newCallId } from './newCallId.ts';
import { prepareCall, type PreparedCall } from './prepareCall.ts';
import { reasonToConfirm } from './reasonToConfirm.ts';
import { resolveTimeout } from './resolveTimeout.ts';

/** A request on its way through the executor. */
export interface CallInHand {
  readonly request: ToolCallRequest;
  readonly options: ExecutionOptions;
  readonly record: ToolCallRecord;
  /** Whoever confirms the call may give it other arguments. */
  prepared: PreparedCall;
  /** Why it must be confirmed, in a sentence. */
  danger: string | undefined;
  /** ms by `performance.now()`: when the call really went out; for a queued source that is when its turn came. */
  wentOutAt: number | undefined;
  /** ms, if the source has told how long the call took. */
  timedMs: number | undefined;
  /** Messages that arrived while the call waited and could not be read. */
  unreadable: number;
}

/** Takes a request in hand: its method, its arguments and its record, before anything else is done with it. */
export function takeInHand(request: ToolCallRequest, options: ExecutionOptions): CallInHand {
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
  const call: CallInHand = {
    request,
    options,
    record,
    prepared,
    danger: undefined,
    wentOutAt: undefined,
    timedMs: undefined,
    unreadable: 0,
  };
  if (target === undefined) return call;
  record.toolId = target.registry.id;
  record.methodName = target.method.name;
  record.inputSchema = target.method.inputSchema;
  call.danger = reasonToConfirm(prepared, options);
  return call;
}
