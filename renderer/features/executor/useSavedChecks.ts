import { computed, shallowRef, watch, type Ref } from 'vue';

import type { Verdict } from '../../../src-core/contract/types.ts';
import { injectConnection } from '../../client/connectionStore.ts';
import { useTopic } from '../../client/useTopic.ts';
import { t } from '../../i18n/index.ts';
import { joinList } from '../../i18n/joinTexts.ts';
import { neverWentOut, verdictOf } from '../calls/verdictOf.ts';
import { useCollections } from '../collections/collectionsStore.ts';
import { isSameArguments } from './result/isSameArguments.ts';
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

/** The form of a saved call. */
interface SavedForm {
  text: Ref<string>;
  /** The shown call, if it has the arguments of the form. */
  shown: () => ShownCall | undefined;
  /** All variables of the saved call now have values. */
  onFilled: (saved: SavedOrigin) => void;
  /** The tool id of its device, if it is connected. */
  device: () => string | undefined;
}

/** Checks the assertions of the saved call in the form on the shown call, and again if the saved call changes. */
export function useSavedChecks(origin: Ref<SavedOrigin | undefined>, { text, shown, onFilled, device }: SavedForm) {
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
  const { argumentsOf, ...form } = useCurrentArguments(origin, { text, onFilled, device });

  /** Keeps the outcome of a call as the last run of a saved call. */
  async function keep({ folder, file }: Place, call: ShownCall | undefined): Promise<void> {
    if (call === undefined || neverWentOut(call.result) || verdictOf(call.result) === 'cancelled') return;
    const checks = await check({ folder, file }, call).catch(() => undefined);
    if (checks === undefined) return;
    const verdict = checks.verdicts.some(({ outcome }) => outcome === 'failed') ? 'failed' : 'passed';
    const { durationMs } = call.result;
    const run = { at: call.startedAt, verdict, durationMs, tool: call.qualifiedName } as const;
    await client.collections.record({ folder, file, run }).catch(() => undefined);
  }

  /**
   * Compares a call with the saved call in the form, before it runs, because variables may change meanwhile. The returned function
   * keeps the outcome as the last run of the saved call if the arguments are the same.
   */
  function keeperOf({ rules, argsJson }: Pick<ShownCall, 'rules' | 'argsJson'>) {
    const saved = origin.value;
    const own = saved === undefined || rules !== undefined ? undefined : argumentsOf(saved);
    return async (call: ShownCall | undefined): Promise<void> => {
      const now = await own;
      if (saved !== undefined && now !== undefined && isSameArguments(argsJson, now)) await keep(saved, call);
    };
  }

  return {
    found,
    ...form,
    keeperOf,
    /** The form was saved as this call, and so was the shown call, if it has its arguments. */
    saveAs(saved: SavedOrigin): void {
      origin.value = saved;
      const call = shown();
      if (call !== undefined) void keeperOf(call)(call);
    },
  };
}

/** Says which variables and secrets have no value. */
export const wordUnset = (names: readonly string[]): string =>
  t('saved.tree.missing', { names: joinList(names.map((name) => `{{${name}}}`)) });

/** The arguments of saved calls as they would run now. */
function useCurrentArguments(
  origin: Ref<SavedOrigin | undefined>,
  { text, onFilled, device }: Omit<SavedForm, 'shown'>,
) {
  const collections = useCollections();
  /** The arguments of the saved call in the form with its variables as they are now; undefined if one has no value. */
  const current = computed(() => (missing.value.length === 0 ? filled.value?.argsJson : undefined));
  /** Its variables and secrets that have no value. */
  const missing = computed(() => filled.value?.missing ?? []);
  const filled = shallowRef<{ argsJson: string; missing: readonly string[] }>();
  const fill = ({ folder, file }: Place) => collections.fill({ folder, file, device: device() }).catch(() => undefined);
  /** The arguments of a saved call with its variables as they are now; undefined if one has no value. */
  async function argumentsOf(saved: Place): Promise<string | undefined> {
    const now = await fill(saved);
    return now?.missing.length === 0 ? now.argsJson : undefined;
  }
  const savedForm = () => origin.value && { argsJson: origin.value.argsJson, missing: [] };
  let renewed = 0;
  async function renew(): Promise<void> {
    const mine = ++renewed;
    const now = origin.value && (await fill(origin.value));
    // Without its device, the call is compared as it was saved.
    if (mine === renewed) filled.value = now ?? savedForm();
  }
  watch(
    () =>
      JSON.stringify([origin.value?.folder, origin.value?.file, collections.chosenFor(origin.value?.folder), device()]),
    () => {
      filled.value = savedForm();
      void renew();
    },
    { immediate: true },
  );
  useTopic(['collections'], () => void renew());
  watch(current, (argsJson, before) => {
    if (origin.value && argsJson !== undefined && before === undefined) onFilled({ ...origin.value, argsJson });
  });
  /** The variables and secrets in the form that have no value. */
  const unset = computed(() => missing.value.filter((name) => text.value.includes(`{{${name}}}`)));
  /** Why the form cannot run: a variable would be sent as it is written. The engine fills in secrets itself. */
  const hindrance = computed(() =>
    unset.value.some((name) => !name.startsWith('$')) ? wordUnset(unset.value) : undefined,
  );
  return { current, unset, hindrance, argumentsOf };
}
