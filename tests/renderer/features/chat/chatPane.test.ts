import type { VueWrapper } from '@vue/test-utils';
import { createPinia, setActivePinia } from 'pinia';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { setLanguage } from '../../../../renderer/i18n/index.ts';
import { useChats } from '../../../../renderer/features/chat/chatsStore.ts';
import { useChatFiles } from '../../../../renderer/features/chat/list/useChatFiles.ts';
import { useNavigation } from '../../../../renderer/window/navigation.ts';
import { useParser } from '../../../../renderer/features/parser/parserStore.ts';
import { useSandbox } from '../../../../renderer/features/executor/sandboxStore.ts';
import type { ModelScript } from '../../../../src-core/contract/types.ts';
import { ToolError } from '../../../../src-core/base/errors.ts';
import { inPieces } from '../../../helpers/chatFileText.ts';
import { useToasts } from '../../../../renderer/window/toasts.ts';
import { button, client, openChatPane, script, until, useChatWindow, window } from './chatWindow.ts';

useChatWindow();

/** Asks for a listing of a folder, then says how it went. */
const listing: ModelScript = {
  turns: [
    { when: { role: 'tool' }, text: 'It said: {{last_message}}' },
    { text: 'I look.', toolCalls: [{ name: 'listFiles', arguments: { path: '.', maxDepth: 3 } }] },
  ],
};

/** A chat in which a native call waits for a person. */
async function openWaiting(): Promise<{ pane: VueWrapper; sessionId: string }> {
  await script(listing);
  const { id: sessionId } = await client().create({ options: { protocol: 'native', mode: 'manual' } });
  await client().send({ sessionId, text: 'What is there?' });
  const pane = await openChatPane();
  await until(() => pane.find('.decision').exists());
  return { pane, sessionId };
}

