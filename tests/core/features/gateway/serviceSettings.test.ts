/** The settings of the gateway in the workbench, over the contract as a window has it. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { connectClient } from './support/testClient.ts';
import { ask, clientTool, register } from './support/wording.ts';
import { startScriptedChatServer } from '../../../fakes/scriptedChatServer.ts';

import { on, open, useDataDir } from './support/gatewayBench.ts';

useDataDir();

describe('settings', () => {
  test('change at once; null takes them back; wrong ones are refused by name', async () => {
    const { api } = await on();
    const after = await api.gateway.configure({ settings: { temperature: 0.1, tellModelOfFailures: true } });
    const of = (state: typeof after, key: string) => state.settings.find((each) => each.key === key);
    expect(of(after, 'temperature')).toMatchObject({ value: 0.1, origin: 'settings' });
    expect(of(await api.gateway.configure({ settings: { temperature: null } }), 'temperature')).toMatchObject({
      value: null,
      origin: 'default',
    });
    for (const [settings, field] of [
      [{ port: 99_999 }, 'settings.port'],
      [{ temperature: 'warm' }, 'settings.temperature'],
      [{ nothing: 1 }, 'settings.nothing'],
      [{ apiKey: 'sk-secret' }, 'settings.apiKey'],
    ] as const) {
      await expect(api.gateway.configure({ settings })).rejects.toMatchObject({ data: { field } });
    }
    await expect(api.gateway.configure({ modelId: 'gone' })).rejects.toThrow(/no longer exists/);
  });

  test('a new port moves it, a new limit does not', async () => {
    const { api, url } = await on();
    const client = await connectClient(url);
    await client.connected();
    await api.gateway.configure({ settings: { clientToolsMaxCount: 1 } });
    client.send(register(clientTool('a'), clientTool('b')));
    expect(await client.next()).toMatchObject({ count: 1 });
    await api.gateway.configure({ settings: { mcpServerName: 'other' } });
    expect(await client.closed).toBe(1001);
    const { urls } = await api.gateway.state();
    expect(urls[0]).not.toBe('');
  });

  test('wider than this machine is said', async () => {
    const { api } = await on();
    const state = await api.gateway.configure({ settings: { host: '0.0.0.0' } });
    expect(state).toMatchObject({ openToNetwork: true, listening: true });
    expect(state.urls.at(-1)).toMatch(/^ws:\/\/127\.0\.0\.1:\d+$/);
  });

  test('uses the environment for settings that are not set, and never returns its secrets', async () => {
    const server = await startScriptedChatServer({
      turns: [{ text: 'from the environment' }],
      apiKey: 'sk-env-1',
    });
    onTestFinished(() => server.close());
    const env = { LLM_BASE_URL: server.baseUrl, LLM_MODEL: 'of-the-env', LLM_API_KEY: 'sk-env-1', CLOUD_PORT: '0' };
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const { api } = await open();
    const state = await api.gateway.setEnabled({ enabled: true });
    expect(state.model).toEqual({ origin: 'environment', name: 'of-the-env' });
    expect(state.settings.find(({ key }) => key === 'apiKey')).toMatchObject({ value: '***', origin: 'environment' });
    expect(JSON.stringify(state)).not.toContain('sk-env');
    const client = await connectClient(state.urls[0]!);
    client.send(ask('hi'));
    expect((await client.upTo('llm_response')).at(-1)).toMatchObject({ content: 'from the environment' });
    expect((await api.gateway.configure({ modelId: 'scripted' })).model).toMatchObject({
      origin: 'settings',
      id: 'scripted',
    });
    expect((await api.gateway.configure({ modelId: null })).model).toMatchObject({ origin: 'environment' });
    vi.stubEnv('LLM_BASE_URL', 'http://me:sk-env-word@127.0.0.1:1/v1');
    const refused = await api.gateway.configure({});
    expect(refused.model.error).toMatch(/password/);
    expect(JSON.stringify(refused)).not.toContain('sk-env');
  });
});
