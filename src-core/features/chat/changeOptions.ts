import type { ChatOptions } from './session.ts';

/** A change of a chat's options: only the named ones; `config` as a whole. Null takes an optional one away. */
export type ChatOptionsChange = Partial<Omit<ChatOptions, 'temperature' | 'maxTokens'>> & {
  temperature?: number | null;
  maxTokens?: number | null;
};

/** The options after a change. */
export function changeOptions(options: ChatOptions, change: ChatOptionsChange): ChatOptions {
  const { temperature, maxTokens, ...rest } = { ...options, ...change };
  return {
    ...rest,
    ...(typeof temperature === 'number' && { temperature }),
    ...(typeof maxTokens === 'number' && { maxTokens }),
  };
}
