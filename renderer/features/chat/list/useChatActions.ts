import { Upload, Pencil, Trash2 } from '@lucide/vue';
import { ref, shallowRef, type Ref, type ShallowRef } from 'vue';

import type { ChatView } from '../../../../src-core/contract/types.ts';
import type { MenuItem } from '../../../ui/Menu.vue';
import { useClient } from '../../../client/useClient.ts';
import { t } from '../../../i18n/index.ts';
import { useClosed } from '../../trash/closedStore.ts';
import { useToasts } from '../../../window/toasts.ts';

/** What a chat's menu offers, and the questions it leads to. */
export function useChatActions({ save }: { save: (sessionId: string) => Promise<void> }): {
  menuOf: (chat: ChatView) => MenuItem[];
  /** The chat whose name is being asked for. */
  renaming: ShallowRef<ChatView | undefined>;
  rename: (title: string) => Promise<void>;
  /** The chat that is to go though its turn runs, once `isRemoving` was answered with yes. */
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

  async function rename(title: string): Promise<void> {
    const sessionId = renaming.value?.id;
    if (sessionId === undefined) return;
    try {
      await client.chat.rename({ sessionId, title });
    } catch (cause) {
      toasts.fail(t('chat.list.renameFailed'), cause);
    }
  }

  async function remove(chat: ChatView): Promise<void> {
    try {
      await closed.remove('chat', chat.id, () => client.chat.remove({ sessionId: chat.id }));
    } catch (cause) {
      toasts.fail(t('chat.list.removeFailed'), cause);
    }
  }

  /** A chat comes back; the turn that is stopped does not. */
  function askToStop(chat: ChatView): void {
    removing.value = chat;
    isRemoving.value = true;
  }

  return {
    renaming,
    rename,
    removing,
    isRemoving,
    menuOf: (chat) => [
      { label: t('common.rename'), icon: Pencil, keys: 'f2', run: () => (renaming.value = chat) },
      { label: t('chat.list.export'), icon: Upload, run: () => void save(chat.id) },
      {
        label: t('chat.list.remove'),
        icon: Trash2,
        keys: 'delete',
        danger: true,
        run: () => (chat.running ? askToStop(chat) : void remove(chat)),
      },
    ],
    remove: () => (removing.value ? remove(removing.value) : Promise.resolve()),
  };
}
