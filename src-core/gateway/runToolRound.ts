import { prepareCall } from '../engine/prepareCall.ts';
import type { ChatMessage, ChatToolCall } from '../models/chatModel.ts';
import type { ToolExecutionResult } from '../tools/calls.ts';
import { describeThrown } from '../tools/describeThrown.ts';
import { ToolError } from '../tools/errors.ts';
import { parseIntegersExactly } from '../tools/exactNumber.ts';
import { isJsonObject, type JsonObject } from '../tools/json.ts';
import { parseArgsJson } from '../tools/parseArgsJson.ts';
import { GatewayError } from './gatewayError.ts';
import { runToolCall } from './runToolCall.ts';
import type { OfferedTool, ToolCatalog } from './toolCatalog.ts';
import type { Turn, TurnServices } from './turnContext.ts';

/** The calls of one reply of the model. */
export interface ToolRoundOptions {
  calls: readonly ChatToolCall[];
  catalog: ToolCatalog;
  turn: Turn;
  services: TurnServices;
}

/** A call that can be made, or what stands against it. */
type PlannedCall =
  | { call: ChatToolCall; tool: OfferedTool; args: JsonObject; problem?: string }
  | { call: ChatToolCall; tool?: undefined; failure: GatewayError };

/**
 * Runs the calls of one reply and gives what the model is told of each, in its order: server tools first, one after the
 * other, each announced; then the client's, all at once (seed 004 §7.4 to §7.6, spec/gateway.md, 4). Rejects with a
 * `GatewayError` that ends the turn; whatever still waits for the client is then cancelled.
 */
export async function runToolRound({ calls, catalog, turn, services }: ToolRoundOptions): Promise<ChatMessage[]> {
  const told = new Map<ChatToolCall, string>();
  const tellModel = services.settings().tellModelOfFailures;
  const planned = calls.map((call) => plan(call, catalog, services));
  const ready: Extract<PlannedCall, { tool: OfferedTool }>[] = [];
  for (const each of planned) {
    if (each.tool !== undefined) ready.push(each);
    else if (tellModel) told.set(each.call, failureText(each.failure));
    else throw each.failure;
  }

  // Added behind the round: the model has not seen them while it wrote these calls.
  const ran: ToolExecutionResult[] = [];
  const run = async (tool: OfferedTool, args: JsonObject, signal: AbortSignal) => {
    const result = await runToolCall({ tool, args, turn, services, signal });
    ran.push(result);
    return result;
  };
  for (const { call, tool, args, problem } of ready.filter(({ tool }) => !tool.isClients)) {
    told.set(call, await runServerTool({ tool, args, problem, turn, run }));
    turn.signal.throwIfAborted();
  }

  const clients = ready.filter(({ tool }) => tool.isClients);
  if (clients.length > 0)
    turn.send({ type: 'status', status: 'waiting_for_tools', data: { pending_tools: clients.length } });
  const siblings = new AbortController();
  const signal = AbortSignal.any([turn.signal, siblings.signal]);
  await Promise.all(
    clients.map(async ({ call, tool, args }) => {
      const result = await run(tool, args, signal);
      const failure = clientFailure(result);
      if (failure === undefined) told.set(call, result.result);
      else if (tellModel) told.set(call, failureText(failure));
      else throw failure;
    }),
  ).finally(() => siblings.abort(new ToolError('cancelled', 'Another call of the same turn failed.')));

  for (const result of ran) turn.session.results.add(result);
  return calls.map((call) => ({ role: 'tool', toolCallId: call.id, name: call.name, content: told.get(call) ?? '' }));
}

function plan(call: ChatToolCall, catalog: ToolCatalog, { toolRegistryManager }: TurnServices): PlannedCall {
  const tool = catalog.find(call.name);
  if (tool === undefined) {
    const name = call.name.slice(0, 200);
    return {
      call,
      failure: new GatewayError('TOOL_NOT_FOUND', 'The model asked for a tool that does not exist', name),
    };
  }
  const { args, problem } = readArguments(call.argumentsText);
  if (!tool.isClients) return { call, tool, args, ...(problem !== undefined && { problem }) };
  const wrong = problem ?? misfit(tool, args, toolRegistryManager);
  if (wrong === undefined) return { call, tool, args };
  const failure = new GatewayError(
    'INVALID_TOOL_PARAMETERS',
    `The model gave wrong arguments to "${tool.name}"`,
    wrong,
  );
  return { call, failure };
}

function readArguments(text: string): { args: JsonObject; problem?: string } {
  try {
    return { args: parseArgsJson(text) };
  } catch (error) {
    return { args: {}, problem: describeThrown(error) };
  }
}

/** Looked at before anything goes out, so that a round which cannot be completed does not begin. */
function misfit(
  { toolId, method }: OfferedTool,
  args: JsonObject,
  toolRegistryManager: TurnServices['toolRegistryManager'],
): string | undefined {
  const { converted } = prepareCall({ toolRegistryManager, request: { toolName: toolId, command: method.name, args } });
  const issues = converted?.issues ?? [];
  return issues.length === 0 ? undefined : issues.map(({ message }) => message).join(' ');
}

interface ServerCall {
  tool: OfferedTool;
  args: JsonObject;
  problem: string | undefined;
  turn: Turn;
  run: (tool: OfferedTool, args: JsonObject, signal: AbortSignal) => Promise<ToolExecutionResult>;
}

/** What the model is told; the client hears of it as `tool_call` (seed 004 §5.3). */
async function runServerTool({ tool, args, problem, turn, run }: ServerCall): Promise<string> {
  const result: Pick<ToolExecutionResult, 'status' | 'result' | 'durationMs' | 'error'> =
    problem === undefined ? await run(tool, args, turn.signal) : { status: 'error', result: problem, durationMs: 0 };
  turn.signal.throwIfAborted();
  if (result.error?.code === 'timeout')
    throw new GatewayError('TOOL_EXECUTION_FAILED', `The tool "${tool.name}" took too long`, result.result);
  const success = result.status === 'success';
  turn.send({
    ...{ type: 'tool_call', tool_name: tool.name, arguments: args, success, duration_ms: result.durationMs },
    result: success ? objectOf(result.result) : { error: result.result },
  });
  return success ? result.result : `Error: ${result.result}`;
}

/** `result` is an object on the wire (seed 004 §5.3); whatever else a tool gives stands in one. */
function objectOf(text: string): JsonObject {
  try {
    const value = parseIntegersExactly(text);
    return isJsonObject(value) ? value : { result: value };
  } catch {
    return { result: text }; // Plain text, not JSON.
  }
}

/** The error that a client's call ends a turn with; undefined where it went well (spec/gateway.md, 5). */
function clientFailure({ status, result, error, toolName }: ToolExecutionResult): GatewayError | undefined {
  if (status === 'success') return undefined;
  switch (error?.code) {
    case 'timeout':
      return new GatewayError('TOOL_RESULT_TIMEOUT', 'Tool execution timeout', result);
    case 'invalid-arguments':
      return new GatewayError('INVALID_TOOL_PARAMETERS', `The model gave wrong arguments to "${toolName}"`, result);
    default:
      return new GatewayError('TOOL_EXECUTION_FAILED', 'Tool execution failed', result);
  }
}

function failureText({ code, message, details }: GatewayError): string {
  return `Error: ${code} ${message}${details === '' ? '' : `: ${details}`}`;
}
