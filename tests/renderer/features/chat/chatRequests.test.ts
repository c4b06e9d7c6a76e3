/** What goes out to a model from the Chat pane, and what is wrong in what comes back. */
import type { VueWrapper } from '@vue/test-utils';
import { describe, expect, it, onTestFinished } from 'vitest';

import { startScriptedChatServer } from '../../../fakes/scriptedChatServer.ts';
import { makeTool } from '../../../core/registry/testTool.ts';
import { button, client, openChatPane, until, useChatWindow, window } from './chatWindow.ts';

useChatWindow();

describe('arguments that are not JSON', () => {
  it('are shown as the model wrote them, with one message that says what is wrong', async () => {
    const server = await startScriptedChatServer({
      turns: [{ toolCalls: [{ name: 'clock_get_time', arguments: '{"timezone": 9' }] }, { text: 'I am sorry.' }],
    });
    onTestFinished(() => server.close());
    const { models } = window.connection.client;
    const { id: modelId } = await models.save({
      kind: 'openai-compatible',
      label: 'Cut off',
      preset: 'custom',
      baseUrl: server.baseUrl,
      model: 'cut-off',
      stream: true,
      totalMs: 60_000,
      chunkMs: 60_000,
    });
    const { id: sessionId } = await client().create({ options: { modelId, protocol: 'native' } });
    await client().send({ sessionId, text: 'What time is it?' });
    const pane = await openChatPane();
    await until(() => pane.text().includes('I am sorry.') && pane.find('.chat-call').exists());
    const call = pane.get('.chat-call');
    expect(call.get('[aria-label="Arguments as the model wrote them"]').text()).toBe('{"timezone": 9');
    expect(call.text()).not.toContain('No arguments');
    const message =
      'The arguments are not valid JSON: line 1, column 15: the text ends before the JSON does; add }. Write an object, such as {"volume": 50}.';
    expect(call.text().split('the text ends')).toHaveLength(2);
    expect(call.text()).toContain(message);
    expect(call.text()).toContain('Invalid arguments');
    expect(call.text()).not.toContain('Correct the arguments');
    const asked = server.chats[1]?.body.messages ?? [];
    expect(asked.find(({ role }) => role === 'tool')).toMatchObject({
      content: `(The call was written with these arguments: {"timezone": 9)\n${message}`,
    });
  });
});

describe('a message that goes out with much', () => {
  const register = (id: string, count: number, description = 'Does it.'): void => {
    const methods = Array.from({ length: count }, (_, at) => ({ name: `method_${at}`, description }));
    window.workbench.toolRegistryManager.register(makeTool(id, methods));
  };
  const warning = (pane: VueWrapper): string => pane.find('.chat-composer .banner.warn').text();
  const hasWarning = (pane: VueWrapper): boolean => pane.find('.chat-composer .banner.warn').exists();

  it('is warned of before it is sent: more than 128 methods, and how to choose fewer', async () => {
    register('many', 1_300);
    const { id: sessionId } = await client().create({ options: { protocol: 'native' } });
    const pane = await openChatPane();
    await until(() => hasWarning(pane));
    const { methods, tokens } = await client().promptSize({ sessionId });
    expect(methods).toBeGreaterThan(1_300);
    const total = tokens.total.toLocaleString('en-US');
    expect(warning(pane)).toContain(
      `The next message offers ${methods.toLocaleString('en-US')} methods and sends ≈ ${total} tokens.`,
    );
    expect(warning(pane)).toContain('including OpenAI, reject a request with more than 128 functions.');
    await pane.get('.chat-composer textarea').setValue('Hello');
    expect(pane.get('.chat-composer .btn.primary').attributes('aria-disabled')).not.toBe('true');
    await button(pane, 'Choose tools').trigger('click');
    await until(() => pane.find('#chat-tools').exists());
    const row = pane.findAll('.option-row').find((each) => each.text().includes('Tool many'));
    expect(row?.text()).toContain('1,300 methods');
    await pane.get('[aria-label="Offer Tool many"]').trigger('click');
    await until(() => !hasWarning(pane));
  });

  it('is warned of with more than 32,000 tokens, and not with 128 methods', async () => {
    register('wordy', 125, 'lamp '.repeat(10));
    const { id: sessionId } = await client().create({ options: { protocol: 'vcp' } });
    const pane = await openChatPane();
    await until(() => pane.find('.chat-composer').exists());
    const before = await client().promptSize({ sessionId });
    expect(before.methods).toBe(128);
    expect(before.tokens.total).toBeLessThan(32_000);
    await pane.get('.chat-composer textarea').setValue('lamp '.repeat(32_000));
    await until(() => hasWarning(pane));
    expect(warning(pane)).toMatch(/^The next message sends ≈ \d\d,\d\d\d tokens\./);
    expect(warning(pane)).toContain('32,000 tokens or fewer');
    await pane.get('.chat-composer textarea').setValue('');
    await until(() => !hasWarning(pane));
  });

  it('counts a tool that cannot be used neither as offered nor as one to offer', async () => {
    window.workbench.toolRegistryManager.register({
      ...makeTool('broken', []),
      getMetadata: () => {
        throw new Error('syntax error');
      },
    });
    window.workbench.toolRegistryManager.register(
      makeTool('own', [{ name: 'get', agentCallable: false, handler: () => 1 }]),
    );
    window.workbench.toolRegistryManager.register(
      makeTool('spaced', [
        {
          name: 'get',
          inputSchema: { type: 'object', required: ['a b'], properties: { 'a b': {} } },
          handler: () => 1,
        },
      ]),
    );
    await client().create({});
    const pane = await openChatPane();
    await until(() => pane.find('.chat-composer').exists());
    await pane
      .findAll('[role="tab"]')
      .find((tab) => tab.text() === 'Options')
      ?.trigger('click');
    await until(() => pane.text().includes('3 tools cannot be offered to models'));
    expect(pane.get('#chat-tools').text()).toContain('2 of 2 offered');
    const row = pane.findAll('details .option-row').find((each) => each.text().includes('Tool broken'));
    expect(row?.text()).toContain('Unusable');
    expect(pane.get('details').text()).toMatch(/Tool own\s*Not offered to chats.*Tool spaced\s*Not callable in VCP/);
    expect(pane.find('[aria-label="Offer Tool broken"]').exists()).toBe(false);
  });
});
