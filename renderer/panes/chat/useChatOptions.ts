import { computed, type ComputedRef } from 'vue';

import type { ChatConfig, ChatOptions, ChatView } from '../../../src-core/api/types.ts';
import { useClient } from '../../composables/useClient.ts';
import { t } from '../../i18n/index.ts';
import { useToasts } from '../../stores/toasts.ts';

/** A change of a chat's options; null takes a number away. */
export type OptionsChange = Partial<Omit<ChatOptions, 'temperature' | 'maxTokens'>> & {
  temperature?: number | null;
  maxTokens?: number | null;
};

/** The options of a chat, saved as they are changed. They hold from the next request to the model. */
export function useChatOptions(chat: () => ChatView): {
  options: ComputedRef<ChatOptions>;
  change: (part: OptionsChange) => Promise<void>;
  /** A member that is undefined follows the settings again. */
  changeConfig: (part: { [K in keyof ChatConfig]?: ChatConfig[K] | undefined }) => Promise<void>;
} {
  const client = useClient();
  const toasts = useToasts();
  const options = computed(() => chat().options);

  async function change(part: OptionsChange): Promise<void> {
    try {
      await client.chat.updateOptions({ sessionId: chat().id, options: part });
    } catch (cause) {
      toasts.fail(t('chat.options.failed'), cause);
    }
  }

  return {
    options,
    change,
    changeConfig(part) {
      const merged = Object.entries({ ...options.value.config, ...part }).filter(([, value]) => value !== undefined);
      return change({ config: Object.fromEntries(merged) });
    },
  };
}
