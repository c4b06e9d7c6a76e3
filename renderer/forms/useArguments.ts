import { computed, shallowReactive, shallowRef, watch, type ComputedRef, type Ref } from 'vue';

import type { JsonSchema } from '../../src-core/api/types.ts';
import { removeJsonAt, setJsonAt } from './json/editJsonText.ts';
import { nodeAt, type JsonNode, type JsonPath, type ObjectNode } from './json/jsonNode.ts';
import { parseJsonText, type JsonProblem } from './json/parseJsonText.ts';
import { checkArguments } from './schema/checkArguments.ts';
import type { LocalIssue } from './schema/localIssue.ts';

export interface UseArgumentsOptions {
  /** The one truth: what is sent is this text. */
  text: Ref<string>;
  schema: Ref<JsonSchema>;
}

/** The form's view of the arguments text, and its edits of it. */
export interface Arguments {
  text: Ref<string>;
  /** The last text that was an object: what the form shows, also while the text cannot be read. */
  root: Readonly<Ref<ObjectNode>>;
  /** The text that `root` was read from: its offsets are into this. */
  source: Readonly<Ref<string>>;
  /** Why the form is at rest: the text is no JSON, or no object. */
  problem: ComputedRef<JsonProblem | 'not-object' | undefined>;
  issues: ComputedRef<LocalIssue[]>;
  nodeAt: (path: JsonPath) => JsonNode | undefined;
  issueAt: (path: JsonPath) => LocalIssue | undefined;
  set: (path: JsonPath, json: string) => void;
  /** Not sent from now on. */
  leaveOut: (path: JsonPath) => void;
  /** Shows the control of an optional field that has no value yet. */
  open: (path: JsonPath) => void;
  isOpen: (path: JsonPath) => boolean;
  /** Text of a JSON field that cannot be read yet, and so is not in `text`. */
  drafts: Map<string, string>;
}

const emptyRoot: ObjectNode = { kind: 'object', properties: [], start: 0, end: 2 };

/** A path as a map key. */
export function pathKey(path: JsonPath): string {
  return JSON.stringify(path);
}

/** Keeps form and JSON in step: the form reads the text's tree and writes text edits, so nothing else is touched. */
export function useArguments({ text, schema }: UseArgumentsOptions): Arguments {
  const root = shallowRef<ObjectNode>(emptyRoot);
  const source = shallowRef('{}');
  const opened = shallowReactive(new Set<string>());
  const drafts = shallowReactive(new Map<string, string>());
  const parsed = computed(() => parseJsonText(text.value));

  watch(
    parsed,
    (now) => {
      if (!now.ok || now.root.kind !== 'object') return;
      root.value = now.root;
      source.value = text.value;
    },
    { immediate: true, flush: 'sync' },
  );
  watch(schema, () => {
    opened.clear();
    drafts.clear();
  });

  const problem = computed(() => {
    if (!parsed.value.ok) return parsed.value.problem;
    return parsed.value.root.kind === 'object' ? undefined : 'not-object';
  });
  const issues = computed(() => (problem.value === undefined ? checkArguments(schema.value, root.value) : []));
  const issueByPath = computed(() => new Map(issues.value.map((issue) => [pathKey(issue.path), issue] as const)));

  function edit(change: () => string): void {
    if (problem.value === undefined) text.value = change();
  }

  return {
    text,
    root,
    source,
    problem,
    issues,
    drafts,
    nodeAt: (path) => nodeAt(root.value, path),
    issueAt: (path) => issueByPath.value.get(pathKey(path)),
    set(path, json) {
      drafts.delete(pathKey(path));
      edit(() => setJsonAt(text.value, path, json));
    },
    leaveOut(path) {
      opened.delete(pathKey(path));
      drafts.delete(pathKey(path));
      edit(() => removeJsonAt(text.value, path));
    },
    open: (path) => void opened.add(pathKey(path)),
    isOpen: (path) => opened.has(pathKey(path)),
  };
}
