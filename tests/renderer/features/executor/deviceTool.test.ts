/** A device's tool in the Executor: its state is that of its card, and a call after it left says so. */
import { expect, it, vi } from 'vitest';

import ExecutorPane from '../../../../renderer/features/executor/ExecutorPane.vue';
import { useCommandStore } from '../../../../renderer/window/commands/commandStore.ts';
import { useDevices } from '../../../../renderer/features/devices/devicesStore.ts';
import { useExecutor } from '../../../../renderer/features/executor/executorStore.ts';
import { useSandbox } from '../../../../renderer/features/executor/sandboxStore.ts';
import { useTools } from '../../../../renderer/features/discovery/toolsStore.ts';
import { useNavigation } from '../../../../renderer/window/navigation.ts';
import { useSettings } from '../../../../renderer/window/settingsStore.ts';
import { defineToolRegistry } from '../../../../src-core/registry/defineTool.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;

windowForEachTest((opened) => (window = opened));

it('says of a call that was refused before it went out that no frame was sent', async () => {
  const { client } = window.connection;
  const { deviceId } = await client.devices.addVirtual({ name: 'Lamp' });
  const tools = window.use(() => useTools());
  await vi.waitUntil(() => tools.list.some(({ source }) => source.id === deviceId));
  const names = tools.methods().map(({ method }) => method.qualifiedName);
  const qualifiedName = names.find((name) => name.endsWith('set_volume'))!;
  window.use(() => useSandbox()).load({ qualifiedName, argsJson: '{}' });
  const pane = window.mount(ExecutorPane, {});
  const commands = window.use(() => useCommandStore());
  commands.run('executor.runAsModel');
  await vi.waitUntil(() => pane.text().includes('Invalid arguments'));
  await pane.get('.wire-bar').trigger('click');
  let drawer = pane.get('.drawer-wire');
  await vi.waitUntil(() => drawer.text().includes('No frame was sent. The call ended before it was sent.'));
  expect(drawer.text()).not.toContain('The log has');

  // Without its schema check it goes out, and the device says what is wrong.
  commands.run('executor.sendAnyway');
  await vi.waitUntil(() => drawer.text().includes('device answered'));
  expect(drawer.text()).not.toContain('The log has');
  // The shut wire has the same summary.
  await pane.get('.wire-close').trigger('click');
  await vi.waitUntil(() => pane.get('.wire-bar').text().includes('device answered'));
  expect(pane.get('.wire-bar').text()).toMatch(/^Wire2 framesdevice answered (with an error )?after \S+ ms/);
  await pane.get('.wire-bar').trigger('click');
  drawer = pane.get('.drawer-wire');
  await client.frames.clear({ source: 'device', connection: deviceId });
  await vi.waitUntil(() => drawer.text().includes('The log has no frames of this call.'));
});

it('says how late the answer to a call came that had timed out, and offers enough time', async () => {
  const { client } = window.connection;
  const { deviceId } = await client.devices.addVirtual({ name: 'Lamp', latencyMs: 700 });
  const tools = window.use(() => useTools());
  const devices = window.use(() => useDevices());
  await vi.waitUntil(() => devices.byId.get(deviceId)?.state === 'ready');
  await vi.waitUntil(() => tools.list.some(({ source }) => source.id === deviceId));
  const names = tools.methods().map(({ method }) => method.qualifiedName);
  const qualifiedName = names.find((name) => name.endsWith('self.get_device_status'))!;
  window.use(() => useSandbox()).load({ qualifiedName });
  window.use(() => useExecutor()).timeout.seconds.value = '0.1';
  const pane = window.mount(ExecutorPane, {});
  await pane.get('.run').trigger('click');
  await vi.waitUntil(() => /Answered after .+ too late: the timeout was 100 ms/.test(pane.text()));
  expect(pane.text()).not.toContain('The answer exceeded');
  expect(pane.text()).toContain('Increase the timeout of the call.');
  // Twice the 700 ms or more that it took.
  expect(pane.findAll('button').some((one) => /^Run with a [2-9] s timeout$/.test(one.text()))).toBe(true);
  expect(pane.get('.wire-bar').text()).toContain('answer came too late');
  await vi.waitUntil(() => devices.byId.get(deviceId)?.doctor.cause === 'answered-late');
});

