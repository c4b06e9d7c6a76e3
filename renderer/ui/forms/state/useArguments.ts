import { computed, shallowRef, watch, type ComputedRef, type Ref } from 'vue';

import type { JsonSchema } from '../../../../src-core/contract/types.ts';
import { checkArguments } from '../check/checkArguments.ts';
import { nameMissing } from '../check/nameMissing.ts';
import type { LocalIssue } from '../check/localIssue.ts';
import { removeJsonAt, renameJsonKey, setJsonAt, swapJsonItems } from '../json/editJsonText.ts';
import { nodeAt, pathKey, type JsonContent, type JsonPath, type ObjectNode, propertyOf } from '../json/jsonNode.ts';
import type { JsonFault } from '../../../../src-core/base/locateJson.ts';
import { parseJsonText } from '../json/parseJsonText.ts';
import { viewSchema } from '../schema/viewSchema.ts';
import type { Remedy } from '../words/fieldMessage.ts';
import { createFieldStates, type FieldStates, type SavedStates } from './fieldStates.ts';

export interface UseArgumentsOptions {
  /** The one truth: what is sent is this text. */
  text: Ref<string>;
  schema: Ref<JsonSchema>;
}

/** The form's view of the arguments text, and its edits of it. */
export interface Arguments extends FieldStates {
  saveStates: () => SavedStates;
  restoreStates: (saved?: SavedStates) => void;
  text: Ref<string>;
  /** The last text that was an object: what the form shows, also while the text cannot be read. */
  root: Readonly<Ref<ObjectNode>>;
  /** The text that `root` was read from: its offsets are into this. */
  source: Readonly<Ref<string>>;
  /** Why the form is at rest: the text is not valid JSON, or no object. */
  problem: ComputedRef<JsonFault | 'not-object' | undefined>;
  issues: ComputedRef<LocalIssue[]>;
  /** The value at a path; the same object for as long as the value is the same. */
  nodeAt: (path: JsonPath) => JsonContent | undefined;
  issueAt: (path: JsonPath) => LocalIssue | undefined;
  set: (path: JsonPath, json: string) => void;
  /** Not sent while it is empty: the field stays as it is, with what is known of it. */
  empty: (path: JsonPath) => void;
  /** Not sent from now on; of an item: taken out of its list. */
  leaveOut: (path: JsonPath) => void;
  /** Puts an item of the list at `path` in its neighbour's place. */
  swap: (path: JsonPath, from: number, to: number) => void;
  rename: (path: JsonPath, name: string) => void;
  /** Applies the remedy of what is wrong at a path. */
  mend: (path: JsonPath, remedy: Remedy) => void;
}

const emptyRoot: ObjectNode = { kind: 'object', properties: [], start: 0, end: 2 };

