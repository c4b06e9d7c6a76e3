import type { ChatMessage, ChatToolCall } from '../../contract/chatMessages.ts';
import type { GatewayTurnCall, GatewayTurnStep } from '../../contract/gatewayTurns.ts';
import { defaultToolCallConfig, type ToolExecutionResult } from '../../base/calls.ts';
import { readArgumentsFully, type CheckLimits } from '../../schema/checkFully.ts';
import { createTurns } from '../../base/createTurns.ts';
import { ToolError } from '../../base/errors.ts';
import { parseIntegersExactly } from '../../base/exactNumber.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { GatewayError } from './gatewayError.ts';
import type { OfferedTool, ToolCatalog } from './toolCatalog.ts';
import type { Turn, TurnServices } from './turnContext.ts';
import { invalidArguments } from '../../schema/invalidArguments.ts';
import { readModelArguments } from '../../schema/readModelArguments.ts';
import { executeSingleRequest } from '../../engine/executor.ts';
import { newCallId } from '../../engine/newCallId.ts';

/** ms for a server tool (docs/protocols/gateway.md#limits). */
const serverToolTimeoutMs = 10_000;

/** Bytes of a result: with what is around it, it fits a frame of 1 MiB. */
const maxResultBytes = 256 * 1024;

/** The calls of one reply of the model. */
export interface ToolRoundOptions {
  calls: readonly ChatToolCall[];
  /** The reply was cut at its limit of tokens, so the last call may be incomplete. */
  isCut: boolean;
  /** Where the calls are noted. */
  step: GatewayTurnStep;
  catalog: ToolCatalog;
  turn: Turn;
  services: TurnServices;
  /** Calls of the turn that went back to the model for its wrong arguments: only those of one round do. */
  corrections: { count: number };
}

/** A call that can be made. `problem`: why its arguments could not be read, which the model is told instead. */
interface ReadyCall {
  call: ChatToolCall;
  tool: OfferedTool;
  args: JsonObject;
  problem?: string;
}

type PlannedCall = ReadyCall | { call: ChatToolCall; tool?: undefined; failure: GatewayError };

/**
 * Runs the calls of one reply and returns what the model is told of each, in its order: server tools first, one after
 * the other, each announced; then the client's, all at once (docs/protocols/gateway.md#tool-rounds). Rejects with a
 * `GatewayError` that ends the turn; calls that wait for the client are then cancelled.
 */
export async function runToolRound({
  calls,
  isCut,
  step,
  catalog,
  turn,
  services,
  corrections,
}: ToolRoundOptions): Promise<ChatMessage[]> {
  const told = new Map<ChatToolCall, string>();
  const notes = new Map(calls.map((call) => [call, noteOf(call, catalog)]));
  step.calls.push(...notes.values());
  const tellModel = services.settings().tellModelOfFailures;
  const planned: PlannedCall[] = [];
  const rest = createTurns();
  for (const call of calls) {
    planned.push(await plan(call, catalog, { limits: turn, isCut: isCut && call === calls.at(-1) }));
    await rest(1);
  }
  turn.signal.throwIfAborted();
  const ready: ReadyCall[] = [];
  const mayCorrect = corrections.count === 0;
  for (const each of planned) {
    if (each.tool !== undefined) {
      ready.push(each);
      continue;
    }
    const corrects = each.failure.code === 'INVALID_TOOL_PARAMETERS';
    if (!tellModel && !(corrects && mayCorrect)) throw each.failure;
    if (corrects) corrections.count += 1;
    told.set(each.call, failureText(each.failure));
  }

  // Added behind the round: the model has not seen them while it wrote these calls.
  const ran: ToolExecutionResult[] = [];
  const run = async ({ call, tool, args }: ReadyCall, signal: AbortSignal) => {
    const result = await runToolCall({ tool, args, turn, services, signal, note: notes.get(call) });
    ran.push(result);
    return result;
  };
  for (const each of ready.filter(({ tool }) => !tool.isClients)) {
    told.set(each.call, await runServerTool(each, turn, run));
    turn.signal.throwIfAborted();
  }

  const clients = ready.filter(({ tool }) => tool.isClients);
  if (clients.length > 0)
    turn.send({ type: 'status', status: 'waiting_for_tools', data: { pending_tools: clients.length } });
  const siblings = new AbortController();
  const signal = AbortSignal.any([turn.signal, siblings.signal]);
  await Promise.all(
    clients.map(async (each) => {
      const result = await run(each, signal);
      const failure = clientFailure(each.tool, result);
      if (failure === undefined) told.set(each.call, result.result);
      else if (tellModel) told.set(each.call, failureText(failure));
      else throw failure;
    }),
  ).finally(() => siblings.abort(new ToolError('cancelled', 'Another call of the same turn failed.')));

  for (const result of ran) turn.session.results.add(result);
  return calls.map((call) => {
    const content = told.get(call) ?? '';
    const note = notes.get(call);
    if (note !== undefined) note.told = content;
    return { role: 'tool', toolCallId: call.id, name: call.name, content };
  });
}

