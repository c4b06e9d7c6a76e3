import type { DOMWrapper, VueWrapper } from '@vue/test-utils';
import { expect, it, onTestFinished, vi } from 'vitest';
import { h } from 'vue';

import WaitingQueue from '../../../../renderer/app/waiting/WaitingQueue.vue';
import RequestsTab from '../../../../renderer/features/servers/requests/RequestsTab.vue';
import SamplingRequest from '../../../../renderer/features/servers/requests/SamplingRequest.vue';
import RunningTime from '../../../../renderer/features/servers/requests/RunningTime.vue';
import ServerQuestions from '../../../../renderer/features/servers/requests/ServerQuestions.vue';
import { setLanguage } from '../../../../renderer/i18n/index.ts';
import { useHotkeys } from '../../../../renderer/ui/composables/useHotkeys.ts';
import UrlRequest from '../../../../renderer/features/servers/requests/UrlRequest.vue';
import { addServer, everything, nodeServer, untilState } from '../../../core/features/servers/support.ts';
import type { CallRecord } from '../../../../src-core/contract/types.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

it.each([
  ['http://127.0.0.1:3000/form', true],
  ['https://example.com/'.padEnd(8_192, 'x'), true],
  ['https://example.com/'.padEnd(8_193, 'x'), false],
  ['https://user:secret@example.com/', false],
  ['javascript:alert(1)', false],
])('accepts a page only if it opens it: %#', async (url, opens) => {
  const open = vi.spyOn(globalThis.window, 'open').mockReturnValue(null);
  const answers: unknown[] = [];
  const request = {
    requestId: 'r',
    serverId: 's',
    serverName: 'lab',
    callIds: [],
    askedAt: 0,
    kind: 'url' as const,
    message: '',
    url,
  };
  const card = window.mount(() =>
    h(UrlRequest, {
      request,
      busy: false,
      onAnswer: (each) => answers.push(each),
    }),
  );
  await card.get('footer button').trigger('click');
  expect(open.mock.calls.map(([link]) => link)).toEqual(opens ? [url] : []);
  expect(answers).toEqual(opens ? [{ action: 'accept' }] : []);
  open.mockRestore();
});

it.each([
  [undefined, 'The server requires a sign-in.'],
  ['files:write', 'The call needs the scope “files:write”.'],
  ['', 'The call needs more rights.'],
])('says what a sign-in is for: %s', (scope, text) => {
  const request = {
    requestId: 'r',
    serverId: 's',
    serverName: 'lab',
    callIds: [],
    askedAt: 0,
    kind: 'sign-in' as const,
    message: '',
    url: 'https://example.com/',
    ...(scope !== undefined && { scope }),
  };
  expect(window.mount(UrlRequest, { request, busy: false }).text()).toContain(text);
});

it('names the scripted model in the language of the window', async () => {
  setLanguage('zh');
  onTestFinished(() => setLanguage('en'));
  const request = {
    requestId: 'r',
    serverId: 's',
    serverName: 'lab',
    callIds: [],
    askedAt: 0,
    kind: 'sampling' as const,
    message: '',
  };
  const card = window.mount(SamplingRequest, { request, busy: false });
  await vi.waitUntil(() => card.text().includes('脚本模型'));
  expect(card.text()).not.toContain('Scripted model');
});

it('the time of a call stands still while it waits for the user, also if another call asks, and counts anew afterwards', async () => {
  const now = Date.now();
  const call = { callId: 'a', wentOutAt: now - 45_000 } as CallRecord;
  const time = window.mount(RunningTime, {
    call: { ...call, waitsForUser: true },
    since: now - 45_000,
    until: now,
    limitMs: 30_000,
  });
  expect(time.text()).toBe('waits for an answer');
  await time.setProps({
    call: { ...call, waitsForUser: false, waitedUntil: now - 2_000 },
  });
  expect(time.text()).toBe('2.0 / 30 s');
});

const until = <T>(holds: () => T) => vi.waitUntil(holds);
const press = (card: VueWrapper, words: string) =>
  card
    .findAll('footer button')
    .find((each) => each.text().startsWith(words))!
    .trigger('click');

/** A tool of server-everything that asks the user, once for each answer. */
async function openEverything(toolName: string, args: object = {}) {
  const { workbench } = window;
  const id = await addServer(workbench, nodeServer('everything', [everything]));
  await untilState(workbench, 'ready');
  const tab = window.mount(RequestsTab, { serverId: id });
  let calls = 0;
  const ask = async (answer: (card: DOMWrapper<Element>) => Promise<unknown>): Promise<string> => {
    const ended = workbench.services.calls.execute({
      toolName: `mcp-everything_${toolName}`,
      argsJson: JSON.stringify(args),
      callId: `call-${(calls += 1)}`,
      origin: 'executor',
    });
    await until(() => tab.find('article').exists());
    await answer(tab.find('article'));
    const { result } = await ended;
    await until(() => !tab.find('article').exists());
    return result;
  };
  return { id, tab, ask };
}

