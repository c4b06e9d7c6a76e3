import { prepareCall, type PreparedCall } from '../../engine/prepareCall.ts';
import { reasonToConfirm } from '../../engine/reasonToConfirm.ts';
import type { EarlierResults } from '../../engine/earlierResults.ts';
import type { ToolCallRequest } from '../../base/calls.ts';
import { invalidArguments } from '../../schema/invalidArguments.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import type { ChatCall } from '../../contract/chat.ts';

/** What a call needs to be described: its request, and what is registered and dangerous right now. */
export interface DescribeCallOptions {
  /** Its `requestId` becomes the call's own id. */
  request: ToolCallRequest & { requestId: string };
  /** The model's own id. */
  requestId: string;
  toolRegistryManager: ToolRegistryManager;
  dangerousTools: readonly string[];
  suspicionOf: EarlierResults['suspicionOf'];
}

/** A call as it stands before anything has run, and what it comes to. */
export interface DescribedCall {
  call: ChatCall;
  prepared: PreparedCall;
}

/** A call of a reply, resolved and converted by the very step the executor takes. */
export function describeCall({
  request,
  requestId,
  toolRegistryManager,
  dangerousTools,
  suspicionOf,
}: DescribeCallOptions): DescribedCall {
  const prepared = prepareCall({ toolRegistryManager, request });
  const askedArgsJson = JSON.stringify(request.args);
  const call: ChatCall = {
    id: request.requestId,
    requestId,
    toolName: request.toolName,
    ...(request.command !== undefined && { command: request.command }),
    askedArgsJson,
    argsJson: askedArgsJson,
    state: 'queued',
  };
  if (prepared.target === undefined) return { call: { ...call, problem: prepared.error.info }, prepared };
  const { issues } = prepared.converted;
  const { registry, method, qualifiedName } = prepared.target;
  const danger = reasonToConfirm(prepared, { suspicionOf, dangerousTools });
  Object.assign(call, {
    qualifiedName,
    toolId: registry.id,
    methodName: method.name,
    argsJson: JSON.stringify(prepared.converted.args),
    ...(danger !== undefined && { danger }),
    ...(issues.length > 0 && { problem: invalidArguments(qualifiedName, prepared.converted).info }),
  });
  return { call, prepared };
}
