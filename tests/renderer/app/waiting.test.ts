import { expect, it, vi } from 'vitest';
import type { VueWrapper } from '@vue/test-utils';

import StatusBar from '../../../renderer/app/StatusBar.vue';
import WaitingCard from '../../../renderer/app/waiting/WaitingCard.vue';
import WaitingQueue from '../../../renderer/app/waiting/WaitingQueue.vue';
import { useParser } from '../../../renderer/features/parser/parserStore.ts';
import { useNavigation } from '../../../renderer/window/navigation.ts';
import { useSettings } from '../../../renderer/window/settingsStore.ts';
import { type TestWindow, windowForEachTest } from '../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));
const until = <T>(holds: () => T) => vi.waitUntil(holds);

const titles = (queue: VueWrapper): string[] =>
  queue.findAll('.waiting-items > li').map((item) => item.get('[aria-label]').attributes('aria-label') ?? '');
const buttonOf = (queue: VueWrapper, words: string) => queue.findAll('button').find((one) => one.text() === words)!;

async function addServer(name: string): Promise<string> {
  const { servers } = window.connection.client;
  const { id } = await servers.add({ name, type: 'stdio', command: process.execPath, args: ['--version'], env: [] });
  await servers.start({ id });
  return id;
}

it('lists a server that asks for approval and a chat, the oldest first, each with the way to its pane', async () => {
  const { client } = window.connection;
  const queue = window.mount(WaitingQueue);
  const navigation = window.use(() => useNavigation());
  const settings = window.use(() => useSettings());
  expect(queue.text()).toBe('');
  const server = await addServer('lab');
  await until(() => queue.text().startsWith('1 waiting for you'));
  expect(queue.find('.waiting-items').exists()).toBe(false);

  const script = { turns: [{ toolCalls: [{ name: 'listFiles', arguments: { path: '.' } }] }] };
  await client.models.save({ kind: 'scripted', id: 'scripted', label: 'Scripted model', script });
  const { id: sessionId } = await client.chat.create({ options: { protocol: 'native', mode: 'manual' } });
  await client.chat.send({ sessionId, text: 'What is there?' });
  await until(() => queue.text().startsWith('2 waiting for you'));
  await queue.get('button').trigger('click');
  await until(() => queue.findAll('.ask').length === 2);
  expect(titles(queue)).toEqual(['Server approval: lab', 'Chat: What is there?']);
  await until(() => queue.text().includes('listFiles'));
  expect(queue.findAll('.waiting-items > li')[1]?.element).toBe(document.activeElement);

  await queue.findAll('.ask')[1]!.findAll('button').at(-1)!.trigger('click');
  expect(navigation.pane).toBe('chat');
  expect(settings.current.ui['chat.chosen']).toBe(sessionId);
  expect(queue.find('.waiting-items').exists()).toBe(false);

  await queue.get('button').trigger('click');
  await until(() => queue.find('.ask').exists());
  await buttonOf(queue, 'Open').trigger('click');
  expect(navigation.pane).toBe('servers');
  expect(settings.current.ui['servers.chosen']).toBe(server);
});

it('tells two devices of one name apart', () => {
  const device = {
    id: '02:00:00:aa:bb:cc',
    deviceId: '02:00:00:aa:bb:cc',
    name: 'Desk',
    board: 'esp32-s3-box',
    firmware: '2.4.2',
  };
  const item = { kind: 'device', key: 'device', since: 0, device: { ...device, doctor: { steps: [] } } };
  expect(window.mount(WaitingCard, { item }).get('.body').text()).toContain('02:00:00:aa:bb:cc · esp32-s3-box 2.4.2');
});

it('approves and refuses the calls of a chat in the list, each with its tool and its arguments', async () => {
  const { client } = window.connection;
  const calls = ['north', 'south'].map((path) => ({ name: 'listFiles', arguments: { path } }));
  const script = { turns: [{ toolCalls: calls }, { text: 'Done.' }] };
  await client.models.save({ kind: 'scripted', id: 'scripted', label: 'Scripted model', script });
  const { id: sessionId } = await client.chat.create({ options: { protocol: 'native', mode: 'manual' } });
  const queue = window.mount(WaitingQueue);
  await client.chat.send({ sessionId, text: 'What is there?' });
  await until(() => queue.text().startsWith('1 waiting for you'));
  await queue.get('button').trigger('click');
  await until(() => queue.findAll('.chat-call').length === 2);
  const cards = queue.findAll('.chat-call').map((card) => card.text());
  expect(cards[0]).toContain('listFiles');
  expect(cards[0]).toContain('north');
  expect(cards[1]).toContain('south');

  await buttonOf(queue, 'Approve').trigger('click');
  await until(() => queue.findAll('.chat-call').length === 1);
  expect(queue.get('.chat-call').text()).toContain('south');
  await buttonOf(queue, 'Refuse').trigger('click');
  await until(() => queue.find('form').exists());
  await queue.get('form').trigger('submit');
  await until(() => queue.text() === '');
  const { entries } = await client.chat.get({ sessionId, limit: 10 });
  const states = entries.flatMap((entry) => (entry.role === 'assistant' ? entry.calls.map(({ state }) => state) : []));
  expect(states).toEqual(['done', 'refused']);
});

