import type { ChatOptions, ChatOptionsChange } from '../../contract/chat.ts';

/** The options after a change. */
export function changeOptions(options: ChatOptions, change: ChatOptionsChange): ChatOptions {
  const { temperature, maxTokens, ...rest } = { ...options, ...change };
  return {
    ...rest,
    ...(typeof temperature === 'number' && { temperature }),
    ...(typeof maxTokens === 'number' && { maxTokens }),
  };
}
