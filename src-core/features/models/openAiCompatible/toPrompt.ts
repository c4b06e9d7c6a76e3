import type { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { ChatMessage, ChatTool } from '../../../contract/chatMessages.ts';

/** The AI SDK's own model, and what one call of it takes. */
export type ProviderModel = ReturnType<ReturnType<typeof createOpenAICompatible>['chatModel']>;
type CallOptions = Parameters<ProviderModel['doStream']>[0];

/** A conversation as the AI SDK takes it. */
export function toPrompt(messages: readonly ChatMessage[]): CallOptions['prompt'] {
  return messages.map((message): CallOptions['prompt'][number] => {
    switch (message.role) {
      case 'system':
        return { role: 'system', content: message.content };
      case 'user': {
        const pictures = (message.pictures ?? []).map(({ mediaType, data }) => ({
          type: 'file' as const,
          mediaType,
          data: { type: 'data' as const, data },
        }));
        return { role: 'user', content: [{ type: 'text', text: message.content }, ...pictures] };
      }
      case 'assistant': {
        const { content, reasoning = '', toolCalls = [] } = message;
        return {
          role: 'assistant',
          content: [
            ...(reasoning === '' ? [] : [{ type: 'reasoning' as const, text: reasoning }]),
            { type: 'text', text: content },
            ...toolCalls.map(({ id, name, argumentsText }) => ({
              type: 'tool-call' as const,
              toolCallId: id,
              toolName: name,
              // Text that is JSON goes out to the letter: a number that JavaScript would round stays.
              input: argumentsText,
            })),
          ],
        };
      }
      case 'tool':
        return {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: message.toolCallId,
              toolName: message.name,
              output: { type: 'text', value: message.content },
            },
          ],
        };
    }
  });
}

/** Tools as the AI SDK takes them; without `execute`, since running them is the caller's loop. */
export function toProviderTools(tools: readonly ChatTool[]): NonNullable<CallOptions['tools']> {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function' as const,
    name,
    description,
    inputSchema: parameters,
  }));
}
