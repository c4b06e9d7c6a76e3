import type { ExecuteInput } from '../api/types.ts';
import { modelCallConfig } from '../chat/effectiveConfig.ts';
import { mayRun } from '../chat/runCalls.ts';
import type { ExecutionOptions } from '../engine/executionOptions.ts';
import { prepareCall } from '../engine/prepareCall.ts';
import type { DirectToolCall, ToolCallConfig, ToolCallRequest } from '../tools/calls.ts';
import type { ToolRegistryManager } from '../tools/toolRegistryManager.ts';

/** The request as its rules make it, and what they mean to the executor. */
export interface RuledCall extends Pick<ExecutionOptions, 'caller' | 'config' | 'isUnchecked' | 'onBeforeExecute'> {
  request: ToolCallRequest;
}

/** Applies the rules of a call by hand to its request. */
export function applyRules(
  { rules, argsJson, confirmed, refused }: ExecuteInput,
  options: { request: DirectToolCall; config: ToolCallConfig; toolRegistryManager: ToolRegistryManager },
): RuledCall {
  const { request, toolRegistryManager } = options;
  // A refused call asks whatever its tool is by now: the executor ends it there.
  const config = refused === undefined ? options.config : { ...options.config, requireConfirmation: true };
  const onBeforeExecute = answerOf({ confirmed, refused });
  if (rules !== 'model')
    return { request, config, caller: 'user', isUnchecked: rules === 'unchecked', onBeforeExecute };

  const written = asText(request, argsJson);
  const modelConfig = modelCallConfig(config);
  const prepared = prepareCall({ toolRegistryManager, request: written });
  // The executor refuses it; there is nothing to ask.
  const isRefused = !mayRun({ prepared }, modelConfig);
  return {
    ...{ request: written, config: modelConfig, caller: 'model' },
    onBeforeExecute: isRefused && refused === undefined ? () => true : onBeforeExecute,
  };
}

/** The user's answer. Without one the call ends as `confirmation-required`: the user is asked, and the call is made again. */
function answerOf({ confirmed, refused }: Pick<ExecuteInput, 'confirmed' | 'refused'>): RuledCall['onBeforeExecute'] {
  if (refused !== undefined) {
    const { reason } = refused;
    return () => ({ allowed: false, ...(reason !== undefined && { reason }) });
  }
  return confirmed === true ? () => true : undefined;
}

/** A call as the protocols read it from a model's text: texts as they are, other values as JSON. */
function asText({ requestId = '', toolName, command, args }: DirectToolCall, rawBlock: string): ToolCallRequest {
  const texts = Object.entries(args).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return {
    ...{ requestId, toolName, rawBlock },
    ...(command !== undefined && { command }),
    // Own properties whatever they are called: __proto__ is a name like any other.
    args: Object.fromEntries(texts) as Record<string, string>,
  };
}