describe('the chat pane', () => {
  it('leads from nothing to an answer with one press, without a network', async () => {
    const pane = await openChatPane();
    expect(button(pane, 'Add a model…').exists()).toBe(true);
    await button(pane, 'Start a chat').trigger('click');
    await until(() => pane.text().includes('The tool answered:'));
    // Messages are drawn from the last one on, in several frames.
    await until(() => pane.find('.chat-call').exists());
    const call = pane.get('.chat-call');
    expect(call.attributes('aria-label')).toBe('Call of clock · get_time');
    expect(call.text()).toContain('OK');
    expect(pane.get('.list-row').text()).toContain('What time is it?');
  });

  it('leaves the first message to the user if the model is not a script', async () => {
    const { models } = window.connection.client;
    const server = { kind: 'openai-compatible', label: 'Real', preset: 'custom', model: 'm', stream: true } as const;
    const limits = { baseUrl: 'http://127.0.0.1:9/v1', totalMs: 1_000, chunkMs: 1_000 };
    const { id } = await models.save(Object.assign(limits, server));
    await models.setDefault({ id });
    const pane = await openChatPane();
    await until(() => pane.text().includes('Real replies and can call the tools that are on.'));
    await button(pane, 'Start a chat').trigger('click');
    await until(() => pane.find('.chat-composer textarea').exists());
    const area = pane.get<HTMLTextAreaElement>('.chat-composer textarea');
    expect(area.element.value).toBe('What time is it?');
    await until(() => pane.text().includes('Send a message'));
  });

  it('keeps the draft of each chat over a reload of the window, until it is sent', async () => {
    const { id: first } = await client().create({});
    const { id: second } = await client().create({});
    // The newest chat is open.
    const pane = await openChatPane();
    window.use(() => useChats()).setDraft(first, 'to the first');
    const area = await vi.waitUntil(() => pane.find('.chat-composer textarea'));
    await area.setValue('to the second');
    const reload = () => {
      globalThis.window.dispatchEvent(new Event('pagehide'));
      setActivePinia(createPinia());
      return window.use(() => useChats());
    };
    let chats = reload();
    expect([chats.draftOf(first), chats.draftOf(second)]).toEqual(['to the first', 'to the second']);
    await area.trigger('keydown', { key: 'Enter' });
    await until(() => (area.element as HTMLTextAreaElement).value === '');
    chats = reload();
    expect([chats.draftOf(first), chats.draftOf(second)]).toEqual(['to the first', '']);
  });

  it('sends with Enter, and not with Shift+Enter or while a word is being composed', async () => {
    await client().create({});
    const pane = await openChatPane();
    const area = await vi.waitUntil(() => pane.find('.chat-composer textarea'));
    await area.setValue('Hello');
    await area.trigger('keydown', { key: 'Enter', shiftKey: true });
    await area.trigger('keydown', { key: 'Enter', isComposing: true });
    expect((await client().list())[0]?.entryCount).toBe(0);
    await area.trigger('keydown', { key: 'Enter' });
    await until(() => pane.find('.user-message').exists());
    expect((area.element as HTMLTextAreaElement).value).toBe('');
  });

  it.each([
    [
      'en',
      "The model's answer was cut at its limit of tokens, so this call is incomplete",
      'The reply reached the token limit',
    ],
    [
      'zh',
      '模型的回复达到 token 上限而被截断，因此这次调用不完整，没有运行。',
      '回复达到 token 上限，已截断。请在此对话的选项中提高',
    ],
  ] as const)(
    'says that a reply was cut at its limit of tokens, at the call that was cut (%s)',
    async (tongue, call, step) => {
      setLanguage(tongue);
      onTestFinished(() => setLanguage('en'));
      await script({
        turns: [
          { when: { role: 'tool' }, text: 'I will try ag', finishReason: 'length' },
          { toolCalls: [{ name: 'listFiles', arguments: '{"path": ".' }], finishReason: 'length' },
        ],
      });
      const { id: sessionId } = await client().create({ options: { protocol: 'native' } });
      await client().send({ sessionId, text: 'What is there?' });
      const pane = await openChatPane();
      await until(() => pane.text().includes(call) && pane.text().includes(step));
      const [first, second] = pane.findAll('.model-step');
      expect(first!.get('.chat-call').text()).toContain(call);
      expect(first!.get('.chat-call').text()).toContain('{"path": ".');
      expect(first!.text()).not.toContain(step);
      expect(second!.text()).toContain(step);
    },
  );

  it('shows markup of a model as text', async () => {
    await script({ turns: [{ text: '<img src=x> **bold** `code`\n\n```json\n{"a":1}\n```' }] });
    const { id: sessionId } = await client().create({});
    await client().send({ sessionId, text: 'Hi' });
    const pane = await openChatPane();
    await until(() => pane.find('.model-step .markdown').exists());
    const reply = pane.get('.model-step .markdown');
    expect(reply.find('img').exists()).toBe(false);
    expect(reply.text()).toContain('<img src=x>');
    expect(reply.get('strong').text()).toBe('bold');
    expect(reply.get('.code-block').text()).toContain('{"a":1}');
  });

  it.each([
    ['answer', 'The response is not a chat completion.', true],
    ['too-large', 'The reply is larger than Toolwire accepts.', false],
  ] as const)(
    'titles a step that failed with %s, and offers the models only if they can help',
    async (code, title, offers) => {
      await script({ turns: [{ error: { code, message: 'It makes more than 256 tool calls.' } }] });
      const { id: sessionId } = await client().create({});
      await client().send({ sessionId, text: 'Hi' });
      const pane = await openChatPane();
      await until(() => pane.find('.stop-note').exists());
      const note = pane.get('.stop-note');
      expect(note.text()).toContain(title);
      expect(note.text()).toContain('It makes more than 256 tool calls.');
      expect(note.findAll('button').some((one) => one.text() === 'Model settings')).toBe(offers);
    },
  );

  it('says why a turn failed, and resumes it', async () => {
    await script({ turns: [{ when: { matches: 'nothing like it' }, text: 'x' }] });
    const { id: sessionId } = await client().create({});
    await client().send({ sessionId, text: 'Hi' });
    const pane = await openChatPane();
    await until(() => pane.find('.stop-note').exists());
    expect(pane.get('.stop-note').text()).toContain('No script turn matches.');
    await script({ turns: [{ text: 'Here I am.' }] });
    await button(pane, 'Resume').trigger('click');
    await until(() => pane.text().includes('Here I am.'));
  });

  it('finds chats by their names, and deletes one, which can be restored', async () => {
    await client().create({ title: 'Lamp' });
    await client().create({ title: 'Fan' });
    const pane = await openChatPane();
    await until(() => pane.findAll('.list-row').length === 2);
    await pane.get('input[role="searchbox"]').setValue('lam');
    await until(() => pane.findAll('.list-row').length === 1);
    await pane.get('.list-row').trigger('click');
    await until(() => pane.find('.chat-head h2').text() === 'Lamp');
    await button(pane, 'More for “Lamp”').trigger('click');
    const item = await vi.waitUntil(() =>
      [...document.querySelectorAll<HTMLElement>('[role="menuitem"]')].find((one) =>
        one.textContent.startsWith('Remove'),
      ),
    );
    item.click();
    await vi.waitUntil(async () => (await client().list()).length === 1);
    const toasts = window.use(() => useToasts());
    await until(() => toasts.list.at(-1)?.title === 'The chat “Lamp” was removed');
    toasts.list.at(-1)?.action?.run();
    await vi.waitUntil(async () => (await client().list()).length === 2);
  });
});

