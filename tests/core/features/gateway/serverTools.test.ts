/** The ten server tools (docs/protocols/gateway.md#server-tools) and what they change (docs/protocols/gateway.md). */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

import { executeSingleRequest } from '../../../../src-core/engine/executor.ts';
import { systemPrompt } from '../../../../src-core/features/gateway/systemPrompt.ts';
import type { Clock } from '../../../../src-core/base/clock.ts';
import type { JsonObject } from '../../../../src-core/base/json.ts';
import { createManualClock } from '../devices/support/manualClock.ts';
import { openGateway, type OpenGateway } from './support/openGateway.ts';
import { inShort, type TestClient } from './support/testClient.ts';
import { ask } from './support/wording.ts';

const names = [
  ...['get_weather', 'get_current_time', 'get_location', 'set_response_language', 'get_response_language'],
  ...['list_supported_languages', 'enter_roleplay_mode', 'exit_roleplay_mode', 'get_roleplay_status'],
  'list_available_characters',
];

/** A gateway whose model calls what it is asked to: `name {json}`. */
function obedient(): Promise<OpenGateway> {
  return openGateway({
    turns({ messages }) {
      const last = messages.at(-1)!;
      const [name = '', text = '{}'] = String(last.content).split(/ (.*)/s);
      return last.role === 'user' ? { toolCalls: [{ name, arguments: text }] } : { text: 'done' };
    },
  });
}

async function call(client: TestClient, name: string, args: JsonObject = {}): Promise<JsonObject> {
  client.send(ask(`${name} ${JSON.stringify(args)}`));
  const message = (await client.upTo('idle')).find(({ type }) => type === 'tool_call')!;
  return { success: message['success'] as boolean, ...(message['result'] as JsonObject) };
}

const prompts = ({ server }: OpenGateway): string[] =>
  server.chats.map(({ body }) => String(body.messages[0]!.content));

test('these ten and no others, for the model and in the registry', async () => {
  const bench = await obedient();
  const client = await bench.connect();
  await call(client, 'get_location');
  expect(bench.server.chats[0]!.body.tools!.map((tool) => tool.function.name)).toEqual(names);
  const registry = bench.toolRegistryManager.getTool('llm-gateway')!;
  expect(registry).toMatchObject({ name: 'arcs-mini-mcp-server', source: { kind: 'gateway' } });
  expect(registry.getMetadata().methods.map(({ name }) => name)).toEqual(names);
});

test('weather and location say that they are made up; the same day is the same', async () => {
  const bench = await obedient();
  const client = await bench.connect();
  const weather = await call(client, 'get_weather', { city: '上海', date: '2025-02-21' });
  expect(weather).toMatchObject({ success: true, city: '上海', date: '2025-02-21', simulated: true });
  expect(await call(client, 'get_weather', { city: '上海', date: '2025-02-21' })).toEqual(weather);
  expect(await call(client, 'get_weather', { city: '上海' })).toMatchObject({ success: true });
  expect(await call(client, 'get_location')).toMatchObject({ success: true, simulated: true });
});

test('the time of a time zone; one that does not exist is refused', async () => {
  const clock = createManualClock();
  const { toolRegistryManager } = await openGateway({ clock });
  const time = async (args: JsonObject) =>
    executeSingleRequest(
      { toolName: 'llm-gateway', command: 'get_current_time', args },
      { toolRegistryManager, caller: 'user' },
    );
  const shanghai = await time({ timezone: 'Asia/Shanghai' });
  expect(JSON.parse(shanghai.result)).toEqual({
    timezone: 'Asia/Shanghai',
    date: '2023-11-15',
    time: '06:13:20',
    weekday: '星期三',
    iso: '2023-11-14T22:13:20.000Z',
  });
  expect((await time({})).status).toBe('success');
  expect((await time({ timezone: 'Mars/Olympus' })).error).toMatchObject({ code: 'tool-error' });
});

test.each([
  [9_999, ['status:processing', 'tool_call', 'llm_response', 'status:idle']],
  [10_000, ['status:processing', 'error:TOOL_EXECUTION_FAILED', 'status:idle']],
])('get_current_time, where reading the clock takes %i ms', async (takes, expected) => {
  const manual = createManualClock();
  // All that the ten tools wait for is the clock: it stands until the call's limit runs, and then takes its time once.
  let isRunning = false;
  const clock: Clock = {
    ...manual,
    after(ms, run) {
      isRunning = ms === 10_000;
      return manual.after(ms, run);
    },
    wall() {
      if (isRunning) {
        isRunning = false;
        manual.advance(takes);
      }
      return manual.wall();
    },
  };
  const { connect } = await openGateway({
    clock,
    turns: [{ toolCalls: [{ name: 'get_current_time' }] }, { text: 'done' }, { text: 'fine' }],
  });
  const client = await connect();
  client.send(ask('What time is it?'));
  expect(inShort(await client.upTo('idle'))).toEqual(expected);
  client.send(ask('again'));
  expect(inShort(await client.upTo('idle'))).toEqual(['status:processing', 'llm_response', 'status:idle']);
});

