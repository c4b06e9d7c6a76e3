import { ref, shallowReactive, type Ref } from 'vue';

import type { Assertion, SavedCallDraft } from '../../../../src-core/contract/types.ts';
import type { ToolMethod } from '../../discovery/toolsStore.ts';

/** A saved call while it is edited: what `SavedCallDraft` has, in the form of its fields. */
export interface DraftFields {
  name: string;
  description: string;
  tool: string;
  argsJson: string;
  confirm: boolean;
  extract: { name: string; path: string }[];
  assertions: Assertion[];
  timeoutMs: number | undefined;
}

/** Fields of a call that is in the form; the method of a device is saved for whichever device is connected. */
export function draftOf(call: { toolName: string; argsJson: string; method: ToolMethod | undefined }): DraftFields {
  const { toolName, argsJson, method } = call;
  const ofDevice = method?.tool.source.kind === 'device';
  return {
    name: method?.method.name ?? toolName,
    description: '',
    tool: ofDevice ? `{{$device}}_${method.method.name}` : toolName,
    argsJson,
    confirm: false,
    extract: [],
    assertions: [],
    timeoutMs: undefined,
  };
}

/** Fields to edit, and both ways between them and what is saved. */
export function useDraft(first: DraftFields): {
  fields: DraftFields;
  /** Of the file that a save replaces; null before there is one. */
  version: Ref<string | null>;
  load: (draft: SavedCallDraft, version: string) => void;
  toSave: () => SavedCallDraft;
} {
  const fields = shallowReactive<DraftFields>(first);
  const version = ref<string | null>(null);
  return {
    fields,
    version,
    load(draft, now) {
      const { description = '', confirm = false, extract = {}, timeoutMs, ...rest } = draft;
      const rows = Object.entries(extract).map(([name, path]) => ({ name, path }));
      Object.assign(fields, { ...rest, description, confirm, timeoutMs, extract: rows });
      version.value = now;
    },
    toSave() {
      const { name, description, tool, argsJson, confirm, assertions, timeoutMs } = fields;
      const named = fields.extract.filter((row) => row.name.trim() !== '' && row.path !== '');
      const extract = Object.fromEntries(named.map((row) => [row.name.trim(), row.path]));
      return { name: name.trim(), description, tool: tool.trim(), argsJson, confirm, extract, assertions, timeoutMs };
    },
  };
}
