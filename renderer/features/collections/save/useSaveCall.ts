import { computed, ref, shallowReactive, watch } from 'vue';

import { useClient } from '../../../client/useClient.ts';
import { isOneOf, isText, useRemembered } from '../../../window/useRemembered.ts';
import { t } from '../../../i18n/index.ts';
import { useCollections } from '../collectionsStore.ts';
import { useToasts } from '../../../window/toasts.ts';
import { useExecutor } from '../../executor/executorStore.ts';
import { useSaving } from '../../../window/useAttempt.ts';
import { writeWithBigInts } from '../../../ui/forms/json/exactNumber.ts';
import { freeFolder } from '../freeFolder.ts';
import { keepVariables } from './keepVariables.ts';
import type { Assertion, CollectionView, SavedCallDraft } from '../../../../src-core/contract/types.ts';
import type { ToolMethod } from '../../discovery/toolsStore.ts';

/** Destinations that a save makes or opens first. No path of a folder is like them. */
export const newFolder = '+new';
const otherFolder = '+open';

/** A saved call in its collection. */
interface Place {
  folder: string;
  file: string;
}

/** Saves the form, or the edited saved call at `place`, with `asserts` added. `onSaved` is called after a save. */
export function useSaveCall(
  { place, asserts }: { place: Place | undefined; asserts: Assertion | undefined },
  onSaved: () => void,
) {
  const client = useClient();
  const executor = useExecutor();
  const collections = useCollections();
  const toasts = useToasts();
  const last = useRemembered('executor.collection', '', isText);
  const memoryTab = useRemembered('executor.memory', 'last', isOneOf<'last' | 'saved'>('last', 'saved'));

  const usable = computed(() => collections.list.filter(({ problem }) => problem === undefined));
  const callsIn = (folder: string | undefined) => usable.value.find((each) => each.folder === folder)?.calls ?? [];
  const origin = place === undefined ? originOfForm() : undefined;
  const how = ref<'update' | 'new'>(origin === undefined ? 'new' : 'update');
  const replaced = computed(() => place ?? (how.value === 'update' ? origin : undefined));
  const { target, isNew, fresh, chosen, destination } = useDestination(
    usable.value,
    () => replaced.value?.folder,
    () => (origin ?? usable.value.find((each) => each.folder === last.value) ?? usable.value[0])?.folder,
  );

  const { fields, version, load, toSave } = useDraft(
    draftOf({ toolName: executor.toolName, argsJson: executor.text, method: executor.method }),
  );
  const asText = (): string => writeWithBigInts(toSave()) ?? '';
  const first = ref(asText());
  const { failed: error, field: errorField, busy, save: attempt } = useSaving();
  // What was refused is no longer what is in the fields.
  watch([fields, fresh, target], () => (error.value = undefined));
  const conflict = ref<{ file: string; version: string | null }>();

  function originOfForm(): (Place & { name: string; argsJson: string }) | undefined {
    const from = executor.origin;
    const call = callsIn(from?.folder).find(({ file, problem }) => file === from?.file && problem === undefined);
    return from && call && { ...from, name: call.name };
  }

  async function read(at: Place): Promise<void> {
    const found = await client.collections.call({ folder: at.folder, file: at.file });
    load(found.draft, found.version);
    if (origin !== undefined)
      fields.argsJson = keepVariables({ saved: found.draft.argsJson, gave: origin.argsJson, now: executor.text });
    first.value = asText();
    addAssertion();
  }
  function addAssertion(): void {
    if (asserts !== undefined) fields.assertions = [...fields.assertions, asserts];
  }
  if (replaced.value === undefined) addAssertion();
  else void attempt(read.bind(undefined, replaced.value));

  async function save(over?: string | null): Promise<void> {
    if (busy.value) return;
    conflict.value = undefined;
    await attempt(async () => {
      const folder = await destination();
      const file = replaced.value?.file;
      const outcome = await client.collections.saveCall({
        folder,
        draft: toSave(),
        version: over === undefined ? version.value : over,
        ...(file !== undefined && { file }),
      });
      if (!outcome.saved) return void (conflict.value = { file: file ?? '', version: outcome.version });
      last.value = folder;
      if (place !== undefined) await renewForm(place, { collections, executor });
      else executor.saveAs({ folder, file: outcome.file, argsJson: executor.text });
      const name = usable.value.find((each) => each.folder === folder)?.name ?? folder;
      // If the list of saved calls is in front, it shows the result itself.
      if (memoryTab.value !== 'saved')
        toasts.show({ kind: 'ok', title: t('saved.save.saved', { name }), text: outcome.file });
      onSaved();
    });
  }

  return {
    fields,
    origin,
    how,
    replaced,
    target,
    isNew,
    fresh,
    error,
    errorField,
    busy,
    conflict,
    save,
    edited: computed(() => asText() !== first.value || chosen.value),
    choices: computed(() => [
      ...usable.value.map((each) => ({ value: each.folder, label: each.name })),
      { value: newFolder, label: t('saved.tree.create') },
      { value: otherFolder, label: t('saved.tree.open') },
    ]),
    hasTwin: computed(() =>
      callsIn(target.value).some(({ file, name }) => name === fields.name.trim() && file !== replaced.value?.file),
    ),
  };
}

