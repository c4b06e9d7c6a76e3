import { computed, ref, shallowReactive, shallowRef, type ComputedRef, type Ref, type WritableComputedRef } from 'vue';

import { useClient } from '../../../client/useClient.ts';
import { t } from '../../../i18n/index.ts';
import { useClosed } from '../../trash/closedStore.ts';
import { problemOfNames } from '../variableNames.ts';
import { parseJsonText } from '../../../ui/forms/json/parseJsonText.ts';
import { problemOfJson } from '../../../ui/forms/words/problemOfJson.ts';

/** Variables of the collection or of one environment, while they are edited. */
interface Page {
  /** The environment's name as it is typed; undefined for the collection itself. */
  name: string | undefined;
  /** It has no file yet. */
  isNew: boolean;
  text: string;
  /** The content as it was read; undefined until then. */
  read: { text: string; version: string } | undefined;
}

/** The edited variables of a collection: every page that was opened, until all are saved. */
export interface VariablePages {
  /** Index of the page in front; 0 is the collection's page. */
  at: Ref<number>;
  current: ComputedRef<Page>;
  text: WritableComputedRef<string>;
  /** Variables that calls name and that have no value yet. */
  unset: ComputedRef<string[]>;
  /** The name of the environment in front, if it is new. */
  newName: WritableComputedRef<string>;
  /** An environment with that name already exists. */
  isTaken: ComputedRef<boolean>;
  labels: ComputedRef<string[]>;
  edited: ComputedRef<boolean>;
  /** Why nothing can be saved: the problem of the first invalid page. */
  problem: ComputedRef<{ at: number; message: string } | undefined>;
  error: Ref<string | undefined>;
  busy: Ref<boolean>;
  /** The file of the page `at` was changed elsewhere. */
  conflict: Ref<{ at: number; file: string; version: string | null } | undefined>;
  add(): void;
  /** Deletes the environment in front, and its file if it has one. */
  remove(): Promise<void>;
  /** Saves every changed page; resolves with true if all are saved. `over` is the conflicting version to overwrite. */
  save(over?: { version: string | null }): Promise<boolean>;
}

/** Edits the variables of the collection in `folder`. Opens the environment `first`, or the collection's page if absent. */
export function useVariablePages(
  folder: string,
  { environments, first }: { environments: readonly string[]; first: string | undefined },
): VariablePages {
  const client = useClient();
  const closed = useClosed();
  const pages = shallowRef([undefined, ...environments].map((name) => createPage(name)));
  const at = ref(0);
  const { busy, error, attempt } = useAttempts();
  const conflict = ref<{ at: number; file: string; version: string | null }>();
  const named = shallowRef<readonly string[]>([]);
  const current = computed(() => pages.value[at.value] ?? createPage(undefined));

  async function show(next: number): Promise<void> {
    at.value = next;
    const page = current.value;
    if (page.read !== undefined || page.isNew) return;
    await attempt(async () => {
      const found = await client.collections.variables({ folder, ...ownerOf(page) });
      page.read = { text: found.variablesJson, version: found.version };
      page.text = found.variablesJson;
      named.value = found.unset;
    });
  }

  function isTaken(page: Page): boolean {
    const name = page.name?.trim();
    return page.isNew && pages.value.some((other) => other !== page && other.name?.trim() === name);
  }

  function problemOf(page: Page): string | undefined {
    if (page.name?.trim() === '') return t('saved.variables.noName');
    if (isTaken(page)) return t('saved.variables.taken');
    return problemOfJson(page.text, { object: true }) ?? problemOfNames(page.text);
  }

  async function save(over?: { version: string | null }): Promise<boolean> {
    const forced = conflict.value?.at;
    conflict.value = undefined;
    const done = await attempt(async () => {
      for (const [index, page] of pages.value.entries()) {
        if (!isEdited(page)) continue;
        const version = over !== undefined && index === forced ? over.version : (page.read?.version ?? '');
        const input = { folder, ...ownerOf(page), variablesJson: page.text, version };
        const outcome = await client.collections.saveVariables(input);
        if (!outcome.saved) {
          at.value = index;
          conflict.value = { at: index, file: fileOf(page), version: outcome.version };
          return false;
        }
        page.read = { text: page.text, version: outcome.version };
        page.isNew = false;
      }
      return true;
    });
    return done === true;
  }

  void show(first === undefined ? 0 : Math.max(0, environments.indexOf(first) + 1));

  return {
    current,
    error,
    busy,
    conflict,
    save,
    at: computed({ get: () => at.value, set: (next) => void show(next) }),
    text: computed({ get: () => current.value.text, set: (text) => (current.value.text = text) }),
    unset: computed(() => withoutValue(named.value, current.value.text)),
    newName: computed({ get: () => current.value.name ?? '', set: (name) => (current.value.name = name) }),
    isTaken: computed(() => current.value.name?.trim() !== '' && isTaken(current.value)),
    labels: computed(() => pages.value.map(labelOf)),
    edited: computed(() => pages.value.some(isEdited)),
    problem: computed(() => {
      const index = pages.value.findIndex((page) => isEdited(page) && problemOf(page) !== undefined);
      const page = pages.value[index];
      return page && { at: index, message: problemOf(page) ?? '' };
    }),
    add() {
      pages.value = [...pages.value, createPage('', { isNew: true })];
      at.value = pages.value.length - 1;
    },
    async remove() {
      const page = current.value;
      const { name, isNew } = page;
      if (name === undefined) return;
      const removeFile = async (): Promise<boolean> => {
        await client.collections.removeEnvironment({ folder, environment: name });
        await closed.tellRemoved((thing) => thing.of === folder && thing.file === fileOf(page));
        return true;
      };
      if (!isNew && (await attempt(removeFile)) !== true) return;
      pages.value = pages.value.filter((other) => other !== page);
      await show(0);
    },
  };
}

function withoutValue(names: readonly string[], json: string): string[] {
  const read = parseJsonText(json);
  if (!read.ok || read.root.kind !== 'object') return [];
  const set = new Set(read.root.properties.map(({ key }) => key));
  return names.filter((name) => !set.has(name));
}

function createPage(name: string | undefined, { isNew = false } = {}): Page {
  return shallowReactive({ name, isNew, text: '{}', read: undefined });
}

const isEdited = (page: Page): boolean => page.isNew || page.text !== (page.read?.text ?? '{}');

function labelOf({ name }: Page): string {
  if (name === undefined) return t('saved.variables.collection');
  return name.trim() || t('saved.variables.unnamed');
}

/** Runs one request after another of the dialog; a failed one is shown until the next. */
function useAttempts() {
  const error = ref<string>();
  const busy = ref(false);

  async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    busy.value = true;
    error.value = undefined;
    try {
      return await work();
    } catch (cause) {
      error.value = cause instanceof Error ? cause.message : String(cause);
      return undefined;
    } finally {
      busy.value = false;
    }
  }

  return { error, busy, attempt };
}

function ownerOf({ name }: Page): { environment?: string } {
  return name === undefined ? {} : { environment: name.trim() };
}

function fileOf({ name }: Page): string {
  return name === undefined ? 'toolwire.json' : `environments/${name.trim()}.json`;
}
