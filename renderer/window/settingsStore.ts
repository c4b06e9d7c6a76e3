import { ORPCError } from '@orpc/client';
import { defineStore } from 'pinia';
import { computed, ref, shallowRef } from 'vue';

import { defaultSettings } from '../../src-core/contract/defaultSettings.ts';
import type { JsonValue, Settings } from '../../src-core/contract/types.ts';
import { useBeforeLeaving } from '../ui/composables/useBeforeLeaving.ts';
import { inputField } from '../ui/format/inputField.ts';
import { injectConnection } from '../client/connectionStore.ts';

const saveAfterMs = 250;

type Part = Partial<Settings>;

/**
 * The user's settings. A change takes effect immediately and is saved shortly afterwards, together with other recent
 * changes. If the engine rejects it, it is reverted and the engine's reason is shown.
 */
export const useSettings = defineStore('settings', () => {
  const connection = injectConnection();
  /** The defaults until the engine has answered. */
  const current = shallowRef<Settings>(defaultSettings);
  const loaded = ref(false);
  const error = ref<string>();
  /** The setting that the engine rejected with `error`, if it names one. */
  const refused = ref<string>();
  const own = shallowRef<Settings['ui']>({});
  let saved: Settings = defaultSettings;

  /** Accepts the engine's settings and applies the unsaved changes on top. */
  const accept = (settings: Settings): void => {
    saved = settings;
    current.value = unsaved().reduce(merge, saved);
  };
  const setError = (cause: unknown): void => {
    error.value = cause instanceof Error ? cause.message : String(cause);
  };

  const { unsaved, add, flush } = useSaver({
    put: (part) => connection.client.settings.set(part),
    onSaved(settings) {
      accept(settings);
      error.value = refused.value = undefined;
    },
    onFailed(cause) {
      setError(cause);
      refused.value = inputField(cause);
      accept(saved);
    },
  });

  const load = async (): Promise<void> => {
    accept(await connection.client.settings.get());
    if (!loaded.value) own.value = current.value.ui;
    loaded.value = true;
  };
  connection.onTopics((topics) => {
    if (topics.includes('settings')) load().then(flush).catch(setError);
  });

  const change = (part: Part): void => {
    current.value = merge(current.value, part);
    add(part);
  };

  return {
    current,
    loaded,
    error,
    refused,
    /** Small facts that all windows share. */
    ui: computed(() => current.value.ui),
    /** Small facts of this window: as they were when it opened, with its own changes. What another window does moves nothing here. */
    own,
    change,
    /** Saves pending changes; resolves when the engine has them. */
    flush,
    /** Keeps a small fact of the window: a splitter's size, the chosen view. */
    remember(key: string, value: JsonValue): void {
      own.value = { ...own.value, [key]: value };
      change({ ui: { [key]: value } });
    },
  };
});

function merge(base: Settings, part: Part): Settings {
  return { ...base, ...part, ui: { ...base.ui, ...part.ui } };
}

/** Saves changes shortly after they were made, several of them together; immediately if the window is about to close. */
function useSaver(options: {
  put: (part: Part) => Promise<Settings>;
  onSaved: (settings: Settings) => void;
  onFailed: (cause: unknown) => void;
}) {
  let pending: Part = {};
  /** Changes sent but not answered yet, oldest first. Settings received meanwhile may be older. */
  const sent = new Set<Part>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let saving: Promise<void> = Promise.resolve();
  /** The window is hidden or about to close: a change now may be its last action. */
  let leaving = false;

  const send = async (): Promise<void> => {
    if (Object.keys(pending).length === 0) return;
    const part = pending;
    pending = {};
    sent.add(part);
    try {
      options.onSaved(await options.put(part).finally(() => sent.delete(part)));
    } catch (cause) {
      // A change that did not arrive is sent again with the next connection. A rejected one is reverted.
      if (!(cause instanceof ORPCError)) pending = { ...part, ...pending, ui: { ...part.ui, ...pending.ui } };
      options.onFailed(cause);
    }
  };

  const flush = (): Promise<void> => {
    clearTimeout(timer);
    // A closing window cannot wait for the previous answer.
    saving = leaving ? Promise.all([saving, send()]).then(() => undefined) : saving.then(send);
    return saving;
  };

  useBeforeLeaving(
    () => {
      leaving = true;
      void flush();
    },
    () => (leaving = false),
  );

  return {
    unsaved: (): Part[] => [...sent, pending],
    add(part: Part): void {
      const ui = { ...pending.ui, ...part.ui };
      pending = { ...pending, ...part };
      if (Object.keys(ui).length > 0) pending.ui = ui;
      clearTimeout(timer);
      if (leaving) void flush();
      else timer = setTimeout(() => void flush(), saveAfterMs);
    },
    flush,
  };
}
