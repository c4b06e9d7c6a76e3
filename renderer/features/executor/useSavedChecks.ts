import { shallowRef, watch, type Ref } from 'vue';

import type { Verdict } from '../../../src-core/contract/types.ts';
import { injectConnection } from '../../client/connectionStore.ts';
import { useTopic } from '../../client/useTopic.ts';
import { neverWentOut, verdictOf } from '../calls/verdictOf.ts';
import { useCollections } from '../collections/collectionsStore.ts';
import type { ShownCall } from './result/shownCall.ts';
import type { SavedOrigin } from './useSavedOrigins.ts';

type Place = Pick<SavedOrigin, 'folder' | 'file'>;

/** The assertions of a saved call on one result; without any, that the call succeeds. */
export interface SavedChecks {
  callId: string;
  /** The saved call's name. */
  name: string;
  verdicts: readonly Verdict[];
}

/** Checks the assertions of the saved call in the form on the shown call, and again if the saved call changes. */
export function useSavedChecks(origin: Ref<Place | undefined>, shown: () => ShownCall | undefined) {
  const { client } = injectConnection();
  const collections = useCollections();
  const found = shallowRef<SavedChecks>();
  let asked = 0;

  async function check({ folder, file }: Place, { callId }: ShownCall): Promise<SavedChecks> {
    const { assertions, name } = (await client.collections.call({ folder, file })).draft;
    const all = await collections.check({ callId, assertions, folder, file });
    // That the call succeeds is expected without an assertion, and is not counted as one.
    const verdicts = all.length > assertions.length && all[0]?.outcome === 'passed' ? all.slice(1) : all;
    return { callId, name, verdicts };
  }

  async function refresh(): Promise<void> {
    const mine = ++asked;
    const saved = origin.value;
    const call = shown();
    // A saved call that was deleted or is invalid has no assertions; its list says what is wrong with it.
    const now =
      saved && call && !neverWentOut(call.result) ? await check(saved, call).catch(() => undefined) : undefined;
    if (mine === asked) found.value = now;
  }
  watch(
    () => [origin.value?.folder, origin.value?.file].join('\n'),
    () => (found.value = undefined),
  );
  // Meanwhile the checks of the result before stay, so that nothing moves between two results.
  watch(
    () => [shown()?.callId, origin.value?.folder, origin.value?.file].join('\n'),
    () => void refresh(),
    { immediate: true },
  );
  useTopic(['collections'], () => void refresh());

  /** Keeps the outcome of a call as the last run of the saved call that it is. */
  async function keep({ folder, file }: Place, call: ShownCall | undefined): Promise<void> {
    if (call === undefined || neverWentOut(call.result) || verdictOf(call.result) === 'cancelled') return;
    const checks = await check({ folder, file }, call).catch(() => undefined);
    if (checks === undefined) return;
    const verdict = checks.verdicts.some(({ outcome }) => outcome === 'failed') ? 'failed' : 'passed';
    const { durationMs } = call.result;
    const run = { at: call.startedAt, verdict, durationMs, tool: call.qualifiedName } as const;
    await client.collections.record({ folder, file, run }).catch(() => undefined);
  }

  return {
    found,
    keep,
    /** The same for the shown call, from which a saved call was made. */
    async keepShown(saved: Place): Promise<void> {
      const call = shown();
      if (call?.rules === undefined) await keep(saved, call);
    },
  };
}