it('shows a question beside the call that ran when it came, and beside no later one; the queue opens at what the pane shows', async () => {
  const { id, tab, ask } = await openEverything('trigger-elicitation-request');
  const source = { kind: 'mcp' as const, id, label: 'everything' };
  const beside = (callId: string) =>
    window.mount(ServerQuestions, { call: { callId, source } }).find('article').exists();
  await ask(async () => {
    expect([beside('call-1'), beside('call-2')]).toEqual([true, false]);
    await window.workbench.services.servers.add(nodeServer('other', ['--version']));
    const queue = window.mount(WaitingQueue);
    await until(() => queue.text().startsWith('2 waiting for you'));
    const open = async (): Promise<string | null> => {
      await queue.get('.waiting-count').trigger('click');
      const shown = await until(() => document.activeElement?.closest('.waiting-items > li')?.querySelector('article'));
      await queue.get('.waiting-count').trigger('click');
      return shown.getAttribute('aria-label');
    };
    expect(await open()).toBe('Server approval: other');
    tab.element.parentElement?.setAttribute('data-pane', 'executor');
    expect(await open()).toContain('Input requested: everything');
    await press(tab, 'Decline');
  });
});

it('F6 leads to the first field of a question that no pane shows, and Ctrl+Enter in the list reaches no pane', async () => {
  const { tab, ask } = await openEverything('trigger-elicitation-request');
  const queue = window.mount(WaitingQueue);
  await ask(async () => {
    await until(() => queue.text().startsWith('1 waiting for you'));
    const pressed = (key: string, ctrlKey = false): boolean => {
      const event = new KeyboardEvent('keydown', {
        key,
        ctrlKey,
        bubbles: true,
        cancelable: true,
      });
      return document.activeElement?.dispatchEvent(event) === false;
    };
    pressed('F6');
    await until(() => document.activeElement?.matches('.waiting-items input'));
    queue.get<HTMLElement>('.waiting-items > li').element.focus();
    expect(pressed('Enter', true)).toBe(true);
    expect(queue.text()).toContain('1 waiting for you');
    await press(tab, 'Decline');
  });
});

const defaults = {
  firstLine: 'It was a dark and stormy night.',
  integer: 42,
  number: 3.14,
  untitledSingleSelectEnum: 'Monica',
  untitledMultipleSelectEnum: ['Guitar'],
  titledSingleSelectEnum: 'hero-1',
  titledMultipleSelectEnum: ['fish-1'],
  legacyTitledEnum: 'pet-1',
};

it('offers every field of a form with its default, sends what is in it, and passes on a decline and a cancel', async () => {
  const { tab, ask } = await openEverything('trigger-elicitation-request');
  const accepted = await ask(async (card) => {
    const labels = card.findAll('[aria-label]').map((each) => each.attributes('aria-label') ?? '');
    for (const field of ['name', 'check', 'email', 'homepage', 'birthdate', ...Object.keys(defaults)])
      expect(
        labels.some((label) => label === field || label.endsWith(`: ${field}`)),
        `${field} in ${labels.join(', ')}`,
      ).toBe(true);
    const shown = ['firstLine', 'integer', 'number'].map(
      (field) => card.get<HTMLInputElement>(`input[aria-label="${field}"]`).element.value,
    );
    expect(shown).toEqual([defaults.firstLine, '42', '3.14']);
    await press(tab, 'Send');
    await until(() => card.find('[role=alert]').exists());
    const name = card.get<HTMLInputElement>('input[aria-label="name"]');
    await name.setValue('Ada');
    name.element.focus();
    const cancel = vi.fn();
    window.use(() => useHotkeys({ escape: cancel, 'mod+enter': cancel }));
    await name.trigger('keydown', { key: 'Escape' });
    await name.trigger('keydown', { key: 'Enter', ctrlKey: true });
    expect(cancel).not.toHaveBeenCalled();
  });
  const sent = JSON.parse(accepted.slice(accepted.indexOf('Raw result: ') + 12)) as object;
  expect(sent).toMatchObject({
    action: 'accept',
    content: { ...defaults, name: 'Ada' },
  });
  expect(await ask(() => press(tab, 'Decline'))).toContain('User declined');
  expect(await ask(() => press(tab, 'Cancel the request'))).toContain('User cancelled');
});

it('shows the whole URL of a page, and passes on a decline and a cancel', async () => {
  const url = `https://example.com/sign?next=${'x'.repeat(400)}&end=%20#there`;
  const { tab, ask } = await openEverything('trigger-url-elicitation', {
    url,
    message: 'Sign.',
    elicitationId: 'e1',
  });
  const declined = await ask(async (card) => {
    expect(card.get('code.url').text()).toBe(url);
    await press(tab, 'Decline');
  });
  expect(declined).toContain('decline');
  expect(await ask(() => press(tab, 'Cancel the request'))).toContain('cancel');
});

it('keeps what was typed over a reload, and leads to the first field with a problem instead of sending', async () => {
  const { workbench } = window;
  const id = await addServer(workbench, nodeServer('everything', [everything]));
  await untilState(workbench, 'ready');
  const toolName = 'mcp-everything_trigger-elicitation-request';
  const ended = workbench.services.calls.execute({ toolName, argsJson: '{}', callId: 'kept', origin: 'executor' });
  const show = async () => {
    const tab = window.mount(RequestsTab, { serverId: id });
    const name = () => tab.find<HTMLInputElement>('input[aria-label="name"]');
    await until(() => name().exists());
    return { tab, name };
  };
  const { tab, name } = await show();
  await press(tab, 'Send');
  await until(() => document.activeElement === name().element);
  expect(tab.text()).toContain('1 problem');
  await name().setValue('Ada');
  await window.reload();
  const again = await show();
  expect(again.name().element.value).toBe('Ada');
  await press(again.tab, 'Decline');
  await ended;
});
