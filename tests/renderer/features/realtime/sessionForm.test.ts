/** The form of a conversation: what is wrong is said once, at its field, and nothing is carried over unseen. */
import { flushPromises, type DOMWrapper, type VueWrapper } from '@vue/test-utils';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';

import { setLanguage } from '../../../../renderer/i18n/index.ts';
import RealtimePane from '../../../../renderer/features/realtime/RealtimePane.vue';
import { defineToolRegistry } from '../../../../src-core/registry/defineTool.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
let pane: VueWrapper;
const until = <T>(holds: () => T | Promise<T>) => vi.waitUntil(holds);

windowForEachTest((opened) => (window = opened), { width: 1_280, height: 800 });
beforeEach(() => {
  pane = window.mount(RealtimePane);
});

const field = (label: string): Omit<DOMWrapper<Element>, 'exists'> => pane.get(`[aria-label="${label}"]`);
const more = (): string => pane.get('.setup-more > summary').text();

async function press(label: string): Promise<void> {
  const find = () =>
    [...document.querySelectorAll<HTMLElement>('button, [role="menuitem"]')].find(
      (each) => (each.getAttribute('aria-label') ?? each.textContent?.trim()) === label,
    );
  await until(() => find() !== undefined);
  find()?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, button: 0 }));
  find()?.click();
  await flushPromises();
}

async function newConversation(): Promise<void> {
  await press('New conversation');
  await until(() => pane.find('.new-conversation').exists());
}

it('says at the field, in words, that a number is out of range, and does not connect', async () => {
  await press('Set up a conversation');
  await field('Temperature').setValue('9');
  const wrong = 'Temperature: A number from 0 to 2.';
  expect(field('Temperature').element.closest('.session-field')?.textContent).toContain(wrong);
  expect(field('Temperature').attributes('aria-invalid')).toBe('true');
  await press('Connect');
  expect(pane.find('.session-detail').exists()).toBe(false);
  expect(pane.text().split(wrong)).toHaveLength(2);
  // The fields may be folded: the link beside the button opens them and goes there.
  (pane.get('.setup-more').element as HTMLDetailsElement).open = false;
  await press('Go to the invalid field');
  expect((pane.get('.setup-more').element as HTMLDetailsElement).open).toBe(true);
  expect(document.activeElement).toBe(field('Temperature').element);
  await field('Temperature').setValue('0.5');
  expect(pane.text()).not.toContain('A number from');
});

it('leads from Apply to a field that is wrong, and says what the server did not take', async () => {
  await press('Try it with the scripted model');
  await until(() => pane.find('.session-setup .foot').exists());
  await until(() => !pane.get('.session-setup .foot').text().includes('not open'));
  const foot = () => pane.get('.session-setup > .foot');
  await field('More session fields (JSON)').setValue('{');
  const broken = 'More session fields (JSON): Line 1, column 2: the text ends before the JSON does; add }.';
  expect(pane.text().split(broken)).toHaveLength(2);
  expect(foot().text()).not.toContain(broken);
  await press('Go to the invalid field');
  expect(document.activeElement).toBe(field('More session fields (JSON)').element);
  await field('More session fields (JSON)').setValue('[1]');
  expect(pane.text()).toContain('More session fields (JSON): Must be a JSON object, in braces.');
  await field('More session fields (JSON)').setValue('');
  // A reserved field of the session: the engine refuses it.
  await field('More session fields (JSON)').setValue('{"type": 5, "instructions": 5}');
  await press('Apply');
  const failure = (): Element | null => document.querySelector('.session-setup > .session-failure');
  await until(() => failure() !== null);
  expect(failure()?.textContent).toMatch(/The server rejected the change\..*session/s);
  expect(failure()?.nextElementSibling).toBe(foot().element);
  await press('Discard');
  expect(failure()).toBe(null);
});

it('begins a new conversation with the defaults after Talk again, and counts the settings in the closed part', async () => {
  const { realtime } = window.connection.client;
  const { sessionId: id } = await realtime.open({
    instructions: 'Old ones.',
    session: { temperature: 0.4, extra: { a: 1 } },
  });
  await realtime.close({ id });
  await press('Talk again');
  await until(() => pane.find('.new-conversation').exists());
  expect(more()).toContain('2 set');
  expect((field('Instructions').element as HTMLTextAreaElement).value).toBe('Old ones.');
  await newConversation();
  expect((field('Instructions').element as HTMLTextAreaElement).value).toBe('');
  expect((field('Temperature').element as HTMLInputElement).value).toBe('');
  expect(more()).toBe('More settings');
  // What is written for a new one is kept while another conversation is looked at, until it begins.
  await field('Instructions').setValue('New ones.');
  await pane.get('.list-row').trigger('click');
  await newConversation();
  expect((field('Instructions').element as HTMLTextAreaElement).value).toBe('New ones.');
  await press('Connect');
  await until(() => pane.find('.session-setup .foot').exists());
  await newConversation();
  expect((field('Instructions').element as HTMLTextAreaElement).value).toBe('');
});

it('has the scripted model speak the language of the window if no instructions are written', async () => {
  setLanguage('zh');
  onTestFinished(() => setLanguage('en'));
  const { realtime } = window.connection.client;
  await press('设置对话');
  expect(field('指令').attributes('placeholder')).toBe('你是一个友好的语音助手。请使用工具，用简短的句子回答。');
  await press('连接');
  const open = await until(async () => (await realtime.sessions()).find(({ state }) => state === 'connected'));
  await realtime.sendText({ id: open.id, text: 'hi' });
  await until(() => pane.text().includes('你好，我是脚本实时服务器。'));
});

it('shows a conversation that has ended from its beginning', async () => {
  const { realtime } = window.connection.client;
  const { sessionId: id } = await realtime.open({ instructions: 'Be brief.' });
  const follows = (): string | undefined =>
    pane
      .findAll('button')
      .find((each) => each.text() === 'Follow')
      ?.attributes('aria-pressed');
  await until(() => follows() !== undefined);
  expect(follows()).toBe('true');
  await realtime.close({ id });
  await until(() => pane.get('.session-head').text().includes('Talk again'));
  await newConversation();
  await pane.get('.list-row').trigger('click');
  await until(() => follows() === 'false');
  expect(follows()).toBe('false');
});

it('says that a model is offered only so many methods, and offers no more to choose', async () => {
  const name = (at: number): string => `say${String(at).padStart(3, '0')}`;
  const handler = (): string => '';
  window.workbench.toolRegistryManager.register(
    defineToolRegistry({
      id: 'many',
      name: 'Many',
      source: { kind: 'builtin', id: 'many', label: 'Many' },
      methods: Array.from({ length: 200 }, (_, at) => ({
        name: name(at),
        description: '',
        agentCallable: true,
        inputSchema: { type: 'object' },
        handler,
      })),
    }),
  );
  await press('Set up a conversation');
  const setup = (): string => pane.get('.setup-fields').text();
  await until(() => /2\d\d methods/.test(setup()));
  expect(setup()).toContain('The model is offered only the first 128.');
  await press('Chosen');
  await until(() => pane.find('.setup-tools').exists());
  expect(
    pane.findAll('.setup-tools input').filter(({ element }) => (element as HTMLInputElement).checked),
  ).toHaveLength(128);
  const box = (at: number) => pane.get(`.setup-tools label:has([title="many_${name(at)}"]) input`);
  expect(box(199).attributes('disabled')).toBeDefined();
  await box(0).trigger('change');
  expect(setup()).not.toContain('at most');
  expect(box(199).attributes('disabled')).toBeUndefined();
});
