import { Bookmark, History, Play, SlidersHorizontal } from '@lucide/vue';
import type { Component, ComputedRef, Ref } from 'vue';

import type { CallRecord, DeviceInfo, ToolExecutionResult, ToolSourceKind } from '../../src-core/contract/types.ts';
import { paneOfCommand } from '../window/commands/commandList.ts';
import { useCommandStore, type ObjectCommand } from '../window/commands/commandStore.ts';
import { verdictLooks } from '../features/calls/verdictLooks.ts';
import { verdictOf } from '../features/calls/verdictOf.ts';
import { indentJson } from '../ui/forms/json/indentJson.ts';
import { formatTime } from '../ui/format/formatTime.ts';
import { sourceName, toolName } from '../ui/format/sourceName.ts';
import { t, type MessageKey } from '../i18n/index.ts';
import { panes } from './panes.ts';
import { useMemory } from '../features/collections/memoryStore.ts';
import { findCorrecting, type Search } from '../ui/search/correctWords.ts';
import { foldText, queryWords } from '../ui/search/matchWords.ts';
import { useLateSearch, type LateSearch } from '../ui/search/useLateSearch.ts';
import { bestMatches, createScorer, rankOf, type SearchTexts } from '../ui/search/rankMatches.ts';
import { findMethods, toolTexts } from '../features/discovery/searchTools.ts';
import { useCalls } from '../features/calls/callsStore.ts';
import { useCollections } from '../features/collections/collectionsStore.ts';
import { useDeviceEntries } from '../features/devices/findDevices.ts';
import { useDevices } from '../features/devices/devicesStore.ts';
import { formatPast } from '../i18n/formatAgo.ts';
import { useNavigation } from '../window/navigation.ts';
import { useSandbox } from '../features/executor/sandboxStore.ts';
import { useServerEntries } from '../features/servers/findServers.ts';
import { settingList, type SettingGroup } from '../features/settings/settingList.ts';
import { sectionNames, useSettingsPlace } from '../window/settingsPlace.ts';
import { useTools, type ToolMethod } from '../features/discovery/toolsStore.ts';
import type { Command } from './useCommands.ts';

/** One line of the palette. */
export interface PaletteEntry {
  key: string;
  /** Shown before the label, in grey: the id of a method's tool. */
  prefix?: string;
  label: string;
  mono?: boolean;
  icon?: Component;
  source?: ToolSourceKind;
  hint?: string;
  /** What Enter does, shown on the chosen line. */
  action?: string;
  keys?: string;
  verdict?: { text: string; kind: 'ok' | 'warn' | 'error' | 't2' };
  time?: string;
  /** It cannot be done now; `hint` says why. */
  disabled?: boolean;
  /** Loads a tool into the Executor, which then focuses the tool's arguments. */
  loadsTool?: boolean;
  run: () => void;
  /** Does the same in the other half of the window. */
  runBeside?: () => void;
}

export interface PaletteGroup {
  title: MessageKey;
  entries: PaletteEntry[];
}

const mostOfKind = 20;
const mostCalls = 5;
const mostSettings = 8;

/** The lines of a group, best first, and the score of its best one. */
interface Scored {
  entries: PaletteEntry[];
  score: number;
}

/** Returns the matching lines as a group. */
function pick<T>(
  items: readonly T[],
  words: readonly string[],
  {
    limit = mostOfKind,
    texts,
    entry,
  }: { limit?: number; texts: (item: T) => SearchTexts; entry: (item: T) => PaletteEntry },
): Scored {
  const scorer = createScorer(words);
  const found = bestMatches(items, { words, limit, score: (item) => scorer(texts(item)) });
  const entries = found.map(({ item }) => entry(item));
  // What cannot be done now is not what Enter should do.
  return {
    entries: entries.sort((a, b) => Number(a.disabled === true) - Number(b.disabled === true)),
    score: found[0]?.score ?? 0,
  };
}

