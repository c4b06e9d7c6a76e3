/** Settings of realtime models: what is saved is no longer changed, a search finds their fields, a local server needs no key. */
import { type DOMWrapper, type VueWrapper } from '@vue/test-utils';
import { beforeEach, expect, it, vi } from 'vitest';

import SelectField from '../../../../renderer/ui/SelectField.vue';
import SettingsPane from '../../../../renderer/features/settings/SettingsPane.vue';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
let pane: VueWrapper;
const until = <T>(holds: () => T | Promise<T>) => vi.waitUntil(holds);

windowForEachTest((opened) => (window = opened), { width: 1_280, height: 800 });
beforeEach(async () => {
  const profile = { kind: 'server', label: 'Mine', dialect: 'openai-beta', model: 'm' } as const;
  await window.connection.client.realtime.saveProfile({ ...profile, url: 'ws://127.0.0.1:8000/v1/realtime' });
  pane = window.mount(SettingsPane);
  await until(() => pane.text().includes('Mine'));
});

const section = (): DOMWrapper<Element> =>
  pane.findAll('.setting-section').find((each) => each.get('h2').text() === 'Realtime models')!;
const button = (word: string): DOMWrapper<Element> | undefined =>
  section()
    .findAll('button')
    .find((each) => each.text().startsWith(word));

it('shows saved JSON as the engine lays it out', async () => {
  await button('Mine')!.trigger('click');
  const written = section().get<HTMLTextAreaElement>('[aria-label="Differences from the dialect (JSON)"]');
  await written.setValue('{"tools":"nested"}');
  await until(() => written.element.value.includes('\n'));
  expect(JSON.parse(written.element.value)).toEqual({ tools: 'nested' });
  const { profiles } = await window.connection.client.realtime.profiles();
  expect(profiles[1]).toMatchObject({ differences: { tools: 'nested' } });
});

it('says that a key is needed only of a server on another machine', async () => {
  await button('Mine')!.trigger('click');
  expect(section().text()).not.toContain('This server needs a key');
  expect(button('Mine')!.text()).not.toContain('No key yet');
  section().get<HTMLInputElement>('[aria-label="Address"]').element.focus();
  await section().get('[aria-label="Address"]').setValue('wss://api.example.org/v1/realtime');
  expect(section().text()).toContain('This server needs a key');
});

it('says where the differences stop being JSON', async () => {
  await button('Mine')!.trigger('click');
  const differences = section().get('[aria-label="Differences from the dialect (JSON)"]');
  await differences.setValue('{\n  "tools" "nested" }');
  expect(section().text()).toContain('Line 2, column 11: a colon is expected here.');
  await differences.setValue('["tools"]');
  expect(section().text()).toContain('Must be a JSON object, in braces.');
  await differences.setValue('');
  expect(section().text()).not.toContain('Must be a JSON object');
});

it('lists the model of all devices, and a row only for a device that is to have another one', async () => {
  await window.connection.client.devices.addVirtual({ name: 'Lamp' });
  const labels = (): string[] =>
    section()
      .findAll('.setting .select')
      .map((each) => each.attributes('aria-label')!);
  await until(() => labels().length === 2);
  expect(labels()).toEqual(['Realtime model for devices', 'Another model for one device']);
  const select = section().findAllComponents(SelectField).at(-1)!;
  select.vm.$emit('update:modelValue', select.props('options')[0]!.value);
  await until(() => labels().includes('Realtime model for Lamp'));
  expect(labels()).not.toContain('Another model for one device');
});

it('names {key} in the help of the differences', async () => {
  await button('Mine')!.trigger('click');
  expect(section().text()).toContain('headers ({key} is the key)');
});

it('says whose events a scripted model sends, not that it is of that vendor', () => {
  expect(button('Scripted realtime model')!.text()).toContain('events of OpenAI · needs no network');
});

it('is found by the fields of its models, also while they are closed', async () => {
  const isShown = (): boolean => (section().element as HTMLElement).style.display !== 'none';
  const search = pane.get('input[type="search"], [role="searchbox"]');
  await search.setValue('temperature');
  await until(isShown);
  await search.setValue('trash');
  await until(() => !isShown());
  await search.setValue('温度');
  await until(isShown);
  await search.setValue('trash');
  await until(() => !isShown());
  await search.setValue('temprature');
  await until(isShown);
  expect(pane.text()).toContain('No exact match. Results for “temperature”:');
});