function noteOf({ name, argumentsText }: ChatToolCall, catalog: ToolCatalog): GatewayTurnCall {
  const tool = catalog.find(name);
  return { name: tool?.name ?? name, isClients: tool?.isClients ?? false, argumentsText, status: 'refused' };
}

/** Checked before anything is sent, so that a round which cannot be completed does not begin. */
async function plan(
  call: ChatToolCall,
  catalog: ToolCatalog,
  options: { limits: CheckLimits; isCut: boolean },
): Promise<PlannedCall> {
  const tool = catalog.find(call.name);
  if (tool === undefined) {
    const name = call.name.slice(0, 200);
    return {
      call,
      failure: new GatewayError('TOOL_NOT_FOUND', 'The model asked for a tool that does not exist', name),
    };
  }
  const { args, problem, isReadable } = await fitArguments(call.argumentsText, tool, options);
  if (problem === undefined) return { call, tool, args };
  if (tool.isClients) return { call, failure: wrongArguments(tool, problem) };
  // Arguments that do not fit are refused by the executor, so that history has the call.
  return { call, tool, args, ...(!isReadable && { problem }) };
}

function wrongArguments({ name }: OfferedTool, problem: string): GatewayError {
  return new GatewayError('INVALID_TOOL_PARAMETERS', `The model gave wrong arguments to "${name}"`, problem);
}

/** What the model is told; the client is told by `tool_call` (docs/protocols/gateway.md#server-messages). */
async function runServerTool(
  call: ReadyCall,
  turn: Turn,
  run: (call: ReadyCall, signal: AbortSignal) => Promise<ToolExecutionResult>,
): Promise<string> {
  const { tool, args, problem } = call;
  const result: Pick<ToolExecutionResult, 'status' | 'result' | 'durationMs' | 'error'> =
    problem === undefined ? await run(call, turn.signal) : { status: 'error', result: problem, durationMs: 0 };
  turn.signal.throwIfAborted();
  if (result.error?.code === 'timeout')
    throw new GatewayError('TOOL_EXECUTION_FAILED', `The tool "${tool.name}" took too long`, result.result);
  const success = result.status === 'success';
  turn.send({
    type: 'tool_call',
    tool_name: tool.name,
    arguments: args,
    success,
    duration_ms: result.durationMs,
    result: success ? objectOf(result.result) : { error: result.result },
  });
  return success ? result.result : `Error: ${result.result}`;
}

/** `result` is an object on the wire (docs/protocols/gateway.md); other results are put into one. */
function objectOf(text: string): JsonObject {
  try {
    const value = parseIntegersExactly(text);
    return isJsonObject(value) ? value : { result: value };
  } catch {
    return { result: text }; // Plain text, not JSON.
  }
}