/** Search texts of a line with one name. Matches in `more` rank below matches in names. */
const named = (name: string, more = ''): SearchTexts => ({ names: [foldText(name)], about: foldText(more) });

/**
 * The palette's entries for a query: tools, recent and saved calls, panes and commands; after `>` only commands. The group with the
 * best match is first; calls of tools that are not registered are last, and do not keep a query from being corrected. Commands of a
 * pane that a dialog covers (`covered`) are left out. If nothing matches, mistyped names are corrected.
 */
export function usePaletteEntries(
  query: Ref<string>,
  commands: ComputedRef<Command[]>,
  covered: Ref<boolean>,
): LateSearch<Search<PaletteGroup>> {
  const toolGroup = useToolGroup();
  const recentCalls = useRecentCalls();
  const savedGroup = useSavedGroup();
  const devices = useDeviceEntries();
  const servers = useServerEntries();
  const navigation = useNavigation();
  const place = useSettingsPlace();
  const store = useCommandStore();

  function commandGroups(words: readonly string[]): [MessageKey, Scored][] {
    const offered = covered.value ? commands.value.filter(({ id }) => paneOfCommand(id) === undefined) : commands.value;
    // Like tools, there are too many to list before the first word.
    const ofObjects = words.length === 0 || covered.value ? [] : store.objectCommands;
    const inPalette = pick(offered, words, {
      limit: words.length > 0 ? mostOfKind : offered.length,
      // The id is searched too, so users who know the English name find the command in a Chinese window.
      texts: ({ label, id, hint }) => named(label, `${id} ${hint ?? ''}`),
      entry: ({ id, label, icon, hint, keys, disabled, run }) => ({
        key: `command:${id}`,
        label,
        icon,
        run,
        hint,
        disabled,
        ...(keys === undefined ? {} : { keys }),
      }),
    });
    return [
      ['shell.palette.commands', inPalette],
      ['shell.palette.inView', objectGroup(words, ofObjects)],
    ];
  }

  function deviceGroup(words: readonly string[]): Scored {
    const found = devices(words);
    return pick(found.list, words, found);
  }

  return useLateSearch(query, (text) => {
    const typed = text.trimStart();
    const onlyCommands = typed.startsWith('>');
    const find = (words: readonly string[]): PaletteGroup[] => {
      const ofCommands = commandGroups(words);
      const scored: [MessageKey, Scored][] = onlyCommands
        ? ofCommands
        : [
            ['devices.title', deviceGroup(words)],
            ['servers.title', pick(servers.list(words), words, servers)],
            ['shell.palette.tools', toolGroup.matches(words)],
            ['shell.palette.recent', recentCalls(words, words.length > 0 ? 'registered' : 'all')],
            ['shell.palette.saved', words.length > 0 ? savedGroup(words) : { entries: [], score: 0 }],
            ...ofCommands,
            ['shell.panes', paneGroup(words, navigation)],
            ['settings.title', settingsGroup(words, place)],
          ];
      // Groups with equal best scores keep a fixed order.
      return scored
        .filter(([, { entries }]) => entries.length > 0)
        .sort(([, a], [, b]) => rankOf(b.score) - rankOf(a.score))
        .map(([title, { entries }]) => ({ title, entries }));
    };
    const names = (): SearchTexts[] => [
      ...[...commands.value, ...store.objectCommands.map(({ item }) => item)].map(({ label }) => named(label)),
      ...(onlyCommands ? [] : [...panes.map(paneTexts), ...allSettings().map(settingTexts), ...toolGroup.texts()]),
      ...(onlyCommands ? [] : servers.allTexts()),
    ];
    const words = queryWords(typed.replace(/^>/, ''));
    const search = findCorrecting(words, { find, texts: names });
    if (words.length > 0 && !onlyCommands) addLast(search.found, recentCalls(words, 'unregistered').entries);
    return search;
  });
}

