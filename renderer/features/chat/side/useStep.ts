import { shallowRef, watch, type ShallowRef } from 'vue';

import type { ChatAssistantEntry, ChatStep } from '../../../../src-core/contract/types.ts';
import { useClient } from '../../../client/useClient.ts';

/** What went to the model in a step, and what came back. */
export type StepFacts =
  { phase: 'none' } | { phase: 'loading' } | { phase: 'shown'; step: ChatStep } | { phase: 'failed'; message: string };

/** Fetches a step's request and answer; again when the step has ended. The last ones stay until the next are here. */
export function useStep(entry: () => ChatAssistantEntry | undefined): ShallowRef<StepFacts> {
  const client = useClient();
  const facts = shallowRef<StepFacts>({ phase: 'none' });
  let asked = 0;

  watch(
    () => [entry()?.stepId, entry()?.state === 'streaming'] as const,
    async ([id]) => {
      const number = ++asked;
      if (id === undefined) {
        facts.value = { phase: 'none' };
        return;
      }
      if (facts.value.phase !== 'shown') facts.value = { phase: 'loading' };
      try {
        const step = await client.chat.exchange({ id });
        if (number === asked) facts.value = { phase: 'shown', step };
      } catch (cause) {
        const message = cause instanceof Error ? cause.message : String(cause);
        if (number === asked) facts.value = { phase: 'failed', message };
      }
    },
    { immediate: true },
  );
  return facts;
}