/** Keeps form and JSON in step: the form reads the text's tree and writes text edits, so nothing else is touched. */
export function useArguments({ text, schema }: UseArgumentsOptions): Arguments {
  const root = shallowRef<ObjectNode>(emptyRoot);
  const content = shallowRef<JsonContent>(emptyRoot);
  const source = shallowRef('{}');
  const states = createFieldStates();
  const parsed = computed(() => parseJsonText(text.value));
  /** The text changes by the form's own hand. */
  let editing = false;

  watch(
    parsed,
    (now) => {
      if (!now.ok || now.root.kind !== 'object') return;
      const before = content.value;
      root.value = now.root;
      content.value = shareContent(before, now.root);
      source.value = text.value;
      if (!editing) dropOutdated(before);
    },
    { immediate: true, flush: 'sync' },
  );

  const problem = computed(() => {
    if (!parsed.value.ok) return parsed.value.problem;
    return parsed.value.root.kind === 'object' ? undefined : 'not-object';
  });
  const issues = computed(() =>
    problem.value === undefined ? nameMissing(checkArguments(schema.value, content.value), schema.value) : [],
  );
  const issueByPath = computed(
    () => new Map(issues.value.toReversed().map((issue) => [pathKey(issue.path), issue] as const)),
  );

  function edit(change: () => string): void {
    if (problem.value !== undefined) return;
    editing = true;
    try {
      text.value = change();
    } finally {
      editing = false;
    }
  }

  /**
   * The text was written by another hand: what was typed into a field whose value is now another, or whose object is, may
   * stand in no field that is still drawn, and would keep the call from being sent; and a kind that was chosen is of the value before.
   */
  function dropOutdated(before: JsonContent): void {
    const changed = (path: JsonPath): boolean => nodeAt(before, path) !== nodeAt(content.value, path);
    // The fields of the whole stay the same unless it may be of several kinds.
    const fixed = viewSchema(schema.value, schema.value).variants.length === 0;
    states.drop({
      draft: (path) => changed(path) || (path.length > (fixed ? 1 : 0) && changed(path.slice(0, -1))),
      pick: changed,
    });
  }

  return {
    drafts: states.drafts,
    picked: states.picked,
    asJson: states.asJson,
    manyLines: states.manyLines,
    open: states.open,
    isOpen: states.isOpen,
    saveStates: states.save,
    restoreStates: states.restore,
    text,
    root,
    source,
    problem,
    issues,
    nodeAt: (path) => nodeAt(content.value, path),
    issueAt: (path) => issueByPath.value.get(pathKey(path)),
    ...createWriters(states, text, edit),
  };
}

/** Writes the edits of fields into the text. */
function createWriters(
  states: ReturnType<typeof createFieldStates>,
  text: Ref<string>,
  edit: (change: () => string) => void,
): Pick<Arguments, 'set' | 'empty' | 'leaveOut' | 'swap' | 'rename' | 'mend'> {
  const writers: ReturnType<typeof createWriters> = {
    set(path, json) {
      states.renew(path);
      edit(() => setJsonAt(text.value, path, json));
    },
    empty(path) {
      states.renew(path);
      states.open(path);
      edit(() => removeJsonAt(text.value, path));
    },
    leaveOut(path) {
      states.forget(path);
      edit(() => removeJsonAt(text.value, path));
    },
    swap(path, from, to) {
      states.swap(path, from, to);
      edit(() => swapJsonItems(text.value, path, from, to));
    },
    rename(path, name) {
      states.forget(path);
      edit(() => renameJsonKey(text.value, path, name));
    },
    mend(path, { json, name }) {
      if (json !== undefined) writers.set(path, json);
      else if (name === undefined) writers.leaveOut(path);
      else writers.rename(path, name);
    },
  };
  return writers;
}

/**
 * `now`, with every part that equals the one in `before` taken from there, so that a component can tell by the identity
 * of its part whether it changed. A form of 500 fields redraws only the field that was typed in.
 */
function shareContent(before: JsonContent | undefined, now: JsonContent): JsonContent {
  if (before === undefined || before.kind !== now.kind) return now;
  switch (now.kind) {
    case 'object': {
      if (before.kind !== 'object') return now;
      const old = before.properties;
      const properties = now.properties.map(({ key, value }, at) => {
        const same = old[at]?.key === key ? old[at] : propertyOf(before, key);
        const shared = shareContent(same?.value, value);
        return same !== undefined && same.value === shared ? same : { key, value: shared };
      });
      const unchanged = properties.length === old.length && properties.every((property, at) => property === old[at]);
      return unchanged ? before : { kind: 'object', properties };
    }
    case 'array': {
      if (before.kind !== 'array') return now;
      const items = now.items.map((item, at) => shareContent(before.items[at], item));
      const unchanged = items.length === before.items.length && items.every((item, at) => item === before.items[at]);
      return unchanged ? before : { kind: 'array', items };
    }
    case 'number':
      return before.kind === 'number' && before.raw === now.raw ? before : now;
    case 'string':
    case 'word':
      return 'value' in before && before.value === now.value ? before : now;
  }
}