/** The error that a client's call ends a turn with; undefined if it succeeded (docs/protocols/gateway.md). */
function clientFailure(tool: OfferedTool, { status, result, error }: ToolExecutionResult): GatewayError | undefined {
  if (status === 'success') return undefined;
  switch (error?.code) {
    case 'timeout':
      return new GatewayError('TOOL_RESULT_TIMEOUT', 'Tool execution timeout', result);
    case 'invalid-arguments':
      return wrongArguments(tool, result);
    default:
      return new GatewayError('TOOL_EXECUTION_FAILED', 'Tool execution failed', result);
  }
}

function failureText({ code, message, details }: GatewayError): string {
  return `Error: ${code} ${message}${details === '' ? '' : `: ${details}`}`;
}

/** A model's arguments as they are sent, or why the tool does not take them. */
interface FittedArguments {
  args: JsonObject;
  problem?: string;
  /** False if the text is not a JSON object, or one that is too large; then `args` is empty. */
  isReadable: boolean;
}

/**
 * Reads the arguments of a model's call. If they do not fit the schema as JSON, texts are read as the types that the schema
 * accepts ("50" as 50), by the rules of the text protocols. `isCut`: as `readModelArguments` takes it. Never rejects.
 */
async function fitArguments(
  argumentsText: string,
  { name, method: { inputSchema } }: OfferedTool,
  { limits, isCut }: { limits: CheckLimits; isCut: boolean },
): Promise<FittedArguments> {
  const { args, refusal } = readModelArguments(argumentsText, { isCut });
  if (refusal !== undefined) return { args, problem: refusal.message, isReadable: false };
  const read = await readArgumentsFully({ args, inputSchema, source: 'json' }, limits);
  if (read.issues.length === 0) return { args, isReadable: true };
  const problem = invalidArguments(name, read).message;
  // As text the same values would take at least as much work.
  if (read.unchecked) return { args, problem, isReadable: true };
  const converted = await readArgumentsFully({ args, inputSchema, source: 'text' }, limits);
  if (converted.issues.length === 0) return { args: converted.args, isReadable: true };
  return { args, problem, isReadable: true };
}

/** A model's call, and the signal that ends it early. */
interface ToolCallOptions {
  tool: OfferedTool;
  args: JsonObject;
  turn: Pick<Turn, 'session' | 'checkAllowance'>;
  services: TurnServices;
  signal: AbortSignal;
  /** Where the call is noted. */
  note: GatewayTurnCall | undefined;
}

/** Runs one call of a gateway's model through the one executor. Never rejects. */
async function runToolCall(options: ToolCallOptions): Promise<ToolExecutionResult> {
  const { tool, args, turn, services, signal, note } = options;
  const { toolRegistryManager, callPolicy, clock, callSessions, onError } = services;
  const policy = callPolicy();
  const timeout = tool.isClients ? services.settings().clientToolTimeout * 1_000 : serverToolTimeoutMs;
  const config = { ...defaultToolCallConfig, ...policy.config, timeout };
  const callId = newCallId();
  callSessions.set(callId, turn.session);
  if (note !== undefined)
    Object.assign(note, { callId, argsJson: JSON.stringify(args), status: 'running', startedAt: clock.wall() });
  try {
    const result = await executeSingleRequest(
      { toolName: tool.toolId, command: tool.method.name, args },
      {
        ...policy,
        // The gateway's own tools are its purpose: they are on unless switched off by name.
        config: tool.isOwn ? { ...config, defaultToolEnabled: true } : config,
        toolRegistryManager,
        caller: 'gateway',
        consumer: 'gateway',
        signal,
        maxResultBytes,
        onError,
        suspicionOf: turn.session.results.suspicionOf,
        checkAllowance: turn.checkAllowance,
        shownName: tool.name,
        after: clock.after,
        newId: () => callId,
      },
    );
    const { status, durationMs, result: told } = result;
    if (note !== undefined) Object.assign(note, { status, durationMs, told });
    return result;
  } finally {
    callSessions.delete(callId);
  }
}