/** Searches the methods of all tools. */
function useToolGroup(): { matches(words: readonly string[]): Scored; texts(): SearchTexts[] } {
  const tools = useTools();
  const sandbox = useSandbox();
  const navigation = useNavigation();

  const entry = ({ tool, method }: ToolMethod): PaletteEntry => ({
    key: `tool:${method.qualifiedName}`,
    prefix: `${tool.id}_`,
    label: method.name,
    mono: true,
    source: tool.source.kind,
    hint: toolName(tool),
    action: t('shell.palette.openInExecutor'),
    ...(method.error !== undefined && { verdict: { text: t('discovery.state.broken'), kind: 'error' as const } }),
    loadsTool: true,
    run: () => sandbox.load({ qualifiedName: method.qualifiedName }),
    runBeside: () => {
      navigation.openBeside('executor');
      sandbox.load({ qualifiedName: method.qualifiedName });
    },
  });

  return {
    matches(words) {
      const found = words.length === 0 ? [] : findMethods(tools.list, { words, limit: mostOfKind });
      return { entries: found.map(({ item }) => entry(item)), score: found[0]?.score ?? 0 };
    },
    texts: () => tools.list.map((tool) => toolTexts(tool).all),
  };
}

function objectGroup(words: readonly string[], commands: readonly ObjectCommand[]): Scored {
  return pick(commands, words, {
    texts: ({ item, name }) => named(item.label, name),
    entry: ({ item, name }) => ({
      key: `object:${keyOf({ item, name }, commands)}`,
      label: item.label,
      ...(item.icon && { icon: item.icon }),
      hint: name,
      disabled: item.disabled === true,
      run: item.run,
    }),
  });
}

/** Distinct also among equal commands of equal objects. */
function keyOf({ item, name }: ObjectCommand, all: readonly ObjectCommand[]): string {
  const alike = all.filter((each) => each.name === name && each.item.label === item.label);
  return `${name}:${item.label}:${item.key ?? alike.findIndex((each) => each.item === item)}`;
}

function addLast(groups: PaletteGroup[], calls: PaletteEntry[]): void {
  const open = groups.find(({ title }) => title === 'shell.palette.recent');
  if (open !== undefined) open.entries.push(...calls);
  else if (calls.length > 0) groups.push({ title: 'shell.palette.recent', entries: calls });
}

/** Searches recent calls of tools that are registered, or of others. */
function useRecentCalls(): (words: readonly string[], of: 'registered' | 'unregistered' | 'all') => Scored {
  const calls = useCalls();
  const devices = useDevices();
  const tools = useTools();
  const sandbox = useSandbox();
  return (words, of) => {
    const isRegistered = (call: CallRecord): boolean => tools.find(call.qualifiedName) !== undefined;
    const list = calls.history.filter((call) => of === 'all' || isRegistered(call) === (of === 'registered'));
    return pick(newestOfEach(list), words, {
      limit: mostCalls,
      texts: ({ methodName, qualifiedName, source }) => ({
        fullName: foldText(qualifiedName),
        ...named(methodName || qualifiedName, sourceName(source)),
      }),
      entry: (call) => ({
        key: `call:${call.callId}`,
        // A call of an unknown tool has only the called name.
        label: call.methodName || call.qualifiedName,
        mono: true,
        icon: History,
        hint: [sourceName(call.source), awayFor(devices.byId.get(call.source?.id ?? '')), call.argsJson]
          .filter(Boolean)
          .join(' · '),
        time: formatTime(call.startedAt),
        ...(call.result && { verdict: verdictWords(call.result) }),
        loadsTool: true,
        run: () => sandbox.load({ qualifiedName: call.qualifiedName, argsJson: indentJson(call.argsJson) }),
      }),
    });
  };
}

