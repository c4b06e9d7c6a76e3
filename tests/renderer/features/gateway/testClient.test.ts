/** Whether the gateway stays on after the test client. */
import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import GatewayPane from '../../../../renderer/features/gateway/GatewayPane.vue';
import { useGateway } from '../../../../renderer/features/gateway/gatewayStore.ts';
import { settingDefinitions } from '../../../../src-core/features/gateway/settings.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
let pane: VueWrapper;
let gateway: ReturnType<typeof useGateway>;
const until = <T>(holds: () => T) => vi.waitUntil(holds);

beforeEach(() => {
  for (const { variable } of Object.values(settingDefinitions)) if (variable) vi.stubEnv(variable, undefined);
});
windowForEachTest((opened) => (window = opened), { width: 1_200, height: 800 });
beforeEach(async () => {
  await window.connection.client.gateway.configure({ settings: { port: 0 } });
  pane = window.mount(GatewayPane);
  gateway = window.use(() => useGateway());
  await until(() => gateway.state !== null && pane.find('.master-list').exists());
});
afterEach(() => {
  vi.unstubAllEnvs();
});

async function press(name: string): Promise<void> {
  const button = await until(() => pane.findAll('button').find((one) => one.text() === name));
  await button.trigger('click');
}
async function endTestClient(): Promise<void> {
  await until(() => gateway.state?.testClient !== undefined && !pane.text().includes('Trying'));
  await window.connection.client.gateway.closeTestClient();
  await until(() => gateway.state?.testClient === undefined);
  await flushPromises();
}
const isEnabled = async () => (await window.connection.client.gateway.state()).enabled;

it('stays on if the user switched it off and on', async () => {
  await press('Try it with a test client');
  await until(() => gateway.state?.testClient !== undefined && !pane.text().includes('Trying'));
  for (const word of ['Off', 'Listening']) {
    await pane.get('[role="switch"]').trigger('click');
    await until(
      () =>
        pane.get('.address-line [role="status"]').text() === word &&
        gateway.state?.listening === (word === 'Listening'),
    );
  }
  await press('Try it with a test client');
  await endTestClient();
  expect(await isEnabled()).toBe(true);
});

it('stays on if the test client could not connect at first', async () => {
  vi.spyOn(gateway, 'openTestClient').mockRejectedValueOnce(new Error('No connection.'));
  await press('Try it with a test client');
  await until(
    () => pane.get('.address-line [role="status"]').text() === 'Listening' && !pane.text().includes('Trying'),
  );
  await press('Try it with a test client');
  await endTestClient();
  expect(await isEnabled()).toBe(true);
});
