import type { ArgumentPreview, ParsedCallView, ParseReport, ResolutionView } from '../api/types.ts';
import { expandSerialCalls } from '../engine/expandSerialCalls.ts';
import { prepareCall } from '../engine/prepareCall.ts';
import { readReply } from '../protocols/readReply.ts';
import type { ReplyDialect } from '../protocols/replyTypes.ts';
import type { ParsedToolRequest } from '../tools/calls.ts';
import { conversionsOf } from '../tools/convertArguments.ts';
import type { ArgumentConversion } from '../tools/convertArguments.ts';
import { methodParameters } from '../tools/methodParameters.ts';
import type { ResolvedToolName } from '../tools/resolveToolName.ts';
import type { ToolRegistryManager } from '../tools/toolRegistryManager.ts';

/**
 * What a text holds, and what each call in it would come to with the tools that are registered right now: resolved and
 * converted by the very step the executor takes.
 */
export function parseReport(options: {
  text: string;
  dialect: ReplyDialect;
  toolRegistryManager: ToolRegistryManager;
}): ParseReport {
  const { text, dialect, toolRegistryManager } = options;
  const reading = readReply(text, { dialect });
  const calls = reading.requests.flatMap((request, index) =>
    expandSerialCalls(request).map((call) => callView(call, index, toolRegistryManager)),
  );
  return { ...reading, calls };
}

function callView(call: ParsedToolRequest, request: number, toolRegistryManager: ToolRegistryManager): ParsedCallView {
  const { requestId, toolName, command } = call;
  const view = { request, requestId, toolName, ...(command !== undefined && { command }) };
  const { target, converted, error } = prepareCall({ toolRegistryManager, request: call });
  if (error !== undefined) {
    const args = unresolvedArguments(call.args);
    return {
      ...view,
      resolution: { ok: false, error: error.info },
      arguments: args,
      argsJson: JSON.stringify(call.args),
    };
  }
  const types = new Map(methodParameters(target.method.inputSchema).map(({ name, type }) => [name, type]));
  return {
    ...view,
    resolution: resolutionView(target),
    arguments: conversionsOf(converted).map((row) => argumentPreview(row, types.get(row.parameter))),
    argsJson: JSON.stringify(converted.args),
  };
}

function resolutionView({ registry, method, qualifiedName }: ResolvedToolName): ResolutionView {
  return {
    ok: true,
    toolId: registry.id,
    methodName: method.name,
    qualifiedName,
    toolName: registry.name,
    source: registry.source,
    agentCallable: method.agentCallable,
  };
}

function argumentPreview(
  { parameter, status, raw, value, message, to }: ArgumentConversion,
  type?: string,
): ArgumentPreview {
  return {
    name: parameter,
    ...(raw !== undefined && { raw: typeof raw === 'string' ? raw : JSON.stringify(raw) }),
    ...(value !== undefined && { valueJson: JSON.stringify(value) }),
    type: type ?? to ?? 'any',
    verdict: status,
    ...(message !== undefined && { message }),
  };
}

function unresolvedArguments(args: Record<string, string>): ArgumentPreview[] {
  return Object.entries(args).map(([name, raw]) => ({
    name,
    raw,
    valueJson: JSON.stringify(raw),
    type: 'string',
    verdict: 'ok',
  }));
}
