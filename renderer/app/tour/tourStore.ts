import { defineStore } from 'pinia';
import { computed, ref, watch } from 'vue';

import type { CallRecord, Settings, ToolView } from '../../../src-core/contract/types.ts';
import { isOneOf, useRemembered } from '../../window/useRemembered.ts';
import { useCalls } from '../../features/calls/callsStore.ts';
import { useDevices } from '../../features/devices/devicesStore.ts';
import { useNavigation } from '../../window/navigation.ts';
import { useSandbox } from '../../features/executor/sandboxStore.ts';
import { useSettings } from '../../window/settingsStore.ts';
import { useTools, type ToolMethod } from '../../features/discovery/toolsStore.ts';

/** A step of the tour to the first call. It depends on the current state, not on what was clicked. */
export type TourStep = 'device' | 'method' | 'run' | 'done';

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
  const harmless = tool?.methods.filter(({ asksFirst }) => asksFirst === undefined) ?? [];
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
  const devices = useDevices();
  const navigation = useNavigation();
  const sandbox = useSandbox();
  const settings = useSettings();
  const tools = useTools();

  const kept = useRemembered('tour', 'first', isOneOf<'first' | 'closed'>('first', 'closed'));
  /** Undefined until it is known whether calls were made before. */
  const shown = ref<boolean>();
  /** The calls that existed when the tour began. */
  let before = new Set<string>();
  const first = ref<CallRecord>();

  function begin(): void {
    before = new Set(calls.history.map(({ callId }) => callId));
    first.value = undefined;
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
        ({ callId, origin, result }) => origin === 'executor' && result?.status === 'success' && !before.has(callId),
      );
    },
  );

  /** Whether a tool counts as the first step: a method of a connected device, or of an MCP server that is ready. */
  const counts = ({ source: { kind }, error }: ToolView): boolean =>
    kind === 'device' ? devices.connectedCount > 0 : kind === 'mcp' && error === undefined;

  const suggested = computed(() => suggest(tools.list.filter(counts), settings.own));
  const step = computed<TourStep>(() => {
    if (first.value !== undefined) return 'done';
    if (suggested.value === undefined) return 'device';
    const called = settings.own['executor.tool'];
    const inFront = typeof called === 'string' ? tools.find(called) : undefined;
    return navigation.pane === 'executor' && inFront && counts(inFront.tool) ? 'run' : 'method';
  });

  function close(): void {
    shown.value = false;
    kept.value = 'closed';
  }
  // Once its last step was read, it takes no more room.
  watch(
    () => navigation.pane,
    () => step.value === 'done' && close(),
  );

  return {
    shown,
    step,
    suggested,
    /** The call that completed the tour. */
    first,
    begin,
    close,
    openMethod(): void {
      if (suggested.value) sandbox.load({ qualifiedName: suggested.value.method.qualifiedName });
    },
  };
});
