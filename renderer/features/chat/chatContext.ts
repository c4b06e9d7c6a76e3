import { inject, type InjectionKey, type ShallowRef } from 'vue';

import type { ChatView } from '../../../src-core/contract/types.ts';

/** Shared by the parts of one conversation. */
export interface ChatContext {
  sessionId: string;
  session: Readonly<ShallowRef<ChatView | undefined>>;
  /** Shows a step's request and answer; absent if there is no room for them. */
  inspect?: (entryId: string) => void;
  /** Offers to rerun a message with other settings; absent inside that comparison. */
  rerun?: (entryId: string) => void;
}

export const chatContextKey: InjectionKey<ChatContext> = Symbol('chat');

/** The conversation that a part belongs to. */
export function useChatContext(): ChatContext {
  const context = inject(chatContextKey);
  if (!context) throw new Error('No conversation around this part');
  return context;
}
