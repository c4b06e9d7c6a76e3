import { defineStore } from 'pinia';
import { computed, ref, watch, type Ref } from 'vue';

import type { CallRecord, Settings, ToolView } from '../../../src-core/contract/types.ts';
import { isOneOf, useRemembered } from '../../window/useRemembered.ts';
import { useCalls } from '../../features/calls/callsStore.ts';
import { useDevices } from '../../features/devices/devicesStore.ts';
import { useNavigation } from '../../window/navigation.ts';
import { useSandbox } from '../../features/executor/sandboxStore.ts';
import { useSettings } from '../../window/settingsStore.ts';
import { useTools, type ToolMethod } from '../../features/discovery/toolsStore.ts';

/** A step of the tour to the first call. It depends on what there is, not on what was clicked; one that was completed stays so. */
export type TourStep = 'device' | 'method' | 'run' | 'done';
const steps: readonly TourStep[] = ['device', 'method', 'run', 'done'];

/** Calls that the user makes, or asks a model for. */
const ownOrigins: ReadonlySet<CallRecord['origin']> = new Set(['executor', 'parser', 'model']);

/** What may be in the result of a method with such a name. */
const secretNames = /env|secret|token|password|credential|key/i;

/**
 * The suggested first method: the one that the user chose, or a harmless one, preferably of a device. One of a device should need no
 * arguments; one of an MCP server, such as `echo`, a text.
 */
function suggest(usable: readonly ToolView[], remembered: Settings['ui']): ToolMethod | undefined {
  const { 'discovery.tool': chosenId, 'discovery.method': chosenName } = remembered;
  const chosenTool = usable.find(({ id }) => id === chosenId);
  const chosen = chosenTool?.methods.find(({ name }) => name === chosenName);
  if (chosenTool && chosen) return { tool: chosenTool, method: chosen };
  const tool = usable.find(({ source }) => source.kind === 'device') ?? usable[0];
  const harmless = tool?.methods.filter(({ asksFirst, error }) => asksFirst === undefined && !error) ?? [];
  const takesText = ({ parameters }: ToolMethod['method']): boolean => {
    const [first, ...others] = parameters.filter(({ required }) => required);
    return first?.type === 'string' && others.length === 0;
  };
  const needsNothing = ({ name, parameters }: ToolMethod['method']): boolean =>
    !parameters.some(({ required }) => required) && !secretNames.test(name);
  const method =
    (tool?.source.kind === 'mcp' ? harmless.find(takesText) : undefined) ?? harmless.find(needsNothing) ?? harmless[0];
  return tool && method && { tool, method };
}

/** The tour to the first call: a device or an MCP server, one of its methods, the run. Starts automatically if no call was ever made. */
export const useTour = defineStore('tour', () => {
  const calls = useCalls();
  const navigation = useNavigation();
  const sandbox = useSandbox();
  const settings = useSettings();

  const kept = useRemembered('tour', 'first', isOneOf<'first' | 'closed'>('first', 'closed'));
  /** Undefined until it is known whether calls were made before. */
  const shown = ref<boolean>();
  /** The calls that existed when the tour began. */
  let before = new Set<string>();
  const first = ref<CallRecord>();
  /** The index of the last step that was reached. */
  const reached = ref(0);

  function begin(): void {
    before = new Set(calls.history.map(({ callId }) => callId));
    first.value = undefined;
    reached.value = 0;
    shown.value = true;
  }

  watch(
    () => calls.loaded && settings.loaded,
    (known) => {
      if (!known || shown.value !== undefined) return;
      if (kept.value === 'first' && calls.history.length === 0) begin();
      else shown.value = false;
    },
    { immediate: true },
  );
  watch(
    () => calls.history,
    (history) => {
      if (shown.value !== true || first.value !== undefined) return;
      first.value = history.find(
        ({ callId, origin, result }) => ownOrigins.has(origin) && result?.status === 'success' && !before.has(callId),
      );
    },
  );

  const { suggested, ready, step } = useSteps(first, reached);

  function close(): void {
    shown.value = false;
    kept.value = 'closed';
  }
  // Once its last step was read, it takes no more room.
  watch([() => navigation.pane, () => settings.own['executor.tool']], () => step.value === 'done' && close());

  return {
    shown,
    step,
    suggested,
    ready,
    /** The call that completed the tour. */
    first,
    begin,
    close,
    openMethod(): void {
      if (suggested.value) sandbox.load({ qualifiedName: suggested.value.method.qualifiedName });
    },
  };
});

/** Returns the current step of the tour from the call that completed it and the last step `reached`, and updates `reached`. */
function useSteps(first: Readonly<Ref<CallRecord | undefined>>, reached: Ref<number>) {
  const devices = useDevices();
  const navigation = useNavigation();
  const settings = useSettings();
  const tools = useTools();

  /** Whether a tool counts as the first step: one of a connected device, of an MCP server that is ready, or of a module that loaded. */
  const counts = ({ source: { kind }, error, methods }: ToolView): boolean => {
    if (kind === 'device') return devices.connectedCount > 0;
    return (kind === 'mcp' || kind === 'module') && error === undefined && methods.some((method) => !method.error);
  };

  const wanted = computed(() => suggest(tools.list.filter(counts), settings.own));
  const suggested = computed(
    () => wanted.value ?? suggest(reached.value > 0 ? tools.list.filter(({ error }) => !error) : [], settings.own),
  );
  /** Whether the tool in the Executor can be run: any, if the device of the first step has left. */
  const ready = computed(() => {
    const called = settings.own['executor.tool'];
    const tool = typeof called === 'string' ? tools.find(called)?.tool : undefined;
    return tool !== undefined && (wanted.value === undefined ? tool.error === undefined : counts(tool));
  });
  const now = computed(() => {
    if (first.value !== undefined) return 3;
    if (suggested.value === undefined) return 0;
    return ready.value && navigation.pane === 'executor' ? 2 : 1;
  });
  watch(now, (at) => (reached.value = Math.max(reached.value, at)), { immediate: true, flush: 'sync' });
  const step = computed(() => steps[Math.max(reached.value, now.value)] ?? 'done');
  return { suggested, ready, step };
}
