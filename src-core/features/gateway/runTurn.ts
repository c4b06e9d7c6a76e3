import { randomUUID } from 'node:crypto';

import type { ChatMessage } from '../../contract/chatMessages.ts';
import type { GatewayTurnStep, GatewayTurnTrace } from '../../contract/gatewayTurns.ts';
import { ChatModelError, type ChatReply, type ChatModel, type ChatRequest } from '../models/chatModel.ts';
import { GatewayError } from './gatewayError.ts';
import { cleanReply } from './reply/cleanReply.ts';
import { stripReasoning } from './reply/stripReasoning.ts';
import { runToolRound } from './runToolRound.ts';
import { historyLength } from './sessionStore.ts';
import { systemPrompt } from './systemPrompt.ts';
import { createToolCatalog } from './toolCatalog.ts';
import { defaultToolCallConfig } from '../../base/calls.ts';
import { RequestError } from '../../base/requestError.ts';
import type { Turn, TurnServices } from './turnContext.ts';
import type { Clock } from '../../base/clock.ts';

/** Rounds of tools in one turn (docs/protocols/gateway.md#tool-rounds). */
const maxToolRounds = 10;
/** Calls in one reply of the model. */
const maxCallsPerRound = 64;
/** Bytes of an answer before it is cleaned, without reasoning: two hours of speech. Cleaning it takes up to 40 ms. */
const maxAnswerBytes = 128 * 1024;

/** How a turn ended. */
export interface TurnOutcome {
  trace: GatewayTurnTrace;
  /** Absent if it was answered. */
  failure?: GatewayError;
}

/**
 * One turn: status, the model and its tools, one terminal frame, status (docs/protocols/gateway.md). Never rejects; if
 * the client disconnects, it ends without a frame. Only a turn that was answered is remembered.
 */
export async function runTurn(turn: Turn, services: TurnServices): Promise<TurnOutcome> {
  const { send, session, signal } = turn;
  const { clock } = services;
  const began = clock.now();
  const trace = beginTrace(turn, clock.wall());
  turn.onProgress(trace);
  const end = (outcome: string): void => {
    trace.outcome = outcome;
    trace.durationMs = Math.round(clock.now() - began);
  };
  const both = { ...turn, signal: AbortSignal.any([signal, session.ended]) };
  let failure: GatewayError | undefined;
  send({ type: 'status', status: 'processing', data: { message: '正在处理您的请求...' } });
  try {
    const content = await converse(both, services, trace);
    both.signal.throwIfAborted();
    trace.answer = content;
    services.sessions.remember(session, [
      { role: 'user', content: turn.text },
      { role: 'assistant', content },
    ]);
    send({ type: 'llm_response', content, tool_calls: [], is_final: true });
    end('answered');
  } catch (error) {
    if (signal.aborted) {
      end('disconnected');
      return { trace };
    }
    failure = session.ended.aborted ? sessionEnded() : toGatewayError(error, services);
    const { code, message, details } = failure;
    send({ type: 'error', code, message, details });
    end(code);
    trace.details = details === '' ? message : `${message}: ${details}`;
  } finally {
    session.results.forgetFolded();
  }
  send({ type: 'status', status: 'idle', data: { session_id: session.id } });
  return { trace, ...(failure && { failure }) };
}

/** What a question of a session is answered with that was ended meanwhile. */
export function sessionEnded(): GatewayError {
  return new GatewayError('SESSION_ERROR', 'The session was ended before the question was answered');
}

/** Asks the model until it answers without calls; returns that answer, cleaned. */
async function converse(turn: Turn, services: TurnServices, trace: GatewayTurnTrace): Promise<string> {
  const { text, session, configuration, clientToolsId, signal } = turn;
  const { toolRegistryManager, clock, callPolicy } = services;
  const { offerOtherTools, timeout } = services.settings();
  const model = services.model();
  trace.modelName = model.name;
  const user: ChatMessage = { role: 'user', content: text };
  const messages: ChatMessage[] = [
    { role: 'system', content: systemPrompt(session, new Date(clock.wall())) },
    ...(configuration.enableContext ? [...session.messages, user].slice(-historyLength) : [user]),
  ];
  session.results.addUserText(text);
  const corrections = { count: 0 };
  let rounds = 0;
  let askedForWords = false;
  for (;;) {
    // Anew each time: a tool may have been switched off, or its device have left, while the last ones ran.
    const config = { ...defaultToolCallConfig, ...callPolicy().config };
    const catalog = createToolCatalog({ toolRegistryManager, clientToolsId, offerOtherTools, config });
    const { temperature, maxTokens } = configuration;
    const request = {
      messages: [...messages],
      ...(catalog.tools.length > 0 && { tools: catalog.tools }),
      ...(temperature !== null && { temperature }),
      maxTokens,
      totalMs: timeout * 1_000,
      signal,
    };
    const { reply, step } = await askTraced({ model, request, trace, clock, onProgress: turn.onProgress });
    signal.throwIfAborted();
    if (reply.toolCalls.length > 0) {
      checkRound(reply, rounds);
      const { text: content, toolCalls, reasoning } = reply;
      messages.push({ role: 'assistant', content, toolCalls, ...(reasoning !== undefined && { reasoning }) });
      messages.push(
        ...(await runToolRound({
          calls: toolCalls,
          isCut: reply.finishReason === 'length',
          step,
          catalog,
          turn,
          services,
          corrections,
        })),
      );
      signal.throwIfAborted();
      rounds += 1;
      continue;
    }
    const answer = answerOf(reply);
    if (/[\p{L}\p{N}]/u.test(answer)) return answer;
    if (askedForWords || reply.finishReason === 'length') throw noWords(reply, maxTokens);
    askedForWords = true;
    messages.push({ role: 'assistant', content: reply.text }, { role: 'user', content: askForWords });
  }
}

