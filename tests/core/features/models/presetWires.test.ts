/** Each preset against a local server in its vendor's shape: path, key, list of models, and two streamed calls. */
import { describe, expect, onTestFinished, test } from 'vitest';

import type { ChatMessage } from '../../../../src-core/contract/chatMessages.ts';
import { createProfileModel, serverModelOptions } from '../../../../src-core/features/models/createProfileModel.ts';
import type { ServerModelProfile } from '../../../../src-core/contract/modelInfo.ts';
import { listModels } from '../../../../src-core/features/models/openAiCompatible/listModels.ts';
import { modelPresets } from '../../../../src-core/features/models/presets.ts';
import type { ModelPreset } from '../../../../src-core/contract/modelInfo.ts';
import { startVendorServer } from '../../../fakes/vendors/startVendorServer.ts';
import { vendorStreams, type VendorStream } from '../../../fakes/vendors/vendorStreams.ts';

const key = 'sk-live-0123456789abcdef';
const question: ChatMessage = { role: 'user', content: '北京天气怎么样？现在几点？' };
const tools = ['get_weather', 'get_time'].map((name) => ({
  name,
  description: `Does ${name}.`,
  parameters: { type: 'object', properties: {} },
}));

async function open({ id, label, baseUrl: address, needsKey, modelHint }: ModelPreset, stream: VendorStream) {
  const apiKey = needsKey ? key : undefined;
  const server = await startVendorServer({ address, stream, ...(apiKey !== undefined && { apiKey }) });
  onTestFinished(() => server.close());
  const profile: ServerModelProfile = {
    id: 'one',
    kind: 'openai-compatible',
    preset: id,
    label,
    baseUrl: server.baseUrl,
    model: modelHint || 'loaded',
    stream: true,
    maxTokens: 64,
    totalMs: 20_000,
    chunkMs: 10_000,
  };
  return { server, profile, apiKey, model: createProfileModel({ profile, getKey: () => Promise.resolve(apiKey) }) };
}

const cases = modelPresets.flatMap((preset) =>
  (vendorStreams[preset.id] ?? []).map((stream) => [preset.label, stream.name, preset, stream] as const),
);

test('no preset is left out', () => {
  expect(Object.keys(vendorStreams)).toEqual(modelPresets.map(({ id }) => id).filter((id) => id !== 'custom'));
});

describe.each(cases)('%s: %s', (_label, _name, preset, stream) => {
  test('the list of models, with a key only where one is needed', async () => {
    const { server, profile, apiKey } = await open(preset, stream);
    const names = await listModels(serverModelOptions(profile, apiKey));
    expect(names).toEqual((stream.models as { data: { id: string }[] }).data.map(({ id }) => id).sort());
    expect(server.asked[0]!.authorization).toBe(preset.needsKey ? `Bearer ${key}` : undefined);
  });

  test('two calls, and their results on the way back', async () => {
    const { server, model } = await open(preset, stream);
    const reply = await model.generate({ messages: [question], tools });
    expect(reply.toolCalls.map(({ name, argumentsText }) => [name, argumentsText])).toEqual([
      ['get_weather', '{"city":"北京"}'],
      ['get_time', '{}'],
    ]);
    const ids = reply.toolCalls.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    expect(ids.every((id) => id !== '')).toBe(true);
    const { finishReason, text, usage } = reply;
    expect([finishReason, text, reply.reasoning, usage]).toEqual(['tool-calls', '', stream.reasoning, stream.usage]);

    const { toolCalls, reasoning } = reply;
    const results = toolCalls.map(({ id, name }): ChatMessage => ({
      role: 'tool',
      toolCallId: id,
      name,
      content: 'done',
    }));
    const said: ChatMessage = {
      role: 'assistant',
      content: '',
      toolCalls,
      ...(reasoning !== undefined && { reasoning }),
    };
    await model.generate({ messages: [question, said, ...results], tools });
    const body = JSON.parse(server.asked.at(-1)!.body) as Record<string, unknown> & { messages: object[] };
    expect(body).toHaveProperty(preset.id === 'openai' ? 'max_completion_tokens' : 'max_tokens', 64);
    expect(body.messages[1]).toMatchObject({
      role: 'assistant',
      tool_calls: toolCalls.map(({ id, name, argumentsText }) => ({
        id,
        type: 'function',
        function: { name, arguments: argumentsText },
      })),
    });
    expect(body.messages.slice(2)).toEqual(ids.map((id) => ({ role: 'tool', tool_call_id: id, content: 'done' })));
  });
});