describe('language', () => {
  test('is the session’s, and the next turn’s system prompt says it', async () => {
    const bench = await obedient();
    const [client, other] = [await bench.connect(), await bench.connect()];
    expect(await call(client, 'get_response_language')).toEqual({ success: true, language: null, name: null });
    expect(await call(client, 'set_response_language', { language: 'ja' })).toEqual({
      success: true,
      language: 'ja',
      name: '日语',
    });
    expect(prompts(bench).some((prompt) => prompt.includes('日语'))).toBe(false);
    expect(await call(client, 'get_response_language')).toMatchObject({ language: 'ja' });
    expect(prompts(bench).at(-1)).toContain('请用日语（日本語）回复');
    await call(other, 'get_response_language');
    expect(prompts(bench).at(-1)).not.toContain('日语');
    expect(bench.gateway.sessions().find(({ id }) => id === client.sessionId)).toMatchObject({ language: 'ja' });
  });

  test('of those that are listed', async () => {
    const bench = await obedient();
    const client = await bench.connect();
    const { languages } = (await call(client, 'list_supported_languages')) as unknown as {
      languages: { code: string }[];
    };
    expect(languages.map(({ code }) => code)).toEqual(['zh', 'en', 'ja', 'ko', 'de', 'fr', 'ru', 'pt', 'es', 'it']);
    expect(await call(client, 'set_response_language', { language: 'tlh' })).toMatchObject({ success: false });
  });
});

describe('role-play', () => {
  test('enter, look, leave; the system prompt follows', async () => {
    const bench = await obedient();
    const client = await bench.connect();
    const { characters } = (await call(client, 'list_available_characters')) as unknown as {
      characters: { name: string }[];
    };
    const character = characters[0]!.name;
    expect(await call(client, 'enter_roleplay_mode', { character: '无名氏' })).toMatchObject({ success: false });
    expect(await call(client, 'enter_roleplay_mode', { character })).toEqual({
      success: true,
      roleplay: true,
      character,
    });
    expect(await call(client, 'get_roleplay_status')).toEqual({ success: true, roleplay: true, character });
    expect(prompts(bench).at(-1)).toContain(`请扮演“${character}”`);
    expect(bench.gateway.sessions()[0]).toMatchObject({ role: character });
    expect(await call(client, 'exit_roleplay_mode')).toEqual({ success: true, roleplay: false, left: character });
    expect(await call(client, 'get_roleplay_status', { session_id: client.sessionId })).toMatchObject({
      roleplay: false,
    });
    expect(prompts(bench).at(-1)).not.toContain('扮演');
  });

  test('in another session is refused', async () => {
    const bench = await obedient();
    const [client, other] = [await bench.connect(), await bench.connect()];
    for (const name of ['enter_roleplay_mode', 'exit_roleplay_mode', 'get_roleplay_status']) {
      const args = { session_id: other.sessionId, ...(name === 'enter_roleplay_mode' && { character: '李白' }) };
      expect(await call(client, name, args)).toMatchObject({ success: false });
    }
    expect(bench.gateway.sessions().some(({ role }) => role !== undefined)).toBe(false);
  });

  test('by hand needs a session that is named', async () => {
    const { toolRegistryManager, connect, gateway } = await openGateway();
    const client = await connect();
    const byHand = (command: string, args: JsonObject) =>
      executeSingleRequest({ toolName: 'llm-gateway', command, args }, { toolRegistryManager, caller: 'user' });
    expect((await byHand('get_roleplay_status', {})).error?.message).toMatch(/conversation over the gateway/);
    expect((await byHand('set_response_language', { language: 'en' })).status).toBe('error');
    expect((await byHand('get_roleplay_status', { session_id: 'nobody' })).error?.message).toMatch(/no session/);
    const entered = await byHand('enter_roleplay_mode', { character: '李白', session_id: client.sessionId });
    expect(entered.status).toBe('success');
    expect(gateway.sessions()[0]).toMatchObject({ role: '李白' });
  });
});

const seed = '/work/shared/seeds/004_5a10e265b579f802.txt';

test.skipIf(!existsSync(seed))('the system prompt is that of the original gateway, with the time filled in', () => {
  const text = /DEFAULT_SYSTEM_PROMPT = """\n([^]*?)\n"""/.exec(readFileSync(seed, 'utf8'))![1]!;
  const now = new Date(2025, 1, 21, 8, 5, 9);
  expect(systemPrompt({}, now)).toBe(text.replace('{current_time}', '2025-02-21 08:05:09 星期五'));
});
