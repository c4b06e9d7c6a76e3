import { ref, type Ref } from 'vue';

import { useClient } from '../../client/useClient.ts';
import { t } from '../../i18n/index.ts';
import { useToasts } from '../../window/toasts.ts';

/** Makes a chat with the default model and, where there are first words, says them in it. */
export function useNewChat(made: (sessionId: string) => Promise<void>): {
  creating: Ref<boolean>;
  create: (firstWords?: string) => Promise<void>;
} {
  const client = useClient();
  const toasts = useToasts();
  const creating = ref(false);
  return {
    creating,
    async create(firstWords) {
      creating.value = true;
      try {
        const { id } = await client.chat.create({});
        if (firstWords !== undefined) await client.chat.send({ sessionId: id, text: firstWords });
        await made(id);
      } catch (cause) {
        toasts.fail(t('chat.list.createFailed'), cause);
      } finally {
        creating.value = false;
      }
    },
  };
}
