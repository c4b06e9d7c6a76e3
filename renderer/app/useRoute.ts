import { useEventListener } from '@vueuse/core';
import { computed, watch } from 'vue';

import { isText, useRemembered } from '../window/useRemembered.ts';
import { t } from '../i18n/index.ts';
import { useNavigation, type PaneId } from '../window/navigation.ts';
import { useSandbox } from '../features/executor/sandboxStore.ts';
import { isSection, sectionNames, useSettingsPlace } from '../window/settingsPlace.ts';
import { useSettings } from '../window/settingsStore.ts';
import { useToasts } from '../window/toasts.ts';
import { readRoute, writeRoute, type Route } from './route.ts';

/**
 * Keeps the page's address at what is shown, and shows what the address names: on reload, by a link, back and forward.
 * Other panes, or another method in the Executor, are a step of their own in the history; a choice within a list is not,
 * nor is going from one half to the other.
 */
export function useRoute(host: Window = window): void {
  const navigation = useNavigation();
  const sandbox = useSandbox();
  const settings = useSettings();
  const toasts = useToasts();
  const kept = (key: string) => useRemembered(key, '', isText);
  const tool = kept('discovery.tool');
  const method = kept('discovery.method');
  const called = kept('executor.tool');
  const device = kept('devices.chosen');
  const chat = kept('chat.chosen');
  const conversation = kept('realtime.chosen');
  const settingsPlace = useSettingsPlace();

  const chosen: Partial<Record<PaneId, () => string[]>> = {
    discovery: () => [tool.value, method.value],
    executor: () => [called.value],
    devices: () => deviceParts(device.value),
    chat: () => [chat.value],
    realtime: () => [conversation.value],
    settings: () => (settingsPlace.section === sectionNames[0] ? [] : [settingsPlace.section]),
  };
  function placeOf(pane: PaneId): Pick<Route, 'pane' | 'chosen'> {
    const parts = chosen[pane]?.() ?? [];
    const end = parts.indexOf('');
    return { pane, chosen: end === -1 ? parts : parts.slice(0, end) };
  }
  const route = computed<Route>(() => {
    const { pane, beside, halves } = navigation;
    if (beside === undefined) return placeOf(pane);
    return { ...placeOf(pane), beside: { side: halves[0] === beside ? 'left' : 'right', ...placeOf(beside) } };
  });
  const address = computed(() => writeRoute(route.value));

  function show({ beside, ...front }: Route): void {
    if (beside) choose(beside);
    choose(front);
    if (beside === undefined) navigation.show([front.pane], front.pane);
    else navigation.show(beside.side === 'left' ? [beside.pane, front.pane] : [front.pane, beside.pane], front.pane);
  }

  function choose({ pane, chosen: [first, second] }: Pick<Route, 'pane' | 'chosen'>): void {
    if (first === undefined) return;
    if (pane === 'discovery') {
      tool.value = first;
      method.value = second ?? '';
    } else if (pane === 'executor') {
      if (first !== called.value) sandbox.load({ qualifiedName: first });
    } else if (pane === 'devices') device.value = second === undefined ? `device:${first}` : `capture:${second}`;
    else if (pane === 'chat') chat.value = first;
    else if (pane === 'realtime') conversation.value = first;
    else if (pane === 'settings' && isSection(first)) settingsPlace.section = first;
  }

  function showAddress(): void {
    const asked = readRoute(host.location.hash);
    if (asked) show(asked);
    else if (/^#./.test(host.location.hash))
      toasts.show({ kind: 'warn', title: t('shell.noPlace', { link: host.location.hash.slice(0, 80) }) });
    // An address that names no place is put right.
    if (address.value !== host.location.hash) host.history.replaceState(null, '', address.value);
  }

  // What is chosen is known once the settings are here; until then the address stands as it came.
  watch(
    () => settings.loaded,
    (loaded) => loaded && showAddress(),
    { immediate: true },
  );
  useEventListener(host, 'popstate', showAddress);
  watch(address, (now, before) => {
    if (!settings.loaded || now === host.location.hash) return;
    const isStep = panesOf(before) !== panesOf(now) || toolOf(before) !== toolOf(now);
    if (isStep) host.history.pushState(null, '', now);
    else host.history.replaceState(null, '', now);
  });
}

/** The panes that an address shows, whichever is in front. */
function panesOf(hash: string): string {
  const route = readRoute(hash);
  if (route?.beside === undefined) return route?.pane ?? '';
  const { pane, beside } = route;
  return (beside.side === 'left' ? [beside.pane, pane] : [pane, beside.pane]).join();
}

/** The method that an address has in the Executor. */
function toolOf(hash: string): string | undefined {
  const route = readRoute(hash);
  return [route, route?.beside].find((place) => place?.pane === 'executor')?.chosen[0];
}

function deviceParts(key: string): string[] {
  if (key.startsWith('device:')) return [key.slice('device:'.length)];
  return key.startsWith('capture:') ? ['capture', key.slice('capture:'.length)] : [];
}
