import { computed, ref, shallowRef, watch, type Ref, type ShallowRef } from 'vue';

import { isJsonObject } from '../../../src-core/base/json.ts';
import type { JsonValue, ToolView } from '../../../src-core/contract/types.ts';
import { useSettings } from '../../window/settingsStore.ts';
import { areTexts, isOneOf, isText, useRemembered } from '../../window/useRemembered.ts';
import { useTools, type ToolMethod } from '../discovery/toolsStore.ts';

const key = 'executor.tabs';
const methodsKey = 'executor.methods';
/** Characters of a schema as JSON; the form of a larger one goes with its source. */
const maxSchema = 4_000;
/** More are open only if all of them have work. */
export const maxTabs = 30;

interface Tabs {
  /** Qualified names of tools; each has one tab. */
  list: ShallowRef<readonly string[]>;
  /** The tab that the next tool takes over, because nothing was done in it. */
  passing: Ref<string>;
  /** The method of a tab as registered, or else as it last was. */
  methodOf: (tool: string) => ToolMethod | undefined;
  /** The same as long as it is registered, or its module no longer loads. */
  targetOf: (tool: string) => ToolMethod | undefined;
  /**
   * Adds a tab beside `front`, or in its place. Of too many, the first without work closes: it is returned, with a function that
   * brings it back.
   */
  add: (
    tool: string,
    options: { front: string; replaces: boolean; hasWork: (tool: string) => boolean },
  ) => { tool: string; restore: () => void } | undefined;
  /** The arguments that a form was opened with, or last called with. */
  startOf: (tool: string) => string | undefined;
  startFrom: (tool: string, text: string) => void;
  /** What the form holds now; undefined if it has no arguments yet, such as half a number. */
  noteArguments: (tool: string, text: string | undefined) => void;
  /** The arguments were edited since, also before a reload; or the user restored the tab. */
  isEdited: (tool: string) => boolean;
  /** Closes a tab. Returns the tool of the tab that takes its place, empty if there is none. */
  close: (tool: string) => string;
  /** The tool of the next or the previous tab. */
  beside: (tool: string, step: 1 | -1) => string;
}

/** The tabs of the Executor. The window keeps them across a reload. */
export function useExecutorTabs(): Tabs {
  const settings = useSettings();
  const list = shallowRef<readonly string[]>([]);
  const passing = ref('');
  watch(
    () => settings.loaded,
    (loaded) => loaded && list.value.length === 0 && (list.value = readTabs(settings.own[key])),
    { immediate: true, flush: 'sync' },
  );
  watch(list, (tabs) => settings.loaded && settings.remember(key, [...tabs]));

  const tools = useTools();
  let seen: ReadonlyMap<string, ToolMethod> | undefined;
  const methodOf = (tool: string): ToolMethod | undefined => {
    if (settings.loaded) seen ??= readMethods(settings.own[methodsKey]);
    return tools.find(tool) ?? tools.findDeparted(tool) ?? seen?.get(tool);
  };
  const methods = computed(() => list.value.map(methodOf).filter((method) => method !== undefined));
  watch(
    methods,
    (now) => {
      seen &&= new Map(now.map((one) => [one.method.qualifiedName, one]));
      const stored = now.map(storedMethod);
      if (seen && JSON.stringify(stored) !== JSON.stringify(settings.own[methodsKey] ?? []))
        settings.remember(methodsKey, stored);
    },
    { flush: 'sync' },
  );

  const starts = new Map<string, string>();
  const edited = useRemembered<string[]>('executor.edited', [], areTexts);
  const isEdited = (tool: string): boolean => edited.value.includes(tool);
  function setEdited(tool: string, is: boolean): void {
    const others = edited.value.filter((name) => name !== tool);
    if (is !== isEdited(tool)) edited.value = is ? [...others, tool] : others;
  }

  return {
    list,
    passing,
    methodOf,
    targetOf: (tool) => tools.find(tool) ?? failedModule(methodOf(tool), tools.byId),
    add(tool, { front, replaces, hasWork }) {
      if (list.value.includes(tool)) return undefined;
      const at = list.value.indexOf(front);
      const tabs = list.value.toSpliced(replaces ? at : at + 1, replaces ? 1 : 0, tool);
      const closed = tabs.length > maxTabs ? tabs.find((name) => name !== tool && !hasWork(name)) : undefined;
      list.value = tabs.filter((name) => name !== closed);
      passing.value = tool;
      if (closed === undefined) return undefined;
      const place = tabs.indexOf(closed);
      const restore = (): void => {
        if (list.value.includes(closed)) return;
        list.value = list.value.toSpliced(place, 0, closed);
        starts.delete(closed);
        setEdited(closed, true);
      };
      return { tool: closed, restore };
    },
    startOf: (tool) => starts.get(tool),
    startFrom(tool, text) {
      starts.set(tool, text);
      setEdited(tool, false);
    },
    noteArguments(tool, text) {
      if (starts.has(tool) && list.value.includes(tool)) setEdited(tool, text !== starts.get(tool));
    },
    isEdited,
    close(tool) {
      setEdited(tool, false);
      const at = list.value.indexOf(tool);
      list.value = list.value.filter((name) => name !== tool);
      return list.value[Math.min(Math.max(0, at), list.value.length - 1)] ?? '';
    },
    beside: (tool, step) => list.value.at((list.value.indexOf(tool) + step) % list.value.length) ?? tool,
  };
}

/** A method of a module that no longer loads: as it was last, with the error. */
function failedModule(last: ToolMethod | undefined, tools: ReadonlyMap<string, ToolView>): ToolMethod | undefined {
  const tool = last?.tool.source.kind === 'module' ? tools.get(last.tool.id) : undefined;
  if (last === undefined || tool?.error === undefined || tool.methods.length > 0) return undefined;
  return { tool, method: { ...last.method, error: tool.error } };
}

/** What was stored is not trusted to have any shape. */
function readTabs(stored: JsonValue | undefined): string[] {
  const names = Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : [];
  return [...new Set(names)];
}

/** Enough of a method for its tab and its form. */
function storedMethod({ tool, method }: ToolMethod): JsonValue {
  const { kind, id, label } = tool.source;
  const { qualifiedName, name, description, inputSchema } = method;
  const schema = JSON.stringify(inputSchema).length > maxSchema ? {} : inputSchema;
  return [[qualifiedName, name, description, tool.id, tool.name, kind, id, label], schema];
}

const isKind = isOneOf('builtin', 'module', 'device', 'gateway', 'mcp');

function readMethods(stored: JsonValue | undefined): Map<string, ToolMethod> {
  const methods = new Map<string, ToolMethod>();
  for (const entry of Array.isArray(stored) ? stored : []) {
    const [texts, inputSchema] = Array.isArray(entry) ? entry : [];
    const parts = Array.isArray(texts) ? texts.filter(isText) : [];
    const [qualifiedName = '', name = '', description = '', toolId = '', toolName = '', kind = '', id = '', label] =
      parts;
    if (label === undefined || !isKind(kind) || !isJsonObject(inputSchema)) continue;
    const method = { qualifiedName, name, description, inputSchema, agentCallable: false, parameters: [] };
    const source = { kind, id, label };
    methods.set(qualifiedName, { tool: { id: toolId, name: toolName, source, enabled: true, methods: [] }, method });
  }
  return methods;
}
