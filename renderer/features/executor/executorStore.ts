import { watchDebounced } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, markRaw, ref, shallowReactive, shallowRef, watch } from 'vue';

import type { CallRecord, CallRules, RecentCall } from '../../../src-core/contract/types.ts';
import type { Verdict } from '../../../src-core/contract/stateWords.ts';
import { useBeforeLeaving } from '../../ui/composables/useBeforeLeaving.ts';
import { useLate } from '../../ui/composables/useLate.ts';
import { wordError } from '../discovery/toolState.ts';
import { t } from '../../i18n/index.ts';
import { joinList } from '../../i18n/joinTexts.ts';
import { isOneOf, isText, useRemembered } from '../../window/useRemembered.ts';
import { injectConnection, useConnection } from '../../client/connectionStore.ts';
import { lacksSecret } from '../calls/explainError.ts';
import { useCalls } from '../calls/callsStore.ts';
import { useRuns } from '../calls/runsStore.ts';
import { useSandbox } from './sandboxStore.ts';
import { useSavedOrigins, type SavedOrigin } from './useSavedOrigins.ts';
import { useSettings } from '../../window/settingsStore.ts';
import { useToasts } from '../../window/toasts.ts';
import { useClosed } from '../trash/closedStore.ts';
import { pathText } from '../../ui/forms/json/pathText.ts';
import { shorten } from '../../ui/format/shorten.ts';
import { visibleText } from '../../ui/format/visibleText.ts';
import { useTimeout } from './callTimeout.ts';
import { maxTabs, useExecutorTabs } from './executorTabs.ts';
import { keepArguments, memoryKey, recallArguments } from './argumentMemory.ts';
import type { SavedStates } from '../../ui/forms/state/fieldStates.ts';
import { useArguments } from '../../ui/forms/state/useArguments.ts';
import { isSameArguments } from './result/isSameArguments.ts';
import { fromRecord, fromRun, type ShownCall } from './result/shownCall.ts';
import { useRun, type Run, type RunRequest, type RunState, type UseRunOptions } from '../calls/useRun.ts';
import { useSeries, type Series } from '../calls/useSeries.ts';
import { verdictOf, verdictOfSeries } from '../calls/verdictOf.ts';
import { useMissingTool } from './missingTool.ts';
import { useSavedChecks } from './useSavedChecks.ts';

/** Maximum number of runs kept for tools that are not in front, so that their last result is shown again later. */
const maxRuns = 24;
/** Maximum number of kept forms. */
const maxForms = 60;
/** ms without a change after which the arguments are stored for the next start. */
const rememberAfterMs = 300;

/** Options of a call that override the form. */
export interface RunOptions {
  timeoutMs?: number | undefined;
  rules?: CallRules | undefined;
  asTask?: boolean;
}

