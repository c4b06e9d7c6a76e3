import { Bookmark, History, Play } from '@lucide/vue';
import { computed, type Component, type ComputedRef, type Ref } from 'vue';

import type { CallRecord, ToolExecutionResult, ToolSourceKind } from '../../src-core/api/types.ts';
import { paneOfCommand } from '../commands/commandList.ts';
import { useCommandStore } from '../commands/commandStore.ts';
import { verdictOf } from '../calls/verdictOf.ts';
import { indentJson } from '../forms/json/indentJson.ts';
import { formatTime } from '../format/formatTime.ts';
import { sourceName, toolName } from '../format/sourceName.ts';
import { t, type MessageKey } from '../i18n/index.ts';
import { panes } from '../panes/index.ts';
import { useMemory } from '../panes/executor/memory/memoryStore.ts';
import { matchScore, queryWords } from '../search/matchWords.ts';
import { useCalls } from '../stores/calls.ts';
import { useCollections } from '../stores/collections.ts';
import { useNavigation } from '../stores/navigation.ts';
import { useSandbox } from '../stores/sandbox.ts';
import { useTools } from '../stores/tools.ts';
import type { Command } from './useCommands.ts';

/** One line of the palette. */
export interface PaletteEntry {
  key: string;
  label: string;
  mono?: boolean;
  icon?: Component;
  source?: ToolSourceKind;
  hint?: string;
  /** What Enter does, on the line that is chosen. */
  action?: string;
  keys?: string;
  verdict?: { text: string; kind: 'ok' | 'warn' | 'error' | 't2' };
  time?: string;
  /** It cannot be done now; `hint` says why. */
  disabled?: boolean;
  run: () => void;
  /** Does it in the other half of the window. */
  runBeside?: () => void;
}

export interface PaletteGroup {
  title: MessageKey;
  entries: PaletteEntry[];
}

const mostTools = 40;
const mostCalls = 5;

/**
 * What the palette offers for a query: tools, recent and saved calls, panes and commands; after `>` only commands. Under a dialog that
 * is `covered`ing the pane the pane's own commands are left out.
 */