describe('a call that waits', () => {
  it('goes out with other arguments once they fit, and says that they were changed', async () => {
    const { pane, sessionId } = await openWaiting();
    await button(pane, 'Edit arguments').trigger('click');
    // The form is a chunk of its own.
    await vi.dynamicImportSettled();
    const json = await vi.waitUntil(() => pane.findAll('.argument-editor .seg button')[1]);
    await json.trigger('click');
    const area = pane.get('.argument-editor textarea');
    await area.setValue('{"path": ".", "maxDepth": 4096}');
    await until(() => pane.get('.argument-editor').text().includes('4096 is above the maximum, 32.'));
    await button(pane, 'Use 32').trigger('click');
    await pane.get('.argument-editor .btn.primary').trigger('click');
    await until(() => pane.find('.chat-call').text().includes('Changed by you'));
    const { entries } = await client().get({ sessionId, limit: 10 });
    expect(entries[1]).toMatchObject({
      calls: [
        {
          argsJson: '{"path":".","maxDepth":32}',
          askedArgsJson: expect.stringContaining('"maxDepth":3}') as string,
          approvedBy: 'person',
        },
      ],
    });
  });

  it('is refused with a reason, which is sent to the model', async () => {
    const { pane } = await openWaiting();
    await button(pane, 'Refuse').trigger('click');
    await pane.get('.decision input').setValue('Not that folder');
    await pane.get('.decision .btn.danger').trigger('click');
    await until(() => pane.text().includes('It said:') && pane.find('.chat-call').exists());
    expect(pane.findAll('.model-step').at(-1)?.text()).toContain('Not that folder');
    expect(pane.get('.chat-call').text()).toContain('Refused');
  });

  it('approves later calls of the tool until that is withdrawn', async () => {
    const { pane, sessionId } = await openWaiting();
    await button(pane, 'Always approve this tool').trigger('click');
    await until(() => pane.text().includes('It said:'));
    await pane
      .findAll('[role="tab"]')
      .find((tab) => tab.text() === 'Options')
      ?.trigger('click');
    await until(() => pane.text().includes('Approved for this chat'));
    await button(pane, 'Ask again before directory-tree_listFiles').trigger('click');
    await vi.waitUntil(async () => (await client().get({ sessionId, limit: 1 })).session.approved.length === 0);
  });

  it('is closed when the turn is stopped, which Esc does', async () => {
    const { pane } = await openWaiting();
    await pane.get('.chat-composer textarea').trigger('keydown', { key: 'Escape' });
    await until(() => pane.find('.stop-note').exists());
    expect(pane.get('.stop-note').text()).toContain('You stopped the turn.');
    expect(pane.get('.chat-call').text()).toContain('Cancelled');
  });

  it('opens in the Executor with its arguments, and its reply in the Parser', async () => {
    const { pane } = await openWaiting();
    await button(pane, 'Open in Executor').trigger('click');
    const sandbox = window.use(() => useSandbox());
    expect(sandbox.requested?.qualifiedName).toBe('directory-tree_listFiles');
    expect(JSON.parse(sandbox.requested?.argsJson ?? '')).toEqual({ path: '.', maxDepth: 3 });
    await button(pane, 'Open the raw reply in the Parser').trigger('click');
    expect(window.use(() => useParser()).text).toBe('I look.');
    expect(window.use(() => useNavigation()).pane).toBe('parser');
  });
});

describe('beside the conversation', () => {
  it('shows a step’s prompt by part, marked as estimated, and its request', async () => {
    const { pane } = await openWaiting();
    await until(() => pane.find('.prompt-message').exists());
    expect(pane.get('.step-figures').text()).toMatch(/Prompt tokens by part\s*≈ \d+/);
    await pane
      .findAll('[role="tab"]')
      .find((tab) => tab.text() === 'Request')
      ?.trigger('click');
    await until(() => pane.find('.json-tree').exists());
    expect(pane.get('.json-tree').text()).toContain('What is there?');
  });

  it('saves options as they are changed, and takes no number out of range', async () => {
    const { id: sessionId } = await client().create({});
    const pane = await openChatPane();
    await vi.waitUntil(() => pane.find('.chat-composer').exists());
    await pane
      .findAll('[role="tab"]')
      .find((tab) => tab.text() === 'Options')
      ?.trigger('click');
    await pane.get('[aria-label="Ask before each call"]').trigger('click');
    await until(() => pane.find('[aria-label="Offer Clock"]').exists());
    await pane.get('[aria-label="Offer Clock"]').trigger('click');
    const rounds = pane.get('input[aria-label="Max rounds"]');
    await rounds.setValue('4000');
    await rounds.trigger('blur');
    expect(pane.get('.amount-option [role="alert"]').text()).toContain('A whole number from 1 to 100.');
    await rounds.setValue('3');
    await rounds.trigger('blur');
    const limit = pane.get('input[aria-label="Call timeout"]');
    expect(limit.attributes('placeholder')).toBe('30');
    await limit.setValue('4000');
    await limit.trigger('blur');
    expect(pane.get('.amount-option [role="alert"]').text()).toContain('A number from 0.001 to 3600.');
    await limit.setValue('2.5');
    await limit.trigger('blur');
    const config = { requireConfirmation: true, toolToggles: { clock: false }, maxIterations: 3, timeout: 2_500 };
    await vi.waitUntil(async () => {
      const { session } = await client().get({ sessionId, limit: 1 });
      return (
        JSON.stringify(Object.entries(session.options.config).sort()) === JSON.stringify(Object.entries(config).sort())
      );
    });
  });
});

