import { computed, watch, type ComputedRef } from 'vue';

import type { ChatAssistantEntry, ChatUserEntry } from '../../../../src-core/contract/types.ts';
import type { Conversation } from '../useConversation.ts';

/** One message and the steps that answered it. */
export interface ChatTurnView {
  message: ComputedRef<ChatUserEntry | undefined>;
  steps: ComputedRef<ChatAssistantEntry[]>;
}

/** Finds a message in a conversation, going back to it, with the steps up to the next message. */
export function useTurn(conversation: Conversation, entryId: string): ChatTurnView {
  const at = computed(() => conversation.entries.value.findIndex(({ id }) => id === entryId));
  watch(
    [at, conversation.hasEarlier, conversation.entries],
    () => {
      if (at.value === -1 && conversation.hasEarlier.value) void conversation.loadEarlier();
    },
    { immediate: true },
  );
  return {
    message: computed(() => {
      const entry = conversation.entries.value[at.value];
      return entry?.role === 'user' ? entry : undefined;
    }),
    steps: computed(() => {
      if (at.value === -1) return [];
      const after = conversation.entries.value.slice(at.value + 1);
      const end = after.findIndex(({ role }) => role === 'user');
      const turn = end === -1 ? after : after.slice(0, end);
      return turn.filter((entry): entry is ChatAssistantEntry => entry.role === 'assistant');
    }),
  };
}
