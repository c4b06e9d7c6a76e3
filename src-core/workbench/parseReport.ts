import type { ArgumentPreview, ParsedCallView, ParseReport, ResolutionView } from '../api/types.ts';
import { parseVcp } from '../protocols/vcp/parseVcp.ts';
import type { VcpDialect, VcpRequest } from '../protocols/vcp/types.ts';
import { convertArguments } from '../tools/convertArguments.ts';
import type { ArgumentConversion } from '../tools/convertArguments.ts';
import { ToolError } from '../tools/errors.ts';
import type { JsonObject, JsonValue } from '../tools/json.ts';
import { methodParameters } from '../tools/methodParameters.ts';
import { resolveToolName } from '../tools/resolveToolName.ts';
import type { ResolvedToolName } from '../tools/resolveToolName.ts';
import type { ToolRegistryManager } from '../tools/toolRegistryManager.ts';

/** A call as the text has it: one of a block, or one of a serial block's. */
interface CallInText {
  requestId: string;
  toolName: string;
  command?: string;
  args: Record<string, string>;
}

/** What a text holds, and what each call in it would come to with the tools that are registered right now. */
export function parseReport(options: {
  text: string;
  dialect: VcpDialect;
  toolRegistryManager: ToolRegistryManager;
}): ParseReport {
  const { text, dialect, toolRegistryManager } = options;
  const { length, requests, diagnostics, regions } = parseVcp(text, { dialect });
  const calls = requests.flatMap((request, index) =>
    callsOf(request).map((call) => callView(call, index, toolRegistryManager)),
  );
  return { dialect, length, requests, calls, diagnostics, regions };
}

function callsOf({ requestId, toolName, command, args, calls }: VcpRequest): CallInText[] {
  return (
    calls?.map((call) => ({ toolName, ...call })) ?? [
      { requestId, toolName, args, ...(command !== undefined && { command }) },
    ]
  );
}

function callView(call: CallInText, request: number, toolRegistryManager: ToolRegistryManager): ParsedCallView {
  const view = {
    request,
    requestId: call.requestId,
    toolName: call.toolName,
    ...(call.command !== undefined && { command: call.command }),
  };
  let target: ResolvedToolName;
  try {
    target = resolveToolName({ toolRegistryManager, toolName: call.toolName, command: call.command });
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return {
      ...view,
      resolution: { ok: false, error: error.info },
      arguments: unresolvedArguments(call.args),
      args: { ...call.args },
    };
  }
  const given =
    target.commandIsArgument && call.command !== undefined ? { ...call.args, command: call.command } : call.args;
  const { args, conversions } = convertArguments({
    args: given,
    inputSchema: target.method.inputSchema,
    source: 'text',
  });
  const types = new Map(methodParameters(target.method.inputSchema).map(({ name, type }) => [name, type]));
  return {
    ...view,
    resolution: resolutionView(target),
    arguments: conversions.map((row) => argumentPreview(row, types.get(row.parameter))),
    args: plainObject(args),
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
    ...(value !== undefined && { value }),
    type: type ?? to ?? 'any',
    verdict: status,
    ...(message !== undefined && { message }),
  };
}

function unresolvedArguments(args: Record<string, string>): ArgumentPreview[] {
  return Object.entries(args).map(([name, raw]) => ({ name, raw, value: raw, type: 'string', verdict: 'ok' }));
}

/** With own keys only: an argument named `__proto__` stays plain data on the wire. */
function plainObject(args: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(args)) as Record<string, JsonValue>;
}
