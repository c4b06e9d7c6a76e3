import { defineStore } from 'pinia';
import { computed, shallowReactive } from 'vue';

import type { ChatView } from '../../src-core/api/types.ts';
import { injectConnection } from './connection.ts';
import { createResource } from './resource.ts';

/** Every chat, changed last first, and what is being written in each. */
export const useChats = defineStore('chats', () => {
  const connection = injectConnection();
  const { client } = connection;
  const {
    data: list,
    loaded,
    error,
    refresh,
  } = createResource<ChatView[]>({
    connection,
    topics: ['chats'],
    initial: [],
    fetch: () => client.chat.list(),
  });
  /** By chat; lives as long as the window. */
  const drafts = shallowReactive(new Map<string, string>());

  return {
    list,
    loaded,
    error,
    refresh,
    byId: computed(() => new Map(list.value.map((chat) => [chat.id, chat]))),
    /** Calls in all chats that wait for a person. */
    waiting: computed(() => list.value.reduce((sum, { waiting }) => sum + waiting, 0)),
    draftOf: (id: string): string => drafts.get(id) ?? '',
    setDraft: (id: string, text: string): void => void (text === '' ? drafts.delete(id) : drafts.set(id, text)),
  };
});
