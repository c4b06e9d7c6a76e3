import type { EarlierResults } from '../../engine/earlierResults.ts';
import { expandSerialCalls } from '../../engine/expandSerialCalls.ts';
import type { ParsedToolRequest } from '../../base/calls.ts';
import { createTurns } from '../../base/createTurns.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';
import { describeCall } from './describeCall.ts';
import { maxCallsOfReply, type PlannedCall, type PlannedCalls } from './plannedCalls.ts';
import type { TextParts } from './readText.ts';

/**
 * The calls of a text, as its protocol read them. A model may use the same id for two calls, so the executor gets ours; the
 * calls of one serial block stay one request, whose calls run in their order.
 */
export async function planTextCalls(options: {
  requests: TextParts['requests'];
  /** Calls that `requests` leaves out. */
  skippedCalls: number;
  toolRegistryManager: ToolRegistryManager;
  dangerousTools: readonly string[];
  suspicionOf: EarlierResults['suspicionOf'];
  /** Calls that may run. */
  limit?: number;
  newId: () => string;
}): Promise<PlannedCalls> {
  const { toolRegistryManager, dangerousTools, suspicionOf, limit = maxCallsOfReply, newId } = options;
  const planned: PlannedCall[] = [];
  const requests: ParsedToolRequest[] = [];
  const rest = createTurns();
  let skipped = options.skippedCalls;
  for (const { range, ...request } of options.requests) {
    const written = expandSerialCalls(request);
    const taken = written.slice(0, limit - planned.length);
    skipped += written.length - taken.length;
    if (taken.length === 0) continue;
    const ours: ParsedToolRequest[] = [];
    for (const { requestId, toolName, command, rawBlock, args } of taken) {
      const renamed = { toolName, ...(command !== undefined && { command }), rawBlock, args, requestId: newId() };
      const described = describeCall({ request: renamed, requestId, toolRegistryManager, dangerousTools, suspicionOf });
      planned.push({ ...described, call: { ...described.call, range } });
      ours.push(renamed);
      await rest(1);
    }
    requests.push(...(request.calls === undefined ? ours : [{ ...request, calls: ours.map(toSerialCall) }]));
  }
  return { planned, requests, skipped };
}

function toSerialCall({ requestId, command = '', args }: ParsedToolRequest) {
  return { requestId, command, args };
}
