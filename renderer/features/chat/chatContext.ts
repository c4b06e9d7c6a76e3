import { inject, type InjectionKey, type ShallowRef } from 'vue';

import type { ChatView } from '../../../src-core/contract/types.ts';

/** What the parts of one conversation share. */
export interface ChatContext {
  sessionId: string;
  session: Readonly<ShallowRef<ChatView | undefined>>;
  /** Shows a step's request and answer; absent where there is no room for them. */
  inspect?: (entryId: string) => void;
  /** Offers to run a message again otherwise; absent where that is being looked at already. */
  rerun?: (entryId: string) => void;
}

export const chatContextKey: InjectionKey<ChatContext> = Symbol('chat');

/** The conversation that a part belongs to. */
export function useChatContext(): ChatContext {
  const context = inject(chatContextKey);
  if (!context) throw new Error('No conversation around this part');
  return context;
}
