import { ref, type Ref } from 'vue';

import { prettyFrame } from '../../../components/log/prettyFrame.ts';
import { useClient } from '../../../composables/useClient.ts';

/** The text of one event of the wire, asked for when somebody wants to see it. */
export function useEventText(sessionId: () => string): {
  /** Laid out, where it is JSON. */
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
        const event = await client.realtime.event({ id: sessionId(), seq });
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
