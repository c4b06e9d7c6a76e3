import { ref, type Ref } from 'vue';

import { prettyFrame } from '../../log/prettyFrame.ts';
import { useClient } from '../../../client/useClient.ts';
import type { ConversationSource } from '../useConversation.ts';

/** The text of one event of the wire, loaded on demand. */
export function useEventText(source: () => ConversationSource): {
  /** Formatted if it is JSON. */
  text: Ref<string | undefined>;
  error: Ref<string | undefined>;
  load(seq: number): Promise<void>;
} {
  const client = useClient();
  const text = ref<string>();
  const error = ref<string>();
  let wanted = 0;
  return {
    text,
    error,
    async load(seq) {
      wanted = seq;
      try {
        const event = await client.realtime.event({ ...source(), seq });
        if (wanted !== seq) return;
        text.value = prettyFrame(event.text);
        error.value = undefined;
      } catch (cause) {
        if (wanted !== seq) return;
        text.value = undefined;
        error.value = cause instanceof Error ? cause.message : String(cause);
      }
    },
  };
}