it('still mentions frames that do not match the request after another call was selected meanwhile', async () => {
  const { client } = window.connection;
  const { deviceId } = await client.devices.addVirtual({ name: 'Lamp', faults: ['garbage'] });
  const tools = window.use(() => useTools());
  await vi.waitUntil(() => tools.list.some(({ source }) => source.id === deviceId));
  const names = tools.methods().map(({ method }) => method.qualifiedName);
  const qualifiedName = names.find((name) => name.endsWith('self.get_device_status'))!;
  window.use(() => useSandbox()).load({ qualifiedName });
  const executor = window.use(() => useExecutor());
  const pane = window.mount(ExecutorPane, {});
  // The first answer is cut, which ends its call; the second one is not JSON.
  await pane.get('.run').trigger('click');
  await vi.waitUntil(() => executor.shown?.result.error?.code === 'protocol-error');
  const { callId = '' } = executor.shown ?? {};
  await pane.get('.run').trigger('click');
  await vi.waitUntil(() => pane.text().includes('1 frame arrived that does not match'));
  await executor.showCall(callId);
  await vi.waitUntil(() => !pane.text().includes('1 frame arrived that does not match'));
  executor.selected = undefined;
  await vi.waitUntil(() => pane.text().includes('Waiting for the answer.'));
  await vi.waitUntil(() => pane.text().includes('1 frame arrived that does not match'));
  // The third one has an unknown id.
  await executor.cancel();
  await vi.waitUntil(() => !executor.busy);
  await pane.get('.run').trigger('click');
  await vi.waitUntil(() => executor.busy);
  await vi.waitUntil(() => pane.text().includes('1 frame arrived that does not match'));
});

it('shows the question about a picture on which the result depends', async () => {
  const { client } = window.connection;
  await client.settings.set({ vision: { answer: 'hand', cannedText: '' } });
  const { deviceId } = await client.devices.addVirtual({ name: 'Lamp' });
  const tools = window.use(() => useTools());
  await vi.waitUntil(() => tools.list.some(({ source }) => source.id === deviceId));
  const names = tools.methods().map(({ method }) => method.qualifiedName);
  const qualifiedName = names.find((name) => name.endsWith('self.camera.take_photo'))!;
  window.use(() => useSandbox()).load({ qualifiedName, argsJson: '{"question":"How many books?"}' });
  const pane = window.mount(ExecutorPane, {});
  await pane.get('.run').trigger('click');
  await vi.waitUntil(() => pane.text().includes('The device waits for your answer about its picture.'));
  await vi.waitUntil(() => pane.find('.result .ask img').exists());
  await pane.get('.result .ask input').setValue('Three.');
  await pane.get('.result .ask form').trigger('submit');
  await vi.waitUntil(() => pane.get('.result').text().includes('Three.'));
  expect(pane.find('.result .ask').exists()).toBe(false);
});

it('has the state of its device, and names it once it has left', async () => {
  const { client } = window.connection;
  const { deviceId } = await client.devices.addVirtual({ name: 'Lamp', faults: ['wrong-pages'] });
  const tools = window.use(() => useTools());
  const devices = window.use(() => useDevices());
  await vi.waitUntil(() => tools.list.some(({ source }) => source.id === deviceId));
  await vi.waitUntil(() => devices.byId.get(deviceId)?.state === 'ready');
  const qualifiedName = tools
    .methods()
    .map(({ method }) => method.qualifiedName)
    .find((name) => name.endsWith('self.get_device_status'))!;
  window.use(() => useSandbox()).load({ qualifiedName });
  const pane = window.mount(ExecutorPane, {});
  await vi.waitUntil(() => pane.get('.tool-line').text().includes('Tools incomplete'));

  await client.devices.disconnect({ id: deviceId });
  await vi.waitUntil(() => /Disconnected (just now|\d+ s ago)/.test(pane.get('.tool-line').text()));
  const run = pane.findAll('button').find((button) => button.text().startsWith('Run'));
  await run?.trigger('click');
  await vi.waitUntil(() => pane.text().includes('The device is not connected'));
  expect(pane.get('.error-view').text()).toMatch(/Lamp disconnected (just now|\d+ s ago)\. The call was not sent\./);
  expect(pane.get('.error-view').text()).toContain('Run when it reconnects');
  expect(pane.get('.error-view').text()).not.toContain('Show wire');

  const button = (words: string) => pane.findAll('.error-view button').find((one) => one.text() === words);
  await button('Run when it reconnects')?.trigger('click');
  expect(pane.get('.error-view [role="status"]').text()).toBe('Waiting for Lamp to reconnect');
  expect(pane.get('.tool-line').text()).not.toContain('Waiting');
  await button('Stop waiting')?.trigger('click');
  expect(button('Run when it reconnects')).toBeDefined();
});

