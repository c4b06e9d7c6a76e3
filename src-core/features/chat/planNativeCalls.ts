import type { EarlierResults } from '../../engine/earlierResults.ts';
import type { ChatToolCall } from '../models/chatModel.ts';
import { createTurns } from '../../base/createTurns.ts';
import { readModelArguments } from '../../schema/readModelArguments.ts';
import type { DirectToolCall } from '../../registry/calls.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import type { WireNames } from '../../registry/wireNames.ts';
import { describeCall } from './describeCall.ts';
import { maxCallsOfReply } from './plannedCalls.ts';
import type { PlannedCall, PlannedCalls } from './plannedCalls.ts';

/**
 * The calls that a model asked for natively. Arguments that are not a JSON object are a refusal that says what is wrong.
 * `isCut`: the reply was cut at its limit of tokens, so its last call may be incomplete.
 */
export async function planNativeCalls(options: {
  toolCalls: readonly ChatToolCall[];
  isCut: boolean;
  names: WireNames;
  toolRegistryManager: ToolRegistryManager;
  dangerousTools: readonly string[];
  suspicionOf: EarlierResults['suspicionOf'];
  newId: () => string;
}): Promise<PlannedCalls> {
  const { toolCalls, isCut, names, toolRegistryManager, dangerousTools, suspicionOf, newId } = options;
  const taken = toolCalls.slice(0, maxCallsOfReply);
  const planned: PlannedCall[] = [];
  const requests: DirectToolCall[] = [];
  const rest = createTurns();
  for (const toolCall of taken) {
    const { id, name, argumentsText } = toolCall;
    const { args, refusal } = readModelArguments(argumentsText, { isCut: isCut && toolCall === toolCalls.at(-1) });
    const request = { requestId: newId(), toolName: names.fromWire(name) ?? name, args };
    const described = describeCall({ request, requestId: id, toolRegistryManager, dangerousTools, suspicionOf });
    planned.push({
      ...described,
      call: { ...described.call, argumentsText },
      ...(refusal !== undefined && { refusal }),
    });
    requests.push(request);
    await rest(1);
  }
  return { planned, requests, skipped: toolCalls.length - taken.length };
}
