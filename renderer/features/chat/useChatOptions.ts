import { computed, shallowRef, watch, type ComputedRef } from 'vue';

import type { ChatConfig, ChatOptions, ChatView } from '../../../src-core/contract/types.ts';
import { useClient } from '../../client/useClient.ts';
import { t } from '../../i18n/index.ts';
import { useToasts } from '../../window/toasts.ts';

/** A change of a chat's options; null takes a number away. */
export type OptionsChange = Partial<Omit<ChatOptions, 'temperature' | 'maxTokens'>> & {
  temperature?: number | null;
  maxTokens?: number | null;
};

/** The options of a chat, saved as they are changed and seen at once. They hold from the next request to the model. */
export function useChatOptions(chat: () => ChatView): {
  options: ComputedRef<ChatOptions>;
  change: (part: OptionsChange) => Promise<void>;
  /** A member that is undefined follows the settings again. */
  changeConfig: (part: { [K in keyof ChatConfig]?: ChatConfig[K] | undefined }) => Promise<void>;
} {
  const client = useClient();
  const toasts = useToasts();
  /** What the engine has been asked for and has not shown yet: the next change builds on it. */
  const asked = shallowRef<ChatOptions>();
  let underWay = 0;
  const options = computed(() => asked.value ?? chat().options);
  watch(chat, () => {
    if (underWay === 0) asked.value = undefined;
  });

  async function change(part: OptionsChange): Promise<void> {
    underWay += 1;
    asked.value = changed(options.value, part);
    try {
      await client.chat.updateOptions({ sessionId: chat().id, options: part });
    } catch (cause) {
      asked.value = undefined;
      toasts.fail(t('chat.options.failed'), cause);
    } finally {
      underWay -= 1;
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

function changed(options: ChatOptions, { temperature, maxTokens, ...part }: OptionsChange): ChatOptions {
  const { temperature: hot, maxTokens: most, ...rest } = options;
  const numbers = {
    temperature: temperature === undefined ? hot : (temperature ?? undefined),
    maxTokens: maxTokens === undefined ? most : (maxTokens ?? undefined),
  };
  return {
    ...rest,
    ...part,
    ...(numbers.temperature !== undefined && { temperature: numbers.temperature }),
    ...(numbers.maxTokens !== undefined && { maxTokens: numbers.maxTokens }),
  };
}
