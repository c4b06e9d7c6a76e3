import type { VueWrapper } from '@vue/test-utils';
import { beforeEach, describe, expect, it } from 'vitest';

import WaitingQueue from '../../../../renderer/app/waiting/WaitingQueue.vue';
import DevicesPane from '../../../../renderer/features/devices/DevicesPane.vue';
import type { DeviceInfo } from '../../../../src-core/contract/types.ts';
import CallPicture from '../../../../renderer/features/vision/CallPicture.vue';
import { useNavigation } from '../../../../renderer/window/navigation.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';
import { button, press, until } from './acting.ts';

let window: TestWindow;
let pane: VueWrapper;
let device: DeviceInfo;
windowForEachTest((opened) => (window = opened));
beforeEach(async () => {
  const { client } = window.connection;
  await client.settings.set({ vision: { answer: 'hand', cannedText: 'Nobody looked.' } });
  await client.devices.addVirtual({ profile: 'firmware' });
  device = await until(async () => (await client.devices.list()).find(({ state }) => state === 'ready'));
  pane = window.mount(DevicesPane);
  await until(() => pane.find('.detail-tabs').exists());
  await press(button(pane, 'Pictures'));
});

const takePhoto = (question: string) =>
  window.connection.client.calls.execute({
    callId: `photo-${question}`,
    toolName: `${device.registryId}_self.camera.take_photo`,
    argsJson: JSON.stringify({ question }),
    origin: 'executor',
  });

describe('pictures', () => {
  it('come with their question, wait for the user, and the answer is the result of the tool', async () => {
    expect(pane.text()).toContain('No pictures from this device yet');
    const call = takePhoto('How many books?');
    await until(() => pane.find('.picture').exists());
    const card = pane.get('.picture');
    expect(card.text()).toContain('How many books?');
    expect(card.text()).toMatch(/Waiting for you.*\d+ s left/s);
    await until(() => card.find('img').exists());
    expect(card.get('img').attributes('src')).toMatch(/^data:image\/(jpeg|png);base64,/);
    await card.get('input').setValue('Three.');
    await card.get('form').trigger('submit');
    expect((await call).result).toContain('Three.');
    await until(() => pane.get('.picture').text().includes('Answered'));
    expect(pane.get('.picture .answer').text()).toMatch(/You:.*Three\./s);
    await press(button(pane, 'Enlarge: How many books?'));
    await until(() => document.querySelector('.large-picture'));
    const escape = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true });
    document.querySelector('[role="dialog"]')?.dispatchEvent(escape);
    await until(() => !document.querySelector('[role="dialog"]'));
    await press(button(pane, 'Remove the picture'));
    await until(() => pane.text().includes('No pictures from this device yet'));
  });

  it('of the screen are asked for if the device can', async () => {
    await press(button(pane, 'Picture of its screen'));
    await until(() => pane.find('.picture').exists());
    expect(pane.get('.picture').text()).toContain('Screen');
    // Nobody asked about it.
    expect(pane.get('.picture').text()).not.toContain('Answered');
  });

  it('are a click away from the result of the call that took them', async () => {
    await window.connection.client.settings.set({ vision: { answer: 'canned', cannedText: 'Two cats.' } });
    await takePhoto('What is it?');
    await window.connection.client.calls.execute({
      callId: 'status',
      toolName: `${device.registryId}_self.get_device_status`,
      argsJson: '{}',
      origin: 'executor',
    });
    const below = window.mount(CallPicture, { callId: 'photo-What is it?' });
    await until(() => below.find('.link').exists());
    expect(window.mount(CallPicture, { callId: 'status' }).find('.link').exists()).toBe(false);
    await below.get('.link').trigger('click');
    expect(window.use(() => useNavigation()).pane).toBe('devices');
    expect(pane.get('.picture').text()).toContain('What is it?');
  });

  it('are in the list of what waits, where F6 and *Open* go to the answer field', async () => {
    const queue = window.mount(WaitingQueue);
    const call = takePhoto('How many books?');
    await until(() => queue.text().startsWith('1 waiting for you'));
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'F6', bubbles: true, cancelable: true }));
    await until(() => queue.find('.ask img').exists());
    expect(queue.get('.ask').text()).toContain(`${device.name} · How many books?`);
    await until(() => document.activeElement === queue.get('.ask input').element);
    await press(button(queue, 'Open'));
    expect(queue.find('.ask').exists()).toBe(false);
    await until(() => document.activeElement === pane.get('.picture input').element);
    await pane.get('.picture input').setValue('Three.');
    await pane.get('.picture form').trigger('submit');
    expect((await call).result).toContain('Three.');
  });

  it('are answered by the chosen answerer', async () => {
    expect(pane.find('.canned').exists()).toBe(false);
    await window.connection.client.settings.set({ vision: { answer: 'canned', cannedText: 'Two cats.' } });
    await until(() => pane.find('.canned').exists());
    expect(pane.get<HTMLInputElement>('.canned input').element.value).toBe('Two cats.');
    expect((await takePhoto('What is it?')).result).toContain('Two cats.');
    await until(() => pane.findAll('.picture').some((card) => card.text().includes('Fixed answer:')));
  });
});