export function usePaletteEntries(
  query: Ref<string>,
  commands: ComputedRef<Command[]>,
  covered: Ref<boolean>,
): ComputedRef<PaletteGroup[]> {
  const tools = useTools();
  const calls = useCalls();
  const navigation = useNavigation();
  const sandbox = useSandbox();
  const collections = useCollections();
  const memory = useMemory();
  const store = useCommandStore();

  return computed(() => {
    const onlyCommands = query.value.trimStart().startsWith('>');
    const words = queryWords(query.value.trimStart().replace(/^>/, ''));
    const best = <T>(items: readonly T[], text: (item: T) => string, most: number): T[] =>
      items
        .map((item) => ({ item, score: matchScore(text(item), words) }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => (words.length > 0 ? b.score - a.score : 0))
        .slice(0, most)
        .map(({ item }) => item);

    // By its id too: who learnt it in English finds it in a Chinese window.
    const offered = covered.value ? commands.value.filter(({ id }) => paneOfCommand(id) === undefined) : commands.value;
    const commandEntries = best(offered, ({ label, id, hint }) => `${label} ${id} ${hint}`, offered.length).map(
      ({ id, label, icon, hint, keys, disabled, run }): PaletteEntry => ({
        key: `command:${id}`,
        label,
        icon,
        run,
        hint,
        disabled,
        ...(keys === undefined ? {} : { keys }),
      }),
    );
    // As with tools, there are too many to stand before the first word.
    const ofObjects = words.length === 0 || covered.value ? [] : store.objectCommands;
    const objectEntries = best(ofObjects, ({ item, name }) => `${item.label} ${name}`, mostTools).map(
      ({ item, name }, index): PaletteEntry => ({
        key: `object:${index}:${name}:${item.label}`,
        label: item.label,
        ...(item.icon && { icon: item.icon }),
        hint: name,
        disabled: item.disabled === true,
        run: item.run,
      }),
    );
    const groups: PaletteGroup[] = [
      { title: 'shell.palette.commands', entries: commandEntries },
      { title: 'shell.palette.inView', entries: objectEntries },
    ];
    if (onlyCommands) return groups.filter((group) => group.entries.length > 0);

    const methods = words.length === 0 ? [] : tools.methods();
    const toolEntries = best(
      methods,
      ({ tool, method }) =>
        `${method.name} ${toolName(tool)} ${tool.id} ${sourceName(tool.source)} ${tool.source.kind} ${method.description}`,
      mostTools,
    ).map(({ tool, method }): PaletteEntry => ({
      key: `tool:${method.qualifiedName}`,
      label: method.name,
      mono: true,
      source: tool.source.kind,
      hint: toolName(tool),
      action: t('shell.palette.openInExecutor'),
      run: () => sandbox.load({ qualifiedName: method.qualifiedName }),
      runBeside: () => {
        navigation.openBeside('executor');
        sandbox.load({ qualifiedName: method.qualifiedName });
      },
    }));
    const callEntries = best(
      newestOfEach(calls.history),
      (call) => `${call.methodName} ${sourceName(call.source)}`,
      mostCalls,
    ).map((call): PaletteEntry => ({
      key: `call:${call.callId}`,
      label: call.methodName,
      mono: true,
      icon: History,
      hint: `${sourceName(call.source)} · ${call.argsJson}`,
      time: formatTime(call.startedAt),
      ...(call.result && { verdict: verdictWords(call.result) }),
      run: () => sandbox.load({ qualifiedName: call.qualifiedName, argsJson: indentJson(call.argsJson) }),
    }));
    const saved = collections.list.flatMap(({ folder, name, calls: rows }) =>
      rows.flatMap((call) => (call.problem === undefined ? [{ folder, collection: name, call }] : [])),
    );
    const savedEntries = best(
      words.length === 0 ? [] : saved,
      ({ call, collection }) => `${call.name} ${call.tool ?? ''} ${collection}`,
      mostTools,
    ).map(({ folder, collection, call }): PaletteEntry => ({
      key: `saved:${folder}/${call.file}`,
      label: call.name,
      icon: Bookmark,
      hint: `${collection} · ${call.tool ?? call.file}`,
      action: t('shell.palette.runSaved'),
      run: () => {
        navigation.open('executor');
        memory.open({ kind: 'run', folder, only: [call.file] });
      },
    }));
    const runEntries = best(
      words.length === 0 ? [] : collections.list.filter(({ calls: rows }) => rows.length > 0),
      ({ name }) => `${t('saved.tree.runAll', { name })} ${name}`,
      mostTools,
    ).map(({ folder, name }): PaletteEntry => ({
      key: `collection:${folder}`,
      label: t('saved.tree.runAll', { name }),
      icon: Play,
      hint: folder,
      run: () => {
        navigation.open('executor');
        memory.open({ kind: 'run', folder });
      },
    }));
    const paneEntries = best(panes, (pane) => t(pane.title), panes.length).map((pane): PaletteEntry => ({
      key: `pane:${pane.id}`,
      label: t(pane.title),
      icon: pane.icon,
      keys: pane.keys,
      run: () => navigation.open(pane.id),
      runBeside: () => navigation.openBeside(pane.id),
    }));
    groups.unshift(
      { title: 'shell.palette.tools', entries: toolEntries },
      { title: 'shell.palette.recent', entries: callEntries },
      { title: 'shell.palette.saved', entries: [...runEntries, ...savedEntries] },
    );
    groups.push({ title: 'shell.panes', entries: paneEntries });
    return groups.filter((group) => group.entries.length > 0);
  });
}

/** The same call made again is one line: of the same tool with the same arguments the newest. Newest first. */
function newestOfEach(calls: readonly CallRecord[]): CallRecord[] {
  const seen = new Set<string>();
  return calls.filter(({ qualifiedName, argsJson }) => {
    const key = `${qualifiedName} ${argsJson}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** In the words that its result has in the Executor. */
function verdictWords(result: ToolExecutionResult): PaletteEntry['verdict'] & object {
  const verdict = verdictOf(result);
  const kind = verdict === 'ok' ? 'ok' : verdict === 'soft-failure' ? 'warn' : verdict === 'cancelled' ? 't2' : 'error';
  return { text: t(`executor.result.verdict.${verdict}`), kind };
}
