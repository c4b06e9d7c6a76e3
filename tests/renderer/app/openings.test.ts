import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { defineComponent } from 'vue';

import { useOpenings } from '../../../renderer/app/useOpenings.ts';
import { useNavigation } from '../../../renderer/window/navigation.ts';
import { useSandbox } from '../../../renderer/features/executor/sandboxStore.ts';
import { useSettings } from '../../../renderer/window/settingsStore.ts';
import { openWindow, type TestWindow } from '../openWindow.ts';

let window: TestWindow;
beforeEach(async () => {
  window = await openWindow();
});
afterEach(() => window.close());

/** A window of the desktop app, or of a browser. */
function open(kind?: 'electron'): void {
  const host = kind ? { toolwireShell: { kind } } : {};
  window.mount(defineComponent({ setup: () => useOpenings(host), template: '<i></i>' }));
}

test('what waited before the window was there is shown, and what comes later, too', async () => {
  const { workbench } = window.workbench.services;
  workbench.putOpening({ kind: 'pane', pane: 'parser' });
  open('electron');
  const navigation = window.use(useNavigation);
  await vi.waitFor(() => expect(navigation.pane).toBe('parser'));
  workbench.putOpening({ kind: 'device', deviceId: '02:00:00:00:00:01' });
  const settings = window.use(useSettings);
  await vi.waitFor(() => expect(settings.ui['devices.chosen']).toBe('device:02:00:00:00:00:01'));
  expect(navigation.pane).toBe('devices');
  workbench.putOpening({ kind: 'capture', captureId: '7' });
  await vi.waitFor(() => expect(settings.ui['devices.chosen']).toBe('capture:7'));
});

test('a link to a tool loads it and runs nothing; a pane that is not there changes nothing', async () => {
  open('electron');
  const navigation = window.use(useNavigation);
  const sandbox = window.use(useSandbox);
  const { workbench, calls } = window.workbench.services;
  workbench.putOpening({ kind: 'pane', pane: 'nowhere' });
  workbench.putOpening({ kind: 'tool', qualifiedName: 'clock_get_time' });
  await vi.waitFor(() => expect(sandbox.requested).toEqual({ qualifiedName: 'clock_get_time' }));
  expect(navigation.pane).toBe('executor');
  expect(await calls.history({ limit: 1 })).toEqual([]);
});

test('in a split window a link opens in the focused half, or in the half that shows its pane', async () => {
  const navigation = window.use(useNavigation);
  const { workbench } = window.workbench.services;
  navigation.show(['devices', 'chat'], 'chat');
  open('electron');
  workbench.putOpening({ kind: 'tool', qualifiedName: 'clock_get_time' });
  await vi.waitFor(() => expect(navigation.halves).toEqual(['devices', 'executor']));
  expect(navigation.pane).toBe('executor');
  workbench.putOpening({ kind: 'device', deviceId: '02:00:00:00:00:01' });
  await vi.waitFor(() => expect(navigation.pane).toBe('devices'));
  expect(navigation.halves).toEqual(['devices', 'executor']);
});

test('a browser leaves them to the desktop’s window', async () => {
  const { workbench } = window.workbench.services;
  workbench.putOpening({ kind: 'pane', pane: 'parser' });
  open();
  await window.connection.client.workbench.info();
  expect(workbench.takeOpenings()).toHaveLength(1);
});
