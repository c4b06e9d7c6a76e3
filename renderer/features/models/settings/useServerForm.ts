import { computed, nextTick, onScopeDispose, ref, type Ref } from 'vue';

import type { ConnectionTest } from '../../../../src-core/contract/types.ts';
import { focusInvalid } from '../../../ui/focusInvalid.ts';
import { inputField } from '../../../ui/format/inputField.ts';
import { useDraft } from './useDraft.ts';

/** The field of a model's key. */
export interface KeyField {
  /** Keeps what is typed, and says whether it could. */
  set: () => Promise<boolean>;
}

/** What the form of a model behind a server does with it. */
interface ServerFormParts<Draft> {
  /** The fields as they are saved. */
  saved: () => Draft;
  /** Saves the fields, and has the window's copy read again. */
  save: (draft: Draft) => Promise<void>;
  test: (signal: AbortSignal) => Promise<ConnectionTest>;
  keyField: Readonly<Ref<KeyField | null>>;
  form: Readonly<Ref<HTMLFormElement | null>>;
}

/** The form of a model behind a server: its fields, the key among them, are saved together and tested at once; a refusal is shown at its field. */
export function useServerForm<Draft extends object>(parts: ServerFormParts<Draft>) {
  const { draft, isChanged: hasNewFields, settle, discard: discardFields } = useDraft(parts.saved);
  const refused = ref<{ field: string; message: string }>();
  const busy = ref<'saving' | 'testing' | 'listing'>();
  const result = ref<ConnectionTest>();
  const typedKey = ref('');
  const hasNewKey = computed(() => typedKey.value.trim() !== '');
  const isChanged = computed(() => hasNewFields.value || hasNewKey.value);
  let stopping = new AbortController();
  onScopeDispose(() => stopping.abort());

  /** Shows why at the field that the engine names, else at `field`, and goes there: it may be out of sight. */
  function refuse(cause: unknown, field = 'label'): void {
    const message = cause instanceof Error ? cause.message : String(cause);
    refused.value = { field: inputField(cause) ?? field, message };
    void nextTick(() => focusInvalid(parts.form.value));
  }

  /** True where it is saved as it stands here. */
  async function save(): Promise<boolean> {
    refused.value = undefined;
    try {
      // First: a key is for one server, and goes where the address changes.
      if (hasNewFields.value) {
        const sent = { ...draft };
        await parts.save(draft);
        // The engine may store a field in another form: trimmed, or its JSON laid out.
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
    refused.value = undefined;
  }

  return {
    ...{ draft, typedKey, isChanged, busy, result, refuse, save, saveOnly, test, discard },
    /** Why the field was refused, or a part of it. */
    messageFor(field: string): string | undefined {
      const { field: wrong = '', message } = refused.value ?? {};
      return wrong === field || wrong.startsWith(`${field}.`) ? message : undefined;
    },
    stopTest: () => stopping.abort(),
  };
}
