import { ref, shallowRef, watch, type Ref, type ShallowRef } from 'vue';

import type { ConnectionFacts } from '../../../../src-core/contract/types.ts';
import { useClient } from '../../../client/useClient.ts';
import { useTopic } from '../../../client/useTopic.ts';

/** The addresses a device can connect to. They are fetched while `wanted`, and again when the listener changes. */
export function useConnectionFacts(wanted: () => boolean): {
  facts: ShallowRef<ConnectionFacts | undefined>;
  error: Ref<string | undefined>;
} {
  const client = useClient();
  const facts = shallowRef<ConnectionFacts>();
  const error = ref<string>();

  async function ask(): Promise<void> {
    if (!wanted()) return;
    try {
      facts.value = await client.devices.connectionFacts();
      error.value = undefined;
    } catch (cause) {
      error.value = cause instanceof Error ? cause.message : String(cause);
    }
  }

  watch(wanted, () => void ask(), { immediate: true });
  useTopic(['info', 'settings'], () => void ask());
  return { facts, error };
}
