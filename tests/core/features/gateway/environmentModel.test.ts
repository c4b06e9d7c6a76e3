/** The model of LLM_*: what its server refuses, and what is learned from that. */
import { expect, onTestFinished, test } from 'vitest';

import { environmentModel } from '../../../../src-core/features/gateway/environmentModel.ts';
import { createOpenAiCompatibleModel } from '../../../../src-core/features/models/openAiCompatible/openAiCompatibleModel.ts';
import { startScriptedChatServer, type ScriptedChatServer } from '../../../fakes/scriptedChatServer.ts';

const messages = [{ role: 'user' as const, content: 'hi' }];

/** A server that takes only one name for the limit, and says so as its vendor does. */
async function strictServer(taken: string, refused: string, message: string): Promise<ScriptedChatServer> {
  const server = await startScriptedChatServer({
    turns: (body) =>
      refused in body
        ? {
            status: 400,
            body: {
              error: { message, type: 'invalid_request_error', param: refused },
            },
          }
        : { text: taken in body ? 'fine' : 'no limit' },
  });
  onTestFinished(() => server.close());
  return server;
}

test.each([true, false])('max_completion_tokens is learned from the 400, once (stream %s)', async (stream) => {
  const server = await strictServer(
    'max_completion_tokens',
    'max_tokens',
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  );
  const ask = () =>
    createOpenAiCompatibleModel({
      baseUrl: server.baseUrl,
      model: 'gpt-5-mini',
      stream,
    }).generate({
      messages,
      maxTokens: 2048,
    });
  expect((await ask()).text).toBe('fine');
  // Another object for the same model, as each turn makes one.
  expect((await ask()).exchange).toMatchObject({
    request: { body: { max_completion_tokens: 2048 } },
  });
  expect(server.chats.map(({ body }) => 'max_tokens' in body)).toEqual([true, false, false]);
});

test('a server that knows only max_tokens is asked with that', async () => {
  const server = await strictServer(
    'max_tokens',
    'max_completion_tokens',
    'Unrecognized request argument supplied: max_completion_tokens',
  );
  const { baseUrl } = server;
  const model = createOpenAiCompatibleModel({
    baseUrl,
    model: 'old',
    maxTokensField: 'max_completion_tokens',
  });
  expect((await model.generate({ messages, maxTokens: 5 })).text).toBe('fine');
  expect(server.chats.map(({ body }) => body['max_tokens'])).toEqual([undefined, 5]);
});

test('another 400 that names the limit is not tried again', async () => {
  const server = await strictServer('x', 'max_tokens', 'max_tokens is too large: 2048. At most 1024 are supported.');
  const model = createOpenAiCompatibleModel({
    baseUrl: server.baseUrl,
    model: 'small',
  });
  await expect(model.generate({ messages, maxTokens: 2048 })).rejects.toThrow(/too large/);
  expect(server.chats).toHaveLength(1);
});

test.each([
  ['', 'Set the key of the API in LLM_API_KEY.'],
  ['sk-wrong', 'Check the key in LLM_API_KEY.'],
])('a refused key %j is advised by its variable', async (apiKey, advice) => {
  const server = await startScriptedChatServer({
    turns: [],
    apiKey: 'sk-right',
  });
  onTestFinished(() => server.close());
  const model = environmentModel({
    baseUrl: server.baseUrl,
    model: 'm',
    apiKey,
  });
  await expect(model.generate({ messages })).rejects.toThrow(advice);
});