it('lists the calls of the Parser that wait, wherever the user is, and the status bar counts them', async () => {
  const { client } = window.connection;
  const settings = window.use(() => useSettings());
  await until(() => settings.loaded);
  settings.change({ toolCallConfig: { ...settings.current.toolCallConfig, mode: 'manual' } });
  const queue = window.mount(WaitingQueue);
  const bar = window.mount(StatusBar);
  const parser = window.use(() => useParser());
  const navigation = window.use(() => useNavigation());
  const one = '<<<[TOOL_REQUEST]>>>\ntool_name:「始」clock_get_time「末」\n<<<[END_TOOL_REQUEST]>>>';
  const text = `${one}\n${one.replace('time', 'date')}`;
  parser.text = text;
  void parser.start({ ...(await client.parser.parse({ text })), text });
  await until(() => queue.text().startsWith('1 waiting for you'));
  expect(queue.find('.waiting-items').exists()).toBe(false);
  await until(() => bar.text().includes('1 waiting for you'));
  expect(bar.text()).not.toContain('No call running');

  await queue.get('button').trigger('click');
  await until(() => queue.findAll('[data-decision]').length === 2);
  expect(titles(queue)).toEqual(['Parser: 2 calls wait for you']);
  expect(queue.text()).toContain('clock_get_time');
  await buttonOf(queue, 'Open').trigger('click');
  expect(navigation.pane).toBe('parser');

  await queue.get('button').trigger('click');
  await until(() => queue.find('[data-decision]').exists());
  await buttonOf(queue, 'Approve').trigger('click');
  await until(() => queue.findAll('[data-decision]').length === 1);
  await buttonOf(queue, 'Approve').trigger('click');
  await until(() => queue.text() === '');
  await until(() => parser.run.phase === 'done');
  await until(() => bar.text().includes('No call running'));
  expect(parser.run).toMatchObject({ results: { ok: 2 } });
});

it('moves between the items by the arrows, and returns the focus with Escape and when the last one is answered', async () => {
  const first = await addServer('first');
  const second = await addServer('second');
  const field = document.body.appendChild(document.createElement('input'));
  field.focus();
  const queue = window.mount(WaitingQueue);
  await until(() => queue.text().startsWith('2 waiting for you'));
  const open = async (): Promise<void> => {
    queue.get('button').element.focus();
    await queue.get('button').trigger('click');
    await until(() => queue.findAll('.ask').length > 0);
  };
  await open();
  const focused = () =>
    queue.findAll('.waiting-items > li').findIndex(({ element }) => element === document.activeElement);
  const press = (key: string): unknown =>
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  expect(focused()).toBe(1);
  press('ArrowDown');
  expect(focused()).toBe(1);
  press('ArrowUp');
  expect(focused()).toBe(0);
  press('Escape');
  expect(document.activeElement).toBe(field);

  await open();
  await window.connection.client.servers.decline({ id: first });
  await until(() => queue.findAll('.ask').length === 1);
  await until(() => focused() === 0);
  await window.connection.client.servers.decline({ id: second });
  await until(() => queue.text() === '');
  await until(() => document.activeElement === field);
  field.remove();
});

it('opens at the newest item with F6 until that is answered, but goes first to a question in the pane', async () => {
  await addServer('first');
  const second = await addServer('second');
  const pane = document.body.appendChild(document.createElement('div'));
  pane.innerHTML = '<div data-half><input id="before" /></div>';
  const before = pane.querySelector<HTMLElement>('#before')!;
  before.focus();
  const queue = window.mount(WaitingQueue);
  await until(() => queue.text().startsWith('2 waiting for you'));
  const pressF6 = (): unknown =>
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'F6', bubbles: true, cancelable: true }));
  pressF6();
  await until(() => queue.findAll('.waiting-items > li')[1]?.element === document.activeElement);
  await window.connection.client.servers.decline({ id: second });
  await until(() => !queue.find('.waiting-items').exists());
  await until(() => document.activeElement === before);
  expect(queue.text()).toContain('1 waiting for you');

  pane.querySelector('[data-half]')!.insertAdjacentHTML('beforeend', '<div class="ask"><input id="asked" /></div>');
  pressF6();
  expect(document.activeElement?.id).toBe('asked');
  expect(queue.find('.waiting-items').exists()).toBe(false);
  pressF6();
  await until(() => queue.find('.waiting-items').exists());

  // The same for a call of a chat that waits for its decision.
  pane.querySelector('.ask')!.remove();
  queue.find('.waiting-items').element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  await until(() => !queue.find('.waiting-items').exists());
  before.focus();
  pane
    .querySelector('[data-half]')!
    .insertAdjacentHTML('beforeend', '<div data-decision><button id="approve"></button><button></button></div>');
  pressF6();
  expect(document.activeElement?.id).toBe('approve');

  // The button that does not run a dangerous call.
  before.focus();
  pane.querySelector('#approve + button')!.setAttribute('data-safe', '');
  pressF6();
  expect(document.activeElement?.hasAttribute('data-safe')).toBe(true);
  expect(queue.find('.waiting-items').exists()).toBe(false);
  pane.remove();
});

it('closes when the focus moves to a pane, and with Escape wherever the focus is, before a pane has the key', async () => {
  await addServer('first');
  const pane = document.body.appendChild(document.createElement('div'));
  pane.innerHTML = '<section data-region><button></button></section>';
  const button = pane.querySelector('button')!;
  const queue = window.mount(WaitingQueue);
  await until(() => queue.text().startsWith('1 waiting for you'));
  const open = async (): Promise<void> => {
    await queue.get('.waiting-count').trigger('click');
    await until(() => queue.get('.waiting-items > li').element === document.activeElement);
  };
  const escape = (): Event => {
    const event = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
    return event;
  };
  await open();
  button.focus();
  await until(() => !queue.find('.waiting-items').exists());
  expect(document.activeElement).toBe(button);
  expect(escape().defaultPrevented).toBe(false);

  await open();
  (document.activeElement as HTMLElement).blur();
  expect(escape().defaultPrevented).toBe(true);
  await until(() => !queue.find('.waiting-items').exists());
  pane.remove();
});