/** Searches saved calls and collections. */
function useSavedGroup(): (words: readonly string[]) => Scored {
  const collections = useCollections();
  const navigation = useNavigation();
  const memory = useMemory();

  const openRun = (folder: string, only?: string[]): void => {
    navigation.open('executor');
    memory.open({ kind: 'run', folder, ...(only && { only }) });
  };

  const saved = (words: readonly string[]): Scored => {
    const all = collections.list.flatMap(({ folder, name, calls: rows }) =>
      rows.flatMap((call) => (call.problem === undefined ? [{ folder, collection: name, call }] : [])),
    );
    return pick(all, words, {
      texts: ({ call, collection }) => named(call.name, `${call.tool ?? ''} ${collection}`),
      entry: ({ folder, collection, call }) => ({
        key: `saved:${folder}/${call.file}`,
        label: call.name,
        icon: Bookmark,
        hint: `${collection} · ${call.tool ?? call.file}`,
        action: t('shell.palette.runSaved'),
        run: () => openRun(folder, [call.file]),
      }),
    });
  };

  const wholeCollections = (words: readonly string[]): Scored =>
    pick(
      collections.list.filter(({ calls: rows }) => rows.length > 0),
      words,
      {
        texts: ({ name }) => named(t('saved.tree.runAll', { name }), name),
        entry: ({ folder, name }) => ({
          key: `collection:${folder}`,
          label: t('saved.tree.runAll', { name }),
          icon: Play,
          hint: folder,
          run: () => openRun(folder),
        }),
      },
    );

  return (words) => {
    const [one, all] = [saved(words), wholeCollections(words)];
    return { entries: [...all.entries, ...one.entries], score: Math.max(one.score, all.score) };
  };
}

/** Keeps only the newest of calls with the same tool and arguments. Newest first. */
function newestOfEach(calls: readonly CallRecord[]): CallRecord[] {
  const seen = new Set<string>();
  return calls.filter(({ qualifiedName, argsJson }) => {
    const key = `${qualifiedName} ${argsJson}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Since when the device of a call is away. */
function awayFor(device: DeviceInfo | undefined): string {
  if (device?.leftAt === undefined) return '';
  return t('executor.tool.leftAgo', { time: formatPast(Date.now() - device.leftAt) });
}

/** Uses the same words as the result in the Executor. */
function verdictWords(result: ToolExecutionResult): PaletteEntry['verdict'] & object {
  const verdict = verdictOf(result);
  const { kind } = verdictLooks[verdict];
  return { text: t(`executor.result.verdict.${verdict}`), kind: kind === 'plain' || kind === 'pending' ? 't2' : kind };
}

const paneTexts = ({ title, id }: (typeof panes)[number]): SearchTexts => named(t(title), id);

function paneGroup(words: readonly string[], navigation: ReturnType<typeof useNavigation>): Scored {
  return pick(panes, words, {
    limit: panes.length,
    texts: paneTexts,
    entry: ({ id, title, icon, keys }) => ({
      key: `pane:${id}`,
      label: t(title),
      icon,
      keys,
      run: () => navigation.open(id),
      runBeside: () => navigation.openBeside(id),
    }),
  });
}

/** The sections of the settings, each with its rows. */
function allSettings() {
  return sectionNames.flatMap((section) => {
    const { title, text, words, settings, others = [] }: SettingGroup = settingList[section];
    return [undefined, ...settings, ...others].map((row) => ({
      section,
      name: t(row?.label ?? title),
      of: t(title),
      // A section is found by the words of its text, too.
      more: row ? (row.hint ? t(row.hint) : '') : [text, words].map((key) => (key ? t(key) : '')).join(' '),
      row,
    }));
  });
}

const settingTexts = ({ name, of, more, row }: ReturnType<typeof allSettings>[number]): SearchTexts =>
  named(name, `${row?.label ?? ''} ${of} ${more}`);

function settingsGroup(words: readonly string[], place: ReturnType<typeof useSettingsPlace>): Scored {
  return pick(words.length === 0 ? [] : allSettings(), words, {
    limit: mostSettings,
    texts: settingTexts,
    entry: ({ section, name, of, row }) => ({
      key: `setting:${section}:${row?.label ?? ''}`,
      label: name,
      icon: SlidersHorizontal,
      hint: row ? of : '',
      run: () => place.show(section, row?.label),
    }),
  });
}
