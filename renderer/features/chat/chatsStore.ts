import { defineStore } from 'pinia';
import { computed, shallowReactive } from 'vue';

import type { ChatView } from '../../../src-core/contract/types.ts';
import { keepText } from '../../ui/composables/keepText.ts';
import { injectConnection } from '../../client/connectionStore.ts';
import { createResource } from '../../client/resource.ts';

/** Every chat, changed last first, and what is being written in each. */
export const useChats = defineStore('chats', () => {
  const connection = injectConnection();
  const { client } = connection;
  const {
    data: list,
    loaded,
    error,
    refresh,
  } = createResource<ChatView[]>({ connection, topics: ['chats'], initial: [], fetch: () => client.chat.list() });
  const kept = keepText('chat.drafts');
  /** By chat; they survive a reload of the window. */
  const drafts = shallowReactive(new Map(readDrafts(kept.text.value)));

  function setDraft(id: string, text: string): void {
    if (text === '') drafts.delete(id);
    else drafts.set(id, text);
    kept.text.value = drafts.size === 0 ? '' : JSON.stringify([...drafts]);
  }

  return {
    list,
    loaded,
    error,
    refresh,
    byId: computed(() => new Map(list.value.map((chat) => [chat.id, chat]))),
    /** Calls in all chats that wait for the user. */
    waiting: computed(() => list.value.reduce((sum, { waiting }) => sum + waiting, 0)),
    draftOf: (id: string): string => drafts.get(id) ?? '',
    setDraft,
    /** The drafts have no room in the window's storage, so a reload would lose them. */
    draftsTooLarge: kept.isTooLarge,
  };
});

/** Drafts as this window stored them. */
function readDrafts(text: string): [string, string][] {
  return text === '' ? [] : (JSON.parse(text) as [string, string][]);
}