/** What the model is told once if nothing of its answer can be spoken. */
const askForWords =
  '请用可以朗读的文字回答，不要只用表情或符号。(Answer in words that can be spoken, not in symbols alone.)';

function noWords({ finishReason }: ChatReply, maxTokens: number): GatewayError {
  const details =
    finishReason === 'length'
      ? `The model used its limit of ${maxTokens} tokens without an answer. Raise max_tokens.`
      : 'The answer of the model has no words that can be spoken.';
  return new GatewayError('LLM_ERROR', 'Failed to process request', details);
}

function checkRound({ toolCalls }: ChatReply, rounds: number): void {
  if (rounds >= maxToolRounds)
    throw new GatewayError(
      'LLM_ERROR',
      'Failed to process request',
      `The model asked for tools ${rounds} times and would not stop.`,
    );
  if (toolCalls.length > maxCallsPerRound)
    throw new GatewayError(
      'LLM_ERROR',
      'Failed to process request',
      `The model asked for ${toolCalls.length} tools at once; at most ${maxCallsPerRound} are run.`,
    );
}

function answerOf({ text }: ChatReply): string {
  const answer = stripReasoning(text);
  const bytes = Buffer.byteLength(answer);
  if (bytes <= maxAnswerBytes) return cleanReply(answer);
  throw new GatewayError(
    'LLM_ERROR',
    'Failed to process request',
    `The answer has ${bytes} bytes; at most ${maxAnswerBytes} are passed on.`,
  );
}

function toGatewayError(error: unknown, { onError }: TurnServices): GatewayError {
  if (error instanceof GatewayError) return error;
  if (error instanceof ChatModelError && error.code === 'timeout')
    return new GatewayError('TIMEOUT', 'Request timeout', error.message, { cause: error });
  // A RequestError: there is no model, or its address or key cannot be used.
  if (error instanceof ChatModelError || error instanceof RequestError)
    return new GatewayError('LLM_ERROR', 'Failed to process request', error.message, { cause: error });
  onError(error, 'a turn of the gateway');
  return new GatewayError('INTERNAL_ERROR', 'Internal error', '', { cause: error });
}

/** The trace of a turn that has just begun. */
function beginTrace({ text, session }: Turn, startedAt: number): GatewayTurnTrace {
  return {
    id: randomUUID(),
    sessionId: session.id,
    text,
    modelName: '',
    startedAt,
    outcome: 'running',
    steps: [],
  };
}

/** Asks the model once and adds a step for it to the trace. Rejects as the model does. */
async function askTraced(options: {
  model: ChatModel;
  request: ChatRequest;
  trace: GatewayTurnTrace;
  clock: Pick<Clock, 'wall' | 'now'>;
  onProgress: Turn['onProgress'];
}): Promise<{ reply: ChatReply; step: GatewayTurnStep }> {
  const { model, request, trace, clock, onProgress } = options;
  const { messages, tools = [] } = request;
  const step: GatewayTurnStep = { at: clock.wall(), messages: [...messages], tools: [...tools], calls: [] };
  trace.steps.push(step);
  onProgress(trace);
  const began = clock.now();
  try {
    const reply = await model.generate(request);
    const { text, reasoning, finishReason, usage, exchange } = reply;
    step.reply = { text, finishReason, ...(reasoning !== undefined && { reasoning }) };
    if (usage !== undefined) step.usage = usage;
    if (exchange !== undefined) step.exchange = exchange;
    return { reply, step };
  } catch (error) {
    if (error instanceof ChatModelError && error.exchange !== undefined) step.exchange = error.exchange;
    throw error;
  } finally {
    step.durationMs = Math.round(clock.now() - began);
    onProgress(trace);
  }
}
