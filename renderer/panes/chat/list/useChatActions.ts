import { Download, Pencil, Trash2 } from '@lucide/vue';
import { ref, shallowRef, type Ref, type ShallowRef } from 'vue';

import type { ChatView } from '../../../../src-core/api/types.ts';
import type { MenuItem } from '../../../components/Menu.vue';
import { useClient } from '../../../composables/useClient.ts';
import { t } from '../../../i18n/index.ts';
import { useClosed } from '../../../stores/closed.ts';
import { useToasts } from '../../../stores/toasts.ts';

/** What a chat's menu offers, and the questions it leads to. */
export function useChatActions({ save }: { save: (sessionId: string) => Promise<void> }): {
  menuOf: (chat: ChatView) => MenuItem[];
  /** The chat whose name is being asked for. */
  renaming: ShallowRef<ChatView | undefined>;
  /** The chat that is to go, once `isRemoving` was answered with yes. */
  removing: ShallowRef<ChatView | undefined>;
  isRemoving: Ref<boolean>;
  remove: () => Promise<void>;
} {
  const client = useClient();
  const toasts = useToasts();
  const closed = useClosed();
  const renaming = shallowRef<ChatView>();
  const removing = shallowRef<ChatView>();
  const isRemoving = ref(false);

  function askToRemove(chat: ChatView): void {
    removing.value = chat;
    isRemoving.value = true;
  }

  return {
    renaming,
    removing,
    isRemoving,
    menuOf: (chat) => [
      { label: t('chat.list.rename'), icon: Pencil, run: () => (renaming.value = chat) },
      { label: t('chat.list.export'), icon: Download, run: () => void save(chat.id) },
      { label: t('chat.list.remove'), icon: Trash2, danger: true, run: () => askToRemove(chat) },
    ],
    async remove() {
      const chat = removing.value;
      if (chat === undefined) return;
      try {
        await client.chat.remove({ sessionId: chat.id });
        await closed.tellRemoved(({ kind, of }) => kind === 'chat' && of === chat.id);
      } catch (cause) {
        toasts.fail(t('chat.list.removeFailed'), cause);
      }
    },
  };
}