/** The form of an edited call shows it as it is now. Without an answer, the call is saved all the same. */
async function renewForm(
  saved: Place,
  stores: { collections: ReturnType<typeof useCollections>; executor: ReturnType<typeof useExecutor> },
): Promise<void> {
  const now = await stores.collections.fill(saved).catch(() => undefined);
  if (now !== undefined) stores.executor.renewSaved(now.toolName, { ...saved, argsJson: now.argsJson });
}

/**
 * The destination of a save: `target` is a folder, `newFolder` or `otherFolder`. `destination` creates or opens it, as set in `fresh`;
 * `chosen`: that is not what was suggested.
 */
function useDestination(
  open: readonly CollectionView[],
  fixed: () => string | undefined,
  suggested: () => string | undefined,
) {
  const client = useClient();
  const picked = ref<string>();
  const first = { name: t('saved.save.firstName'), create: freeFolder(open), open: '' };
  const fresh = shallowReactive({ ...first });
  const target = computed({
    get: () => fixed() ?? picked.value ?? suggested() ?? newFolder,
    set: (value) => (picked.value = value),
  });
  async function destination(): Promise<string> {
    const [folder, name] = [fresh.create.trim(), fresh.name.trim()];
    if (target.value === newFolder) picked.value = (await client.collections.create({ folder, name })).folder;
    if (target.value === otherFolder)
      picked.value = (await client.collections.open({ folder: fresh.open.trim() })).folder;
    return target.value;
  }
  const isNew = computed(() => target.value === newFolder || target.value === otherFolder);
  const chosen = computed(() => JSON.stringify(fresh) !== JSON.stringify(first));
  return { target, isNew, fresh, chosen, destination };
}

/** A saved call while it is edited: what `SavedCallDraft` has, in the form of its fields. */
type DraftFields = Pick<SavedCallDraft, 'name' | 'tool' | 'argsJson' | 'assertions'> & {
  description: string;
  confirm: boolean;
  extract: { name: string; path: string }[];
  timeoutMs: number | undefined;
};

/** Fields of a call that is in the form; the method of a device is saved for whichever device is connected. */
function draftOf(call: { toolName: string; argsJson: string; method: ToolMethod | undefined }): DraftFields {
  const { toolName, argsJson, method } = call;
  const ofDevice = method?.tool.source.kind === 'device';
  const tool = ofDevice ? `{{$device}}_${method.method.name}` : toolName;
  const empty = { description: '', confirm: false, extract: [], assertions: [], timeoutMs: undefined };
  return { name: method?.method.name ?? toolName, tool, argsJson, ...empty };
}

/** Fields to edit, and both ways between them and what is saved. */
function useDraft(first: DraftFields) {
  const fields = shallowReactive<DraftFields>(first);
  const version = ref<string | null>(null);
  return {
    fields,
    version,
    load(draft: SavedCallDraft, now: string) {
      const { description = '', confirm = false, extract = {}, timeoutMs, ...rest } = draft;
      const rows = Object.entries(extract).map(([name, path]) => ({ name, path }));
      Object.assign(fields, { ...rest, description, confirm, timeoutMs, extract: rows });
      version.value = now;
    },
    toSave(): SavedCallDraft {
      const { name, description, tool, argsJson, confirm, assertions, timeoutMs } = fields;
      const extract = Object.fromEntries(fields.extract.map((row) => [row.name.trim(), row.path]));
      return { name: name.trim(), description, tool: tool.trim(), argsJson, confirm, extract, assertions, timeoutMs };
    },
  };
}