/** The Executor's state. It outlives the pane, so that a call continues and a form is preserved. */
export const useExecutor = defineStore('executor', () => {
  const { client } = injectConnection();
  const connection = useConnection();
  const settings = useSettings();
  const sandbox = useSandbox();
  const ownRuns = useRuns();
  const calls = useCalls();
  const toasts = useToasts();
  const closings = useClosed();
  const running: UseRunOptions = {
    client,
    runs: ownRuns,
    onUndecided: (cause) => toasts.fail(t('questions.undecided'), cause),
  };

  const toolName = ref('');
  const text = ref('{}');
  const mode = useRemembered<'form' | 'json'>('executor.mode', 'form', isOneOf('form', 'json'));
  const tabs = useExecutorTabs();
  const target = computed(() => tabs.targetOf(toolName.value));
  /** The method as last registered, so that the form stays while its device is disconnected. */
  const method = computed(() => tabs.methodOf(toolName.value));
  /** Why no method with this name is registered; undefined if it is registered or this window has seen it. */
  const missing = useMissingTool(() => (method.value === undefined ? toolName.value : ''));

  const schema = computed(() => method.value?.method.inputSchema ?? {});
  const args = markRaw(useArguments({ text, schema }));
  const sendsNothing = computed(() => /^\s*\{\s*\}\s*$/.test(text.value));
  const timeout = markRaw(useTimeout(toolName));

  const runs = shallowReactive(new Map<string, Run>());
  const run = computed(() => runs.get(toolName.value));
  const selected = shallowRef<CallRecord>();
  /** The selected series of the history. A selected call of it takes precedence. */
  const pastSeries = shallowRef<RecentCall>();
  const isRunning = computed(() => run.value?.running.value === true);
  const isLate = useLate(() => isRunning.value);
  /** For its first 150 ms a call leaves in view what the last one returned: a fast one replaces it without a gap. */
  const shown = computed<ShownCall | undefined>((before) => {
    if (selected.value !== undefined) return fromRecord(selected.value);
    if (isRunning.value && !isLate.value && before?.qualifiedName === toolName.value) return before;
    return run.value && fromRun(run.value.state.value, calls.endedById);
  });

  const isStale = computed(() => isRunning.value && shown.value !== undefined && selected.value === undefined);

  /** The shown call, if the schema rejected exactly these arguments. The user may then send them anyway. */
  const misfit = computed(() => {
    const call = shown.value;
    const error = call?.result.error;
    if (call?.rules !== undefined || error?.code !== 'invalid-arguments' || lacksSecret(error.details))
      return undefined;
    return call?.qualifiedName === toolName.value && isSameArguments(text.value, call.argsJson) ? call : undefined;
  });

  const manySeries = shallowReactive(new Map<string, Series>());
  const series = computed(() => manySeries.get(toolName.value)?.state.value ?? { phase: 'idle' as const });
  /** The schema rejects the arguments, so a call may skip the check. */
  const skipsCheck = computed(() => misfit.value !== undefined || args.issues.value.length > 0);
  /** Why nothing can be sent now, or not by these rules: only a call as a model, or without the check, may have arguments that do not fit. */
  function hindranceOf(rules?: CallRules): string | undefined {
    if (connection.offline !== undefined) return connection.offline;
    const fault = target.value?.method.error;
    if (fault !== undefined) return wordError(fault);
    if (args.problem.value !== undefined) return t('executor.run.unreadable');
    if (args.drafts.size > 0) return t('executor.run.draft');
    if (checks.hindrance.value !== undefined) return checks.hindrance.value;
    if (timeout.ms.value === undefined) return t('executor.run.timeoutInvalid');
    // The engine fills in a secret before it checks the arguments.
    if (rules !== undefined || args.issues.value.length === 0 || text.value.includes('$secret:')) return undefined;
    const names = new Set(args.issues.value.map(({ path }) => pathText(path) || t('executor.args.title')));
    return t('executor.run.invalid', { names: shorten(joinList([...names])) });
  }
  /** A call or a series of the tool in front is running. */
  const busy = computed(() => isRunning.value || series.value.phase === 'running');
  /** The pending question before a call, or before all calls of a series. */
  const asking = computed(() => {
    if (series.value.phase === 'asking') return series.value;
    const state = run.value?.state.value;
    return state?.phase === 'asking' ? state : undefined;
  });

  /** The blue button is the remedy in the shown error: other arguments, or those that were refused, are for Run. */
  const remedyFirst = computed(() => {
    const call = shown.value;
    if (call?.result.status !== 'error' || busy.value) return false;
    const refused = call.result.error?.code === 'invalid-arguments';
    return target.value === undefined || (!refused && isSameArguments(text.value, call.argsJson));
  });

  async function cancel(): Promise<void> {
    // Without a connection nothing can be cancelled, and the call may have ended.
    if (connection.offline !== undefined) return;
    const one = series.value.phase === 'running' ? manySeries.get(toolName.value) : run.value;
    await one?.cancel();
  }

  /** Shows a complete call of the history. */
  async function showCall(callId: string): Promise<void> {
    try {
      selected.value = await client.calls.get({ callId });
    } catch (cause) {
      toasts.fail(t('executor.series.showFailed'), cause);
    }
  }

  function runOf(name: string): Run {
    const existing = runs.get(name);
    if (existing !== undefined) return existing;
    for (const old of runs.keys()) if (runs.size >= maxRuns && !isBusy(old)) runs.delete(old);
    const made = useRun(running);
    runs.set(name, made);
    return made;
  }

  function remember(): void {
    if (toolName.value === '') return;
    tabs.noteArguments(toolName.value, args.drafts.size > 0 ? undefined : text.value);
    const saved = settings.ui[memoryKey];
    if (recallArguments(saved, toolName.value) === text.value) return;
    settings.remember(memoryKey, keepArguments(saved, toolName.value, text.value));
  }

  const origins = useSavedOrigins();
  /** The saved call in the form, as long as the form belongs to it. */
  const origin = computed({
    get: () => origins.get(toolName.value),
    set: (saved) => origins.set(toolName.value, saved),
  });
  /** The saved call in the form, checked on the shown result of its arguments. */
  const checks = useSavedChecks(origin, {
    text,
    shown: () => (shown.value && isSameArguments(text.value, shown.value.argsJson) ? shown.value : undefined),
    onFilled: (saved) => renewSaved(toolName.value, saved),
    device: () => (target.value?.tool.source.kind === 'device' ? target.value.tool.id : undefined),
  });
  /** Forms as last edited, including those too large to store. */
  const left = shallowReactive(new Map<string, { text: string; states: SavedStates }>());
  function leave(): void {
    remember();
    left.delete(toolName.value);
    left.set(toolName.value, { text: text.value, states: args.saveStates() });
    for (const [oldest] of left) if (left.size > maxForms) left.delete(oldest);
  }
  watchDebounced(text, remember, { debounce: rememberAfterMs });
  useBeforeLeaving(remember);

  /** A call or a series of the tool runs, or waits for an answer before it does. */
  const isBusy = (tool: string): boolean =>
    [runs, manySeries].some((all) => /^(running|asking)$/.test(all.get(tool)?.state.value.phase ?? ''));
  /** The arguments differ from those of the saved call that they came from. */
  function isUnsaved(tool: string): boolean {
    const saved = origins.get(tool);
    const now = tool === toolName.value ? text.value : left.get(tool)?.text;
    return saved !== undefined && now !== undefined && !isSameArguments(now, saved.argsJson);
  }
  /** A tab with work is never closed by the Executor itself. */
  const hasWork = (tool: string): boolean => isBusy(tool) || isUnsaved(tool) || tabs.isEdited(tool);
  /** The saved call of a form was edited: the form follows, unless it was changed itself. Another tool has another form. */
  function renewSaved(tool: string, saved: SavedOrigin): void {
    for (const other of origins.toolsOf(saved)) {
      const follows = other === toolName.value && other !== tool && !isUnsaved(other);
      if (other !== tool) origins.set(other, undefined);
      if (follows) return open(tool, saved.argsJson, saved);
    }
    const before = origins.get(tool);
    if (before?.folder !== saved.folder || before.file !== saved.file) return;
    if (!isUnsaved(tool)) {
      tabs.startFrom(tool, saved.argsJson);
      if (tool === toolName.value) text.value = saved.argsJson;
      else if (left.has(tool)) left.set(tool, { text: saved.argsJson, states: [] });
    }
    origins.set(tool, saved);
  }
  /** The tool in front was looked at, and nothing else: the next one takes its tab. */
  function isPassing(): boolean {
    const name = toolName.value;
    const isUsed = runs.has(name) || manySeries.has(name) || origin.value || text.value !== tabs.startOf(name);
    return name !== '' && tabs.passing.value === name && !isUsed;
  }

  /** Closes a tab. Its call, its result and its arguments stay, should the tool be opened again. */
  function closeTab(tool: string): void {
    const next = tabs.close(tool);
    if (tool !== toolName.value) return;
    if (next !== '') return open(next);
    leave();
    toolName.value = lastTool.value = '';
  }

  /**
   * Brings a method to the front with these arguments or its last ones; `saved` if they come from a saved call. It comes to its tab, to the
   * tab of a tool that was only looked at, or to a new one.
   */
  function open(qualifiedName: string, argsJson?: string, saved?: Omit<SavedOrigin, 'argsJson'>): void {
    const front = toolName.value;
    const replaces = isPassing();
    if (front !== '') leave();
    const closed = tabs.add(qualifiedName, { front, replaces, hasWork });
    if (closed !== undefined) tellClosed(closed);
    toolName.value = qualifiedName;
    const before = argsJson === undefined ? left.get(qualifiedName) : undefined;
    text.value = argsJson ?? before?.text ?? recallArguments(settings.ui[memoryKey], qualifiedName) ?? '{}';
    args.restoreStates(before?.states);
    if (argsJson !== undefined) origin.value = saved && { ...saved, argsJson };
    if (argsJson !== undefined || !tabs.isEdited(qualifiedName)) tabs.startFrom(qualifiedName, text.value);
    selected.value = undefined;
    pastSeries.value = undefined;
    if (lastTool.value !== qualifiedName) lastTool.value = qualifiedName;
  }

  /** Says that a tab was closed, and offers to bring it back. It then stays until it is called again. */
  function tellClosed({ tool, restore }: { tool: string; restore: () => void }): void {
    const name = visibleText(tabs.methodOf(tool)?.method.name ?? tool);
    closings.keep(name, restore, t('executor.tabs.closed', { name, most: maxTabs }));
  }

  /** Builds the request from the form and the run bar; undefined if it is invalid or no call can start now. */
  function takeRequest({ timeoutMs = timeout.ms.value, rules, asTask }: RunOptions): RunRequest | undefined {
    if (timeoutMs === undefined || hindranceOf(rules) !== undefined) return undefined;
    if (busy.value || asking.value !== undefined) return undefined;
    tabs.startFrom(toolName.value, text.value);
    remember();
    selected.value = undefined;
    pastSeries.value = undefined;
    const collection = origin.value?.folder;
    return {
      qualifiedName: toolName.value,
      argsJson: text.value,
      timeoutMs,
      origin: 'executor',
      ...(collection !== undefined && { collection }),
      ...(rules !== undefined && { rules }),
      ...(asTask && { asTask }),
    };
  }

  async function start(options: RunOptions = {}): Promise<void> {
    const request = takeRequest(options);
    if (request === undefined) return;
    manySeries.delete(toolName.value);
    const keep = checks.keeperOf(request);
    const made = runOf(toolName.value);
    await made.run(request);
    await keep(fromRun(made.state.value, calls.endedById));
  }

  /** Runs the same call many times. */
  async function startSeries({
    rules,
    ...often
  }: { count: number; parallel: number } & Pick<RunOptions, 'rules'>): Promise<void> {
    const request = takeRequest({ rules });
    if (request === undefined) return;
    runs.delete(toolName.value);
    await newSeries(toolName.value).run({ ...request, ...often });
  }

  function newSeries(name: string): Series {
    for (const old of manySeries.keys()) if (manySeries.size >= maxRuns && !isBusy(old)) manySeries.delete(old);
    const made = useSeries(running);
    manySeries.set(name, made);
    return made;
  }

  /** Resumes the calls and series that this window started before it was reloaded. */
  async function resume(): Promise<void> {
    for (const view of await ownRuns.ofBefore('call')) void runOf(view.input.toolName).resume(view);
    for (const view of await ownRuns.ofBefore('series')) void newSeries(view.input.toolName).resume(view);
  }
  resume().catch((cause: unknown) => toasts.fail(t('executor.result.notResumed'), cause));

  /** If set, the call is made with these options once the tool is registered again. */
  const waiting = shallowRef<RunOptions>();
  watch([target, toolName], ([now], [, before]) => {
    if (toolName.value !== before) waiting.value = undefined;
    const options = waiting.value;
    if (options === undefined || now === undefined) return;
    waiting.value = undefined;
    void start(options);
  });

  const lastTool = useRemembered('executor.tool', '', isText);
  watch(
    () => settings.loaded,
    (loaded) => loaded && toolName.value === '' && lastTool.value !== '' && open(lastTool.value),
    { immediate: true },
  );
  watch(
    () => sandbox.requested,
    (request) => request && open(request.qualifiedName, request.argsJson),
    { immediate: true },
  );

  return {
    toolName,
    text,
    mode,
    target,
    method,
    missing,
    schema,
    args,
    timeout,
    run,
    series,
    busy,
    remedyFirst,
    asking,
    selected,
    pastSeries,
    shown,
    isStale,
    misfit,
    sendsNothing,
    skipsCheck,
    hindranceOf,
    origin,
    checked: checks.found,
    savedArguments: checks.current,
    unset: checks.unset,
    saveAs: checks.saveAs,
    waiting,
    tabs: tabs.list,
    methodOf: tabs.methodOf,
    keepTab: () => (tabs.passing.value = ''),
    showTab: (step: 1 | -1) => open(tabs.beside(toolName.value, step)),
    closeTab,
    isUnsaved,
    renewSaved,
    stateOf: (tool: string): RunState['phase'] | 'series' =>
      manySeries.get(tool)?.state.value.phase === 'running' ? 'series' : (runs.get(tool)?.state.value.phase ?? 'idle'),
    runOf: (tool: string): RunState | undefined => runs.get(tool)?.state.value,
    /** How the last call of a tab ended, or the calls of its series. */
    verdictOf(tool: string): Verdict | undefined {
      const series = manySeries.get(tool)?.state.value;
      if (series?.phase === 'done') return verdictOfSeries(series.figures);
      const state = runs.get(tool)?.state.value;
      return state?.phase === 'done' ? verdictOf(state.result) : undefined;
    },
    open,
    start,
    startSeries,
    showCall,
    cancel,
    remember,
  };
});
