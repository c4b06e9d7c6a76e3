import { ChatModelError } from '../../../../src-core/features/models/chatModel.ts';
import type { ChatToolCall } from '../../../../src-core/contract/chatMessages.ts';
import type { ChatModel, ChatReply, ChatRequest } from '../../../../src-core/features/models/chatModel.ts';

/** What the model does when it is asked: a reply, or a function that makes one. */
export type TestStep =
  | Partial<ChatReply>
  | ((request: ChatRequest) => Partial<ChatReply> | Promise<Partial<ChatReply>>);

export interface TestModel extends ChatModel {
  /** Every request so far. */
  requests: ChatRequest[];
}

/** A model that takes one step after the other, and says "Done." when there are none left. */
export function createTestModel(steps: TestStep[], name = 'Test model'): TestModel {
  const requests: ChatRequest[] = [];
  return {
    name,
    requests,
    async generate(request) {
      const step = steps[requests.push(request) - 1] ?? { text: 'Done.' };
      const reply = typeof step === 'function' ? await step(request) : step;
      const { text = '', toolCalls = [], ...rest } = reply;
      return { text, toolCalls, finishReason: toolCalls.length > 0 ? 'tool-calls' : 'stop', ...rest };
    },
  };
}

/** A reply that says something and then never ends, unless it is cancelled. */
export function stall(text = '', toolCalls: ChatToolCall[] = []): TestStep {
  return ({ signal, onPart }) => {
    if (text !== '') onPart?.({ type: 'text', text });
    for (const call of toolCalls) onPart?.({ type: 'tool-call', call });
    return new Promise((_, reject) => {
      const cancelled = (): void => reject(new ChatModelError('cancelled', 'The step was cancelled.'));
      if (signal?.aborted === true) cancelled();
      signal?.addEventListener('abort', cancelled);
    });
  };
}

/** A call as VCP. */
export function block(toolName: string, args: Record<string, string> = {}, requestId?: string): string {
  const fields = { tool_name: toolName, ...(requestId !== undefined && { request_id: requestId }), ...args };
  const lines = Object.entries(fields).map(([key, value]) => `${key}:「始」${value}「末」`);
  return ['<<<[TOOL_REQUEST]>>>', ...lines, '<<<[END_TOOL_REQUEST]>>>'].join('\n');
}
