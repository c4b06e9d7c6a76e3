import { computed, nextTick, onScopeDispose, ref, shallowRef, watch, type Ref } from 'vue';

import type { ConnectionTest } from '../../../../src-core/contract/types.ts';
import { focusInvalid } from '../../../ui/focusInvalid.ts';
import { inputField } from '../../../ui/format/inputField.ts';
import { saveAsWritten } from './saveAsWritten.ts';
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
  /** Why the draft cannot be saved. */
  fault: (draft: Draft) => string | undefined;
  /** The address of the server. */
  addressOf: (draft: Draft) => string;
  keyField: Readonly<Ref<KeyField | null>>;
}

/** What the form of any server's model has. */
export type ServerForm = Omit<ReturnType<typeof useServerForm>, 'draft'>;

/** The form of a server's model. All changed fields are saved together. A rejection is shown at its field. */
export function useServerForm<Draft extends { label: string }>(parts: ServerFormParts<Draft>) {
  const { draft, isChanged: hasNewFields, settle } = useDraft(parts.saved);
  const { messageFor, refuse, clear } = useRefusal();
  const element = shallowRef<HTMLFormElement | null>(null);
  const busy = ref<'testing' | 'listing'>();
  const result = ref<ConnectionTest>();
  const typedKey = ref('');
  const fault = computed(() => parts.fault(draft));
  let saving = Promise.resolve(true);
  let stopping = new AbortController();
  onScopeDispose(() => stopping.abort());
  // What was tested or refused is no longer what is written.
  const written = (): string => JSON.stringify([draft, typedKey.value]);
  watch(written, () => (result.value = clear()));

  async function saveNow(): Promise<boolean> {
    const key = parts.keyField.value;
    if (fault.value !== undefined) return false;
    try {
      // The fields are saved first: a key belongs to one server and is removed if the address changes.
      if (hasNewFields.value) {
        const sent = { ...draft };
        await parts.save(draft);
        clear();
        // The engine may store a field in another form: trimmed, or with formatted JSON.
        settle(sent);
      }
      return typedKey.value.trim() === '' || ((await key?.set()) ?? false);
    } catch (cause) {
      refuse(cause);
      return false;
    }
  }

  /** Saves what is not saved yet, one time after the other. Resolves with true if all of it was saved. */
  const save = (): Promise<boolean> => (saving = saving.then(saveNow));
  saveAsWritten({ element, written, save, name: () => parts.saved().label });

  /** Runs `work` once all is saved. If it is not saved or refused, the field to correct has the focus: it may be out of view. */
  async function whenSaved(what: 'testing' | 'listing', field: string, work: () => Promise<unknown>): Promise<void> {
    busy.value = what;
    try {
      if (await save()) return void (await work());
    } catch (cause) {
      refuse(cause, field);
    } finally {
      busy.value = undefined;
    }
    await nextTick();
    focusInvalid(element.value);
  }

  function test(): Promise<void> {
    stopping = new AbortController();
    const { signal } = stopping;
    result.value = undefined;
    return whenSaved('testing', 'label', async () => {
      result.value = await parts.test(signal).catch((cause: unknown) => {
        if (!signal.aborted) throw cause;
        return undefined;
      });
    });
  }

  return {
    setElement: (form: unknown): void => void (element.value = form as HTMLFormElement | null),
    draft,
    typedKey,
    busy,
    result,
    fault,
    otherServer: computed(() => otherServer(parts.addressOf(parts.saved()), parts.addressOf(draft))),
    save,
    list: (work: () => Promise<unknown>) => whenSaved('listing', 'model', work),
    test,
    messageFor,
    stopTest: () => stopping.abort(),
  };
}

/** The server of the saved address, which the key is for, if the written address is of another one. */
function otherServer(saved: string, written: string): string | undefined {
  const [now, next] = [saved, written].map((address) => URL.parse(address)?.host);
  return next !== undefined && now !== next ? now : undefined;
}

/** Why the engine rejected the form, at one of its fields. */
function useRefusal() {
  const refused = ref<{ field: string; message: string }>();
  return {
    /** Shows the error at the field that the engine names, else at `field`. */
    refuse(cause: unknown, field = 'label'): void {
      const message = cause instanceof Error ? cause.message : String(cause);
      refused.value = { field: inputField(cause) ?? field, message };
    },
    clear: () => (refused.value = undefined),
    /** Why the field or a part of it was rejected. */
    messageFor(field: string): string | undefined {
      const { field: wrong = '', message } = refused.value ?? {};
      return wrong === field || wrong.startsWith(`${field}.`) ? message : undefined;
    },
  };
}
