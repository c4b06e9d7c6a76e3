import { computed, nextTick, onScopeDispose, ref, watch, type Ref } from 'vue';

import type { ConnectionTest } from '../../../../src-core/contract/types.ts';
import { focusInvalid } from '../../../ui/focusInvalid.ts';
import { inputField } from '../../../ui/format/inputField.ts';
import { useDraft } from './useDraft.ts';

/** The field of a model's key. */
export interface KeyField {
  /** Stores the typed key; resolves with whether that succeeded. */
  set: () => Promise<boolean>;
}

/** The operations of a server model's form. */
interface ServerFormParts<Draft> {
  /** The saved fields. */
  saved: () => Draft;
  /** Saves the fields and reloads the window's copy. */
  save: (draft: Draft) => Promise<void>;
  test: (signal: AbortSignal) => Promise<ConnectionTest>;
  keyField: Readonly<Ref<KeyField | null>>;
}

/** What the form of any server's model has. */
export type ServerForm = Omit<ReturnType<typeof useServerForm>, 'draft'>;

/** The form of a server's model. All fields are saved together and then tested. A rejection is shown at its field. */
export function useServerForm<Draft extends object>(parts: ServerFormParts<Draft>) {
  const { draft, isChanged: hasNewFields, settle, discard: discardFields } = useDraft(parts.saved);
  const { setElement, messageFor, refuse, clear } = useRefusal();
  const busy = ref<'saving' | 'testing' | 'listing'>();
  const result = ref<ConnectionTest>();
  const typedKey = ref('');
  const hasNewKey = computed(() => typedKey.value.trim() !== '');
  const isChanged = computed(() => hasNewFields.value || hasNewKey.value);
  let stopping = new AbortController();
  onScopeDispose(() => stopping.abort());
  // What was tested or refused is no longer what is written.
  const written = (): string => JSON.stringify([draft, typedKey.value]);
  watch(written, () => (result.value = clear()));

  /** Resolves with true if everything was saved. */
  async function save(): Promise<boolean> {
    clear();
    try {
      // The fields are saved first: a key belongs to one server and is removed if the address changes.
      if (hasNewFields.value) {
        const sent = { ...draft };
        await parts.save(draft);
        // The engine may store a field in another form: trimmed, or with formatted JSON.
        settle(sent);
      }
      return hasNewKey.value ? ((await parts.keyField.value?.set()) ?? false) : true;
    } catch (cause) {
      refuse(cause);
      return false;
    }
  }

  async function saveOnly(): Promise<void> {
    busy.value = 'saving';
    await save();
    busy.value = undefined;
  }

  async function test(): Promise<void> {
    stopping = new AbortController();
    const { signal } = stopping;
    busy.value = 'testing';
    result.value = undefined;
    try {
      if (isChanged.value && !(await save())) return;
      result.value = await parts.test(signal);
    } catch (cause) {
      if (!signal.aborted) refuse(cause);
    } finally {
      busy.value = undefined;
    }
  }

  function discard(): void {
    discardFields();
    typedKey.value = '';
    clear();
  }

  return {
    setElement,
    draft,
    typedKey,
    isChanged,
    busy,
    result,
    refuse,
    save,
    saveOnly,
    test,
    discard,
    messageFor,
    stopTest: () => stopping.abort(),
  };
}

/** Why the engine rejected the form, at one of its fields. */
function useRefusal() {
  const refused = ref<{ field: string; message: string }>();
  let element: HTMLFormElement | null = null;
  return {
    setElement: (form: unknown): void => void (element = form as HTMLFormElement | null),
    /** Shows the error at the field that the engine names, else at `field`, and focuses it, as it may be out of view. */
    refuse(cause: unknown, field = 'label'): void {
      const message = cause instanceof Error ? cause.message : String(cause);
      refused.value = { field: inputField(cause) ?? field, message };
      void nextTick(() => focusInvalid(element));
    },
    clear: () => (refused.value = undefined),
    /** Why the field or a part of it was rejected. */
    messageFor(field: string): string | undefined {
      const { field: wrong = '', message } = refused.value ?? {};
      return wrong === field || wrong.startsWith(`${field}.`) ? message : undefined;
    },
  };
}
