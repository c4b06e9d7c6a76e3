import { watchDebounced } from '@vueuse/core';
import { shallowRef, type ShallowRef } from 'vue';

import type { ChatPromptSize, ChatView } from '../../../src-core/contract/types.ts';
import { useClient } from '../../client/useClient.ts';
import { useChats } from './chatsStore.ts';
import { useSettings } from '../../window/settingsStore.ts';
import { useTools } from '../discovery/toolsStore.ts';

/** How much the next message of a chat would send, with its draft; or why nothing can be sent. */
export function usePromptSize(chat: () => ChatView): ShallowRef<ChatPromptSize | { refused: string } | undefined> {
  const client = useClient();
  const chats = useChats();
  const settings = useSettings();
  const tools = useTools();
  const size = shallowRef<ChatPromptSize | { refused: string }>();
  let asked = 0;

  async function fetchSize(): Promise<void> {
    const number = ++asked;
    const { id: sessionId } = chat();
    const text = chats.draftOf(sessionId);
    const next = await client.chat
      .promptSize({ sessionId, ...(text !== '' && { text }) })
      .catch((cause: unknown) => ({ refused: cause instanceof Error ? cause.message : String(cause) }));
    if (number === asked) size.value = next;
  }

  watchDebounced(
    [() => chats.draftOf(chat().id), () => chat().revision, () => tools.list, () => settings.current.toolCallConfig],
    fetchSize,
    { debounce: 400, immediate: true },
  );
  return size;
}