describe('one message, twice', () => {
  it('is shown side by side with its calls and differences', async () => {
    const { id: sessionId } = await client().create({});
    const { entryId } = await client().send({ sessionId, text: 'What time is it?' });
    await vi.waitUntil(async () => !(await client().list()).some((chat) => chat.running));
    await client().rerun({ sessionId, entryId, protocol: 'native' });
    await vi.waitUntil(async () => !(await client().list()).some((chat) => chat.running));
    const pane = await openChatPane();
    await until(() => pane.findAll('.list-row').length === 2);
    await until(() => pane.find('[aria-label="Compare with the original chat"]').exists());
    await button(pane, 'Compare with the original chat').trigger('click');
    await until(() => pane.findAll('.compare-column .chat-call').length === 2);
    const row = (name: string) => pane.findAll('.compare-table tr').find((one) => one.text().startsWith(name));
    expect(row('Protocol')?.classes()).toContain('differs');
    expect(row('Calls')?.classes()).not.toContain('differs');
    expect(row('Calls')?.text()).toContain('clock_get_time {}');
  });
});

describe('a long chat', () => {
  it('is exported with a warning if Toolwire could not import it again', async () => {
    setLanguage('zh');
    onTestFinished(() => setLanguage('en'));
    const saved: string[] = [];
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:here');
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    onTestFinished(() => void vi.restoreAllMocks());
    window.workbench.toolRegistryManager.register({
      id: 'meter',
      name: 'Meter',
      source: { kind: 'builtin', id: 'meter', label: 'Meter' },
      getMetadata: () => ({
        methods: [{ name: 'read', description: 'Reads', agentCallable: true, inputSchema: { type: 'object' } }],
      }),
      invoke() {
        throw new ToolError('tool-error', 'Failed.', { details: { list: Array<number>(10_000).fill(1) } });
      },
    });
    await script({ turns: [{ when: { role: 'tool' }, text: 'Oh.' }, { toolCalls: [{ name: 'meter_read' }] }] });
    const { id: sessionId } = await client().create({ options: { protocol: 'native' } });
    const { save } = window.use(() => useChatFiles(() => {}));
    const toasts = window.use(() => useToasts());
    await save(sessionId);
    expect([saved.length, toasts.list]).toEqual([1, []]);
    await client().send({ sessionId, text: 'Read' });
    await vi.waitUntil(async () => !(await client().list())[0]?.running);
    await save(sessionId);
    expect(toasts.list).toMatchObject([
      {
        kind: 'warn',
        title: `${saved[1]} 已保存，但因过大，Toolwire 无法再次导入`,
        text: '无法导入此对话。entries.1：超过 10,000 个值。',
      },
    ]);
  });

  it('fetches its end first, and earlier messages on the way up', async () => {
    const entries = Array.from({ length: 400 }, (_, at) => ({
      id: `m${at}`,
      role: 'user',
      createdAt: 1_769_860_800_000 + at,
      text: `message ${at}`,
    }));
    const options = { modelId: 'scripted', protocol: 'vcp', mode: 'auto', systemPrompt: '', config: {} };
    const exportedAt = '2026-01-31T12:00:00.000Z';
    const file = { format: 'toolwire-chat', version: 1, exportedAt, title: 'Long', options, entries };
    await client().importChat(inPieces(JSON.stringify(file)));
    const pane = await openChatPane();
    await until(() => pane.findAll('.user-message').length === 60);
    expect(pane.findAll('.user-message').at(-1)?.text()).toContain('message 399');
    await button(pane, 'Earlier messages').trigger('click');
    await until(() => pane.findAll('.user-message').length === 120);
    expect(pane.findAll('.user-message')[0]?.text()).toContain('message 280');
  });
});
