import { useEventListener } from '@vueuse/core';
import { computed, watch } from 'vue';

import { isText, useRemembered } from '../composables/useRemembered.ts';
import { useNavigation, type PaneId } from '../stores/navigation.ts';
import { useSandbox } from '../stores/sandbox.ts';
import { useSettings } from '../stores/settings.ts';
import { readRoute, writeRoute, type Route } from './route.ts';

/**
 * Keeps the page's address at what is shown, and shows what the address names: on reload, by a link, back and forward.
 * A new pane, or another method in the Executor, is a step of its own in the history; a choice within a list is not.
 */
export function useRoute(host: Window = window): void {
  const navigation = useNavigation();
  const sandbox = useSandbox();
  const settings = useSettings();
  const kept = (key: string) => useRemembered(key, '', isText);
  const tool = kept('discovery.tool');
  const method = kept('discovery.method');
  const called = kept('executor.tool');
  const device = kept('devices.chosen');
  const chat = kept('chat.chosen');
  const conversation = kept('realtime.chosen');

  const chosen: Partial<Record<PaneId, () => string[]>> = {
    discovery: () => [tool.value, method.value],
    executor: () => [called.value],
    devices: () => deviceParts(device.value),
    chat: () => [chat.value],
    realtime: () => [conversation.value],
  };
  const route = computed<Route>(() => {
    const parts = chosen[navigation.pane]?.() ?? [];
    const end = parts.indexOf('');
    return { pane: navigation.pane, chosen: end === -1 ? parts : parts.slice(0, end) };
  });
  const address = computed(() => writeRoute(route.value));

  function show({ pane, chosen: [first, second] }: Route): void {
    navigation.open(pane);
    if (first === undefined) return;
    if (pane === 'discovery') {
      tool.value = first;
      method.value = second ?? '';
    } else if (pane === 'executor') {
      if (first !== called.value) sandbox.load({ qualifiedName: first });
    } else if (pane === 'devices') device.value = second === undefined ? `device:${first}` : `capture:${second}`;
    else if (pane === 'chat') chat.value = first;
    else if (pane === 'realtime') conversation.value = first;
  }

  function showAddress(): void {
    const asked = readRoute(host.location.hash);
    if (asked) show(asked);
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
    const isStep = readRoute(before)?.pane !== navigation.pane || navigation.pane === 'executor';
    if (isStep) host.history.pushState(null, '', now);
    else host.history.replaceState(null, '', now);
  });
}

function deviceParts(key: string): string[] {
  if (key.startsWith('device:')) return [key.slice('device:'.length)];
  return key.startsWith('capture:') ? ['capture', key.slice('capture:'.length)] : [];
}
