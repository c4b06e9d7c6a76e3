import type { ChatMessage, ChatReply } from '../models/chatModel.ts';
import { ChatModelError } from '../models/chatModel.ts';
import { GatewayError } from './gatewayError.ts';
import { cleanReply } from './reply/cleanReply.ts';
import { stripReasoning } from './reply/stripReasoning.ts';
import { runToolRound } from './runToolRound.ts';
import { historyLength } from './sessionStore.ts';
import { systemPrompt } from './systemPrompt.ts';
import { createToolCatalog } from './toolCatalog.ts';
import { defaultToolCallConfig } from '../tools/calls.ts';
import { RequestError } from '../tools/requestError.ts';
import type { Turn, TurnServices } from './turnContext.ts';

/** Rounds of tools in one turn (spec/gateway.md, 11). */
export const maxToolRounds = 10;
/** Calls in one reply of the model. */
const maxCallsPerRound = 64;
/** Bytes of an answer before it is cleaned, without reasoning: as JSON it fits a frame of 1 MiB. */
const maxAnswerBytes = 512 * 1024;

/** How a turn ended. */
export interface TurnOutcome {
  /** Rounds of tools that were run. */
  rounds: number;
  /** Absent where it was answered. */
  failure?: GatewayError;
}

/**
 * One turn: status, the model and its tools, one terminal frame, status (spec/gateway.md, 1, 4, 11). Never rejects; where
 * the connection goes, it ends without a word. Only a turn that went well is remembered.
 */
export async function runTurn(turn: Turn, services: TurnServices): Promise<TurnOutcome> {
  const { send, session, signal } = turn;
  const outcome: TurnOutcome = { rounds: 0 };
  send({ type: 'status', status: 'processing', data: { message: '正在处理您的请求...' } });
  try {
    const content = await converse(turn, services, outcome);
    services.sessions.remember(session, [
      { role: 'user', content: turn.text },
      { role: 'assistant', content },
    ]);
    send({ type: 'llm_response', content, tool_calls: [], is_final: true });
  } catch (error) {
    if (signal.aborted) return outcome;
    const { code, message, details } = (outcome.failure = toGatewayError(error, services));
    send({ type: 'error', code, message, details });
  } finally {
    session.results.forgetFolded();
  }
  send({ type: 'status', status: 'idle', data: { session_id: session.id } });
  return outcome;
}

/** Asks the model until it answers without calls; gives that answer, cleaned. */
async function converse(turn: Turn, services: TurnServices, outcome: TurnOutcome): Promise<string> {
  const { text, session, configuration, clientToolsId, signal } = turn;
  const { toolRegistryManager, clock, callPolicy } = services;
  const { offerOtherTools, timeout } = services.settings();
  const model = services.model();
  const user: ChatMessage = { role: 'user', content: text };
  const messages: ChatMessage[] = [
    { role: 'system', content: systemPrompt(session, new Date(clock.wall())) },
    ...(configuration.enableContext ? [...session.messages, user].slice(-historyLength) : [user]),
  ];
  session.results.addUserText(text);
  for (;;) {
    // Anew each time: a tool may have been switched off, or its device have left, while the last ones ran.
    const config = { ...defaultToolCallConfig, ...callPolicy().config };
    const catalog = createToolCatalog({ toolRegistryManager, clientToolsId, offerOtherTools, config });
    const reply = await model.generate({
      messages: [...messages],
      ...(catalog.tools.length > 0 && { tools: catalog.tools }),
      temperature: configuration.temperature,
      maxTokens: configuration.maxTokens,
      totalMs: timeout * 1_000,
      signal,
    });
    signal.throwIfAborted();
    if (reply.toolCalls.length === 0) return answerOf(reply);
    checkRound(reply, outcome.rounds);
    const { text: content, toolCalls, reasoning } = reply;
    messages.push({ role: 'assistant', content, toolCalls, ...(reasoning !== undefined && { reasoning }) });
    messages.push(...(await runToolRound({ calls: reply.toolCalls, catalog, turn, services })));
    signal.throwIfAborted();
    outcome.rounds += 1;
  }
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
