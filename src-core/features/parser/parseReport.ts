import type { ArgumentPreview, ParsedCallView, ParseReport, ResolutionView } from '../../contract/types.ts';
import { parseExact, writeExact } from '../../base/exactJson.ts';
import { expandSerialCalls } from '../../engine/expandSerialCalls.ts';
import { prepareCall } from '../../engine/prepareCall.ts';
import { refusedSpans } from '../../protocols/blockSpans.ts';
import { countCalls } from '../../protocols/boundReading.ts';
import { keyProblem } from '../../protocols/vcp/formatToolRequest.ts';
import { readReplyFully } from '../../protocols/readReplyFully.ts';
import type { ReplyDialect, ReplyReading } from '../../base/replyTypes.ts';
import type { ParsedToolRequest } from '../../base/calls.ts';
import { conversionsOf, type ArgumentConversion } from '../../schema/convertArguments.ts';
import { createTurns } from '../../base/createTurns.ts';
import { methodParameters } from '../../registry/methodParameters.ts';
import type { ResolvedToolName } from '../../registry/resolveToolName.ts';
import type { ToolRegistryManager } from '../../registry/toolRegistryManager.ts';

/** Characters of all calls of a report, as JSON. */
const maxCalls = 4_000_000;

/**
 * What a text holds, and what each call in it would come to with the tools that are registered right now: resolved and
 * converted by the very step the executor takes. A report of very many parts says how many it leaves out.
 */
export async function parseReport(options: {
  text: string;
  dialect: ReplyDialect;
  toolRegistryManager: ToolRegistryManager;
  signal?: AbortSignal | undefined;
}): Promise<ParseReport> {
  const { text, dialect, toolRegistryManager, signal } = options;
  const reading = await readReplyFully(text, { dialect, signal });
  const rest = createTurns();
  const calls: ParsedCallView[] = [];
  let left = maxCalls;
  for (const [index, request] of reading.requests.entries()) {
    for (const call of expandSerialCalls(request)) {
      const view = callView(call, index, toolRegistryManager);
      if (reading.dialect === 'json') showLiterals(view.arguments, request.rawArgs);
      else markUncarried(view.arguments);
      left -= JSON.stringify(view).length;
      if (left < 0) return withoutRequests(reading, calls, index);
      calls.push(view);
      await rest(1);
      signal?.throwIfAborted();
    }
  }
  return { ...reading, calls };
}

/** The report up to a request whose calls are too large: a method may have any number of parameters. */
function withoutRequests(reading: ReplyReading, calls: readonly ParsedCallView[], index: number): ParseReport {
  const before = reading.omitted ?? { calls: 0, diagnostics: 0, regions: 0, refused: 0 };
  const requests = reading.requests.slice(0, index);
  const omitted = { ...before, calls: before.calls + countCalls(reading.requests.slice(index)) };
  const refusedIn = (part: ReplyReading): number => refusedSpans(part, part.diagnostics).length;
  omitted.refused += refusedIn(reading) - refusedIn({ ...reading, requests, omitted });
  return {
    ...reading,
    requests,
    calls: calls.filter(({ request }) => request < index),
    omitted,
  };
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
    ...(converted.issues.length > 0 && { issues: converted.issues }),
    argsJson: JSON.stringify(converted.args),
  };
}

/** Marks what is missing and cannot be written in VCP. */
function markUncarried(args: ArgumentPreview[]): void {
  for (const each of args)
    if (each.verdict === 'missing' && keyProblem(each.name) !== undefined) each.isUncarried = true;
}

/** Arguments as JSON has them, with the quotes of a string: 3 and "3" are not the same. */
function showLiterals(args: ArgumentPreview[], literals: Readonly<Record<string, string>>): void {
  for (const each of args) {
    const literal = Object.hasOwn(literals, each.name) ? literals[each.name] : undefined;
    if (each.raw === undefined || literal === undefined) continue;
    each.raw = literal;
    if (each.verdict !== 'ok' && each.verdict !== 'converted') continue;
    each.verdict = isSameLiteral(literal, each.valueJson) ? 'ok' : 'converted';
  }
}

function isSameLiteral(literal: string, valueJson: string | undefined): boolean {
  try {
    return literal === valueJson || writeExact(parseExact(literal)) === valueJson;
  } catch {
    // A name occurs twice.
    return false;
  }
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

function argumentPreview({ parameter, status, raw, value, to }: ArgumentConversion, type?: string): ArgumentPreview {
  return {
    name: parameter,
    ...(raw !== undefined && { raw: typeof raw === 'string' ? raw : JSON.stringify(raw) }),
    ...(value !== undefined && { valueJson: JSON.stringify(value) }),
    type: type ?? to ?? 'any',
    verdict: status,
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