it('leads from a tool of a server that is gone to that server, whether or not this window has seen the tool', async () => {
  const { toolRegistryManager } = window.workbench;
  const unregister = toolRegistryManager.register(
    defineToolRegistry({
      id: 'weather',
      name: 'Weather',
      source: { kind: 'mcp', id: 'server-7', label: 'Weather' },
      methods: [
        { name: 'now', description: '', agentCallable: true, inputSchema: { type: 'object' }, handler: () => '' },
      ],
    }),
  );
  const tools = window.use(() => useTools());
  await vi.waitUntil(() => tools.find('weather_now') !== undefined);
  window.use(() => useSandbox()).load({ qualifiedName: 'weather_now' });
  unregister();
  await vi.waitUntil(() => tools.find('weather_now') === undefined);
  for (const isSeen of [true, false]) {
    if (!isSeen) await window.reload();
    window.use(() => useSandbox()).load({ qualifiedName: 'weather_now' });
    const pane = window.mount(ExecutorPane, {});
    await vi.waitUntil(() => /Disconnected (just now|\d+ s ago)/.test(pane.get('.tool-line').text()));
    await pane.get('.run').trigger('click');
    await vi.waitUntil(() => pane.find('.error-view').exists());
    expect(pane.get('.error-view').text()).toContain('The server is not connected');
    expect(pane.get('.error-view').text()).toContain('Find out why in Servers, and start it there.');
    expect(pane.get('.error-view').text()).toContain('Run when it reconnects');
    const open = pane.findAll('.error-view button').find((one) => one.text() === 'Open in Servers');
    await open?.trigger('click');
    expect(window.use(() => useNavigation()).pane).toBe('servers');
    expect(window.use(() => useSettings()).current.ui['servers.chosen']).toBe('server-7');
    pane.unmount();
  }
});

it('says before a run why a tool is missing that this window has never seen', async () => {
  const { deviceId } = await window.connection.client.devices.addVirtual({ name: 'Lamp' });
  await window.connection.client.devices.addVirtual({ name: 'Lamp two' });
  const tools = window.use(() => useTools());
  await vi.waitUntil(() => new Set(tools.list.map(({ source }) => source.id)).size > 2);
  await vi.waitUntil(() => tools.list.some(({ source }) => source.id === deviceId));
  const qualifiedName = tools
    .methods()
    .find(({ tool, method }) => tool.source.id === deviceId && method.qualifiedName.endsWith('self.get_device_status'))!
    .method.qualifiedName;
  await window.connection.client.devices.disconnect({ id: deviceId });
  await vi.waitUntil(() => tools.find(qualifiedName) === undefined);

  await window.reload();
  window.use(() => useSandbox()).load({ qualifiedName });
  const pane = window.mount(ExecutorPane, {});
  await vi.waitUntil(() => /Disconnected (just now|\d+ s ago)/.test(pane.get('.tool-line').text()));
  const words = '“Lamp” disconnected. Its tools are unavailable until it reconnects.';
  expect(pane.get('.tool-line').text()).toContain(words);
  expect(pane.get('.arguments').text()).toContain(words);
  expect(pane.text()).not.toContain('Did you mean');
  expect(pane.text()).not.toContain('Unknown');

  await pane.get('.run').trigger('click');
  await vi.waitUntil(() => pane.text().includes('The device is not connected'));
  expect(pane.get('.error-view').text()).toContain('Run when it reconnects');

  window.use(() => useSandbox()).load({ qualifiedName: 'clock_get_tme' });
  await vi.waitUntil(() => pane.find('.nothing').exists() && pane.text().includes('Did you mean'));
  expect(pane.get('.nothing').text()).toContain('clock_get_time');
  expect(pane.get('.tool-line').text()).toContain('No tool is registered under this name.');
});
