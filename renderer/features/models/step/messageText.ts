import type { ChatMessage } from '../../../../src-core/contract/types.ts';

/** All that a message says, its reasoning and its native calls included. */
export function messageText(message: ChatMessage): string {
  if (message.role === 'tool') return `${message.name} (${message.toolCallId})\n${message.content}`;
  if (message.role !== 'assistant') return message.content;
  const calls = (message.toolCalls ?? []).map(({ id, name, argumentsText }) => `${name} (${id})\n${argumentsText}`);
  return [message.reasoning, message.content, ...calls]
    .filter((part) => part !== undefined && part !== '')
    .join('\n\n');
}
