import { randomUUID } from 'node:crypto';

import {
  ChatModelError,
  type ChatExchange,
  type ChatMessage,
  type ChatModel,
  type ChatReply,
  type ChatRequest,
  type ChatTool,
  type ChatUsage,
} from '../models/chatModel.ts';
import type { ToolExecutionResult } from '../tools/calls.ts';
import type { Clock } from '../tools/clock.ts';
import type { Turn } from './turnContext.ts';

/** One call of a model in a turn, and what the model was told of it. */
export interface GatewayTurnCall {
  /** The tool's name as the client knows it; the model's own name for a tool that does not exist. */
  name: string;
  /** Whether the client runs it. */
  isClients: boolean;
  /** As the model wrote them. */
  argumentsText: string;
  /** JSON text of the arguments that were sent; absent if the call was not made. */
  argsJson?: string;
  /** Id of the call in history and in `tool_callback`; absent if the call was not made. */
  callId?: string;
  status: ToolExecutionResult['status'] | 'refused' | 'running';
  /** What the model is told. */
  told?: string;
  /** ms of the tool; absent while it runs and if the call was not made. */
  durationMs?: number;
}

/** One request to the model, and the calls of its reply. */
export interface GatewayTurnStep {
  /** Epoch ms. */
  at: number;
  /** The prompt as it was sent. */
  messages: ChatMessage[];
  /** The tools as they were sent. */
  tools: ChatTool[];
  /** ms to the end of the reply; absent while the model works. */
  durationMs?: number;
  reply?: Pick<ChatReply, 'text' | 'reasoning' | 'finishReason'>;
  usage?: ChatUsage;
  /** What went over the wire; absent for a model without one. */
  exchange?: ChatExchange;
  calls: GatewayTurnCall[];
}

/** One turn: a question of a client, all requests to the model, their calls, and the answer. */
export interface GatewayTurnTrace {
  /** Unique among the turns of all runs. */
  id: string;
  sessionId: string;
  /** The client's question. */
  text: string;
  modelName: string;
  /** Epoch ms. */
  startedAt: number;
  /** Absent while it runs. */
  durationMs?: number;
  /** `running`, `answered`, `disconnected`, or the code of its error. */
  outcome: string;
  /** Of the error. */
  details?: string;
  /** The answer as the client got it. */
  answer?: string;
  steps: GatewayTurnStep[];
}

/** The trace of a turn that has just begun. */
export function beginTrace({ text, session }: Turn, startedAt: number): GatewayTurnTrace {
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
export async function askTraced(options: {
  model: ChatModel;
  request: ChatRequest;
  trace: GatewayTurnTrace;
  clock: Pick<Clock, 'wall' | 'now'>;
}): Promise<{ reply: ChatReply; step: GatewayTurnStep }> {
  const { model, request, trace, clock } = options;
  const { messages, tools = [] } = request;
  const step: GatewayTurnStep = {
    at: clock.wall(),
    messages: [...messages],
    tools: [...tools],
    calls: [],
  };
  trace.steps.push(step);
  const began = clock.now();
  try {
    const reply = await model.generate(request);
    const { text, reasoning, finishReason, usage, exchange } = reply;
    step.reply = {
      text,
      finishReason,
      ...(reasoning !== undefined && { reasoning }),
    };
    if (usage !== undefined) step.usage = usage;
    if (exchange !== undefined) step.exchange = exchange;
    return { reply, step };
  } catch (error) {
    if (error instanceof ChatModelError && error.exchange !== undefined) step.exchange = error.exchange;
    throw error;
  } finally {
    step.durationMs = Math.round(clock.now() - began);
  }
}
