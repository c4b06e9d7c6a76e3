import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defineComponent } from 'vue';

import { noticesKey, useCallNotices } from '../../../../renderer/features/calls/useCallNotices.ts';
import { useCalls } from '../../../../renderer/features/calls/callsStore.ts';
import { useNavigation } from '../../../../renderer/window/navigation.ts';
import { useSettings } from '../../../../renderer/window/settingsStore.ts';
import { openWindow, type TestWindow } from '../../openWindow.ts';

/** The system's notices, as a browser has them; jsdom has none. */
class SystemNotice {
  static permission: NotificationPermission = 'granted';
  static shown: SystemNotice[] = [];
  readonly title: string;
  readonly options: { body: string; tag: string };
  onclick?: () => void;
  constructor(title: string, options: { body: string; tag: string }) {
    this.title = title;
    this.options = options;
    SystemNotice.shown.push(this);
  }
}

let window: TestWindow;
beforeEach(async () => {
  SystemNotice.shown = [];
  SystemNotice.permission = 'granted';
  vi.stubGlobal('Notification', SystemNotice);
  vi.spyOn(globalThis.window, 'focus').mockReturnValue();
  vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  window = await openWindow();
});
afterEach(async () => {
  await window.close();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const call = (callId: string) =>
  window.connection.client.calls.execute({ callId, toolName: 'clock_get_date', argsJson: '{}', origin: 'executor' });

async function start(longMs: number): Promise<void> {
  const settings = window.use(() => useSettings());
  const calls = window.use(() => useCalls());
  await vi.waitUntil(() => settings.loaded);
  window.mount(defineComponent({ setup: () => (useCallNotices({ longMs }), () => null) }));
  await vi.waitUntil(() => calls.loaded);
}
const seen = async (count: number): Promise<void> => {
  const calls = window.use(() => useCalls());
  await vi.waitUntil(() => calls.history.length === count);
};

it('tells of a long call that ended out of sight, once, and leads to its method', async () => {
  await call('earlier');
  await start(0);
  await seen(1);
  window.use(() => useSettings()).remember(noticesKey, true);
  await call('long');
  await seen(2);
  await vi.waitUntil(() => SystemNotice.shown.length > 0);
  expect(SystemNotice.shown.map(({ title, options }) => [title, options.tag])).toEqual([['get_date answered', 'long']]);
  SystemNotice.shown[0]?.onclick?.();
  expect(window.use(() => useNavigation()).pane).toBe('executor');
  expect(await window.connection.client.calls.history({ limit: 10 })).toHaveLength(2);
});

const silent: [why: string, arrange: () => unknown, longMs: number][] = [
  ['the person did not ask for it', () => window.use(() => useSettings()).remember(noticesKey, false), 0],
  ['the call was short', () => undefined, 10_000],
  ['the window is in front', () => vi.spyOn(document, 'hasFocus').mockReturnValue(true), 0],
  ['the system does not allow it', () => (SystemNotice.permission = 'denied'), 0],
];
it.each(silent)('says nothing where %s', async (_why, arrange, longMs) => {
  await start(longMs);
  window.use(() => useSettings()).remember(noticesKey, true);
  arrange();
  await call('one');
  await seen(1);
  expect(SystemNotice.shown).toEqual([]);
});
