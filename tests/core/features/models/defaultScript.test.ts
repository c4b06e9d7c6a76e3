import { describe, expect, test } from 'vitest';

import { createToolCalling } from '../../../../src-core/engine/toolCalling.ts';
import type { ChatMessage } from '../../../../src-core/contract/chatMessages.ts';
import { defaultScript } from '../../../../src-core/features/models/defaultScript.ts';
import { createScriptedModel } from '../../../../src-core/features/models/scriptedModel.ts';
import { createJsonProtocol } from '../../../../src-core/protocols/json/jsonProtocol.ts';
import { createProtocolRegistry } from '../../../../src-core/protocols/registry.ts';
import { createVcpProtocol } from '../../../../src-core/protocols/vcp/vcpProtocol.ts';
import { createTimeTool } from '../../../../src-core/registry/builtin/time.ts';
import { defaultToolCallConfig } from '../../../../src-core/base/calls.ts';
import { createToolRegistryManager } from '../../../../src-core/registry/toolRegistryManager.ts';

const model = createScriptedModel({ script: defaultScript });
const tool = (name: string) => ({ name, description: '', parameters: {} });

describe('the script of a new installation', () => {
  test('speaks Chinese if the conversation begins in Chinese, of a result of the tool, too', async () => {
    const messages: ChatMessage[] = [{ role: 'user', content: '现在几点？' }];
    const first = await model.generate({ messages, tools: [tool('get_time')] });
    expect(first).toMatchObject({ text: '我看一下时钟。', toolCalls: [{ name: 'get_time' }] });
    messages.push({ role: 'assistant', content: first.text, toolCalls: first.toolCalls });
    messages.push({ role: 'tool', toolCallId: first.toolCalls[0]!.id, name: 'get_time', content: '08:30' });
    expect((await model.generate({ messages, tools: [tool('get_time')] })).text).toBe('工具的结果：08:30');
  });

  test.each(['get_time', 'clock_get_time', 'get_current_time'])(
    'calls %s natively and says the result',
    async (name) => {
      const messages: ChatMessage[] = [{ role: 'user', content: 'What time is it?' }];
      const first = await model.generate({ messages, tools: [tool('other'), tool(name)] });
      expect(first).toMatchObject({ finishReason: 'tool-calls', toolCalls: [{ name, argumentsText: '{}' }] });
      const [call] = first.toolCalls;
      messages.push({ role: 'assistant', content: first.text, toolCalls: first.toolCalls });
      messages.push({ role: 'tool', toolCallId: call!.id, name, content: '2026-01-31 08:30:00' });
      expect(await model.generate({ messages, tools: [tool(name)] })).toMatchObject({
        text: 'The tool answered: 2026-01-31 08:30:00',
        toolCalls: [],
        finishReason: 'stop',
      });
    },
  );

  test.each([
    ['我的电量还剩多少？', 'get_battery', '{}'],
    ['Switch the light on, please', 'device_light', '{"on":true,"level":1}'],
    ['几点了？', 'newest', '{}'],
  ])(
    '%s: calls the own tool of the client that is meant, else its newest: %s',
    async (content, name, argumentsText) => {
      const properties = { on: { type: 'boolean' }, level: { type: 'integer', minimum: 1 }, note: { type: 'string' } };
      const tools = [
        tool('get_current_time'),
        { ...tool('get_battery'), description: '获取设备电量', isClients: true },
        {
          ...tool('device_light'),
          parameters: { type: 'object', properties, required: ['on', 'level'] },
          isClients: true,
        },
        { ...tool('newest'), isClients: true },
        tool('lamp_light'),
      ];
      const { toolCalls } = await model.generate({ messages: [{ role: 'user', content }], tools });
      expect(toolCalls).toMatchObject([{ name, argumentsText }]);
    },
  );

  test.each(['vcp', 'json'])(
    'runs the whole cycle in %s text, with the prompt and the engine as they are',
    async (protocol) => {
      const toolRegistryManager = createToolRegistryManager({ onError: (error) => expect.unreachable(String(error)) });
      toolRegistryManager.register(createTimeTool({ now: () => new Date(2026, 0, 31, 8, 30) }));
      const protocols = createProtocolRegistry();
      protocols.register(createVcpProtocol());
      protocols.register(createJsonProtocol());
      const toolCalling = createToolCalling({ toolRegistryManager, protocols });
      const config = { ...defaultToolCallConfig, enabled: true, requireConfirmation: false, protocol };

      const messages: ChatMessage[] = [
        { role: 'system', content: toolCalling.generateToolsPrompt(config) },
        { role: 'user', content: 'What time is it?' },
      ];
      const first = await model.generate({ messages });
      const cycle = await toolCalling.processCycle(first.text, config);
      expect(cycle.executionResults).toMatchObject([{ status: 'success', result: '2026-01-31 08:30:00' }]);
      messages.push({ role: 'assistant', content: first.text });
      messages.push({ role: 'user', content: toolCalling.formatCycleResults(cycle.executionResults, protocol) });
      expect((await model.generate({ messages })).text).toBe('The tool answered: 2026-01-31 08:30:00');
      toolCalling.close();
    },
  );

  test('without a tool it says what it is, in the language it was asked in', async () => {
    const say = async (content: string) => (await model.generate({ messages: [{ role: 'user', content }] })).text;
    expect(await say('Hello')).toMatch(/^I am the scripted model/);
    expect(await say('你好')).toMatch(/^我是脚本模型/);
  });
});
