import type { ExecuteInput } from '../../contract/types.ts';
import { modelCallConfig } from '../chat/effectiveConfig.ts';
import { changedError, refusedByUser } from '../../engine/confirmCall.ts';
import { mayRun } from '../chat/runCalls.ts';
import type { ExecutionOptions } from '../../engine/executionOptions.ts';
import { prepareCall } from '../../engine/prepareCall.ts';
import type { ToolError } from '../../base/errors.ts';
import type { DirectToolCall, ToolCallConfig, ToolCallRequest } from '../../base/calls.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';

/** A call by hand. */
export interface ManualCall extends ExecuteInput {
  /** The error that a call ends with if the user has refused it or not decided on it. */
  refusal?: ToolError | undefined;
}

/** The request as its rules make it, and what they mean to the executor. */
export interface RuledCall extends Pick<
  ExecutionOptions,
  'caller' | 'consumer' | 'config' | 'isUnchecked' | 'onBeforeExecute'
> {
  request: ToolCallRequest;
}

/** Applies the rules of a call by hand to its request. With `approved`, only that method is called. */
export function applyRules(
  { rules, argsJson, confirmed, approved, refused, refusal = refused && refusedByUser(undefined) }: ManualCall,
  options: { request: DirectToolCall; config: ToolCallConfig; toolRegistryManager: ToolRegistryManager },
): RuledCall {
  const { request, toolRegistryManager } = options;
  // Once the user has answered, the call asks whatever its tool is by now, so that the answer holds before the tool is called.
  const isAnswered = refusal !== undefined || approved !== undefined;
  const config = isAnswered ? { ...options.config, requireConfirmation: true } : options.config;
  const onBeforeExecute = approved === undefined ? answerOf({ confirmed, refusal }) : approvalOf(approved);
  if (rules !== 'model')
    return { request, config, caller: 'user', isUnchecked: rules === 'unchecked', onBeforeExecute };

  const written = asText(request, argsJson);
  const modelConfig = modelCallConfig(config);
  const prepared = prepareCall({ toolRegistryManager, request: written });
  // The executor refuses it; there is nothing to ask.
  const isRefused = !mayRun({ prepared }, modelConfig);
  return {
    request: written,
    config: modelConfig,
    caller: 'model',
    consumer: 'chat',
    onBeforeExecute: isRefused && !isAnswered ? () => true : onBeforeExecute,
  };
}

/** The user's answer. Without one the call ends as `confirmation-required`: the user is asked, and the call is made again. */
function answerOf({ confirmed, refusal }: Pick<ManualCall, 'confirmed' | 'refusal'>): RuledCall['onBeforeExecute'] {
  if (refusal !== undefined) {
    return () => {
      throw refusal;
    };
  }
  return confirmed === true ? () => true : undefined;
}

/** Approves only calls of the method with that identity: another tool can have the same name by now, or the method another schema. */
function approvalOf(approved: string): RuledCall['onBeforeExecute'] {
  return (_, { toolId, identity }) => {
    // Of a name that means no method any more, the executor says why.
    if (toolId === undefined || identity === approved) return true;
    throw changedError(toolId);
  };
}

/** A call as the protocols read it from a model's text: texts as they are, other values as JSON. */
export function asText({ requestId = '', toolName, command, args }: DirectToolCall, rawBlock: string): ToolCallRequest {
  const texts = Object.entries(args).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return {
    requestId,
    toolName,
    rawBlock,
    ...(command !== undefined && { command }),
    // Own properties whatever they are called: __proto__ is a name like any other.
    args: Object.fromEntries(texts) as Record<string, string>,
  };
}
