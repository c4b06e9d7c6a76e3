import { randomUUID } from 'node:crypto';

import { ChatModelError, type ChatModel, type ChatReply, type ChatRequest } from '../models/chatModel.ts';
import type { Clock } from '../../base/clock.ts';
import type { Turn } from './turnContext.ts';
import type { GatewayTurnStep, GatewayTurnTrace } from './turnTypes.ts';

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
  onProgress: Turn['onProgress'];
}): Promise<{ reply: ChatReply; step: GatewayTurnStep }> {
  const { model, request, trace, clock, onProgress } = options;
  const { messages, tools = [] } = request;
  const step: GatewayTurnStep = {
    at: clock.wall(),
    messages: [...messages],
    tools: [...tools],
    calls: [],
  };
  trace.steps.push(step);
  onProgress(trace);
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
    onProgress(trace);
  }
}
