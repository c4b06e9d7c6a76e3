import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { RealtimeDialectName } from '../../../../src-core/base/realtimeTypes.ts';
import { checkRealtimeScript, readRealtimeScript } from '../../../../src-core/realtime/scripted/readRealtimeScript.ts';
import { openClient, sessionUpdate, spokenAudio, startServer } from './support/rawClient.ts';

const flat = { type: 'function', name: 'a', parameters: {} };
const nested = { type: 'function', function: { name: 'a', parameters: {} } };

describe('a session.update that the vendor would not take', () => {
  it.each<[RealtimeDialectName, object, string, string]>([
    ['openai', { instructions: 'x' }, 'missing_required_parameter', 'session.type'],
    ['openai', { type: 'realtime', temperature: 0.8 }, 'unknown_parameter', 'session.temperature'],
    ['openai', { type: 'realtime', voice: 'alloy' }, 'unknown_parameter', 'session.voice'],
    ['openai', { type: 'realtime', modalities: ['text'] }, 'unknown_parameter', 'session.modalities'],
    [
      'openai',
      { type: 'realtime', output_modalities: ['audio', 'text'] },
      'invalid_value',
      'session.output_modalities',
    ],
    ['openai', { type: 'realtime', tools: [nested] }, 'missing_required_parameter', 'session.tools[0].name'],
    ['openai', { type: 'realtime', tools: [flat, { ...flat, name: 'a.b' }] }, 'invalid_value', 'session.tools[1].name'],
    [
      'openai',
      { type: 'realtime', audio: { input: { format: { type: 'audio/pcm', rate: 16_000 } } } },
      'invalid_value',
      'session.audio.input.format.rate',
    ],
    ['openai-beta', { type: 'realtime' }, 'unknown_parameter', 'session.type'],
    ['openai-beta', { modalities: ['audio'] }, 'invalid_value', 'session.modalities'],
    ['openai-beta', { temperature: 3 }, 'decimal_above_max_value', 'session.temperature'],
    ['openai-beta', { tools: [nested] }, 'missing_required_parameter', 'session.tools[0].name'],
    [
      'openai-beta',
      { input_audio_transcription: { model: 5 } },
      'invalid_type',
      'session.input_audio_transcription.model',
    ],
    ['qwen', { tools: [flat] }, 'missing_required_parameter', 'session.tools[0].function'],
    ['qwen', { tools: [nested], enable_search: true }, 'invalid_value', 'session.enable_search'],
    ['qwen', { audio: {} }, 'unknown_parameter', 'session.audio'],
  ])('%s: %j', async (dialect, session, code, param) => {
    const client = await openClient((await startServer({ dialect })).url, dialect);
    client.send({ type: 'session.update', event_id: 'mine', session });
    expect(await client.next('error')).toMatchObject({
      error: { type: 'invalid_request_error', code, param, event_id: 'mine' },
    });
    client.send(sessionUpdate(dialect));
    await client.next('session.updated');
  });

  it.each<RealtimeDialectName>(['openai-beta', 'qwen'])('%s: null turns transcription off', async (dialect) => {
    const client = await openClient((await startServer({ dialect })).url, dialect);
    client.send({ type: 'session.update', session: { input_audio_transcription: null } });
    expect(await client.next('session.updated')).toMatchObject({ session: { input_audio_transcription: null } });
  });

  it('qwen before 3.5 drops tools without a word', async () => {
    const { url } = await startServer({ dialect: 'qwen' });
    const client = await openClient(`${url}?model=qwen3-omni-flash-realtime`, 'qwen');
    client.send(sessionUpdate('qwen'));
    expect(await client.next('session.updated')).toMatchObject({ session: { tools: [] } });
  });
});

const itemWithId = (id: string): string =>
  JSON.stringify({
    type: 'conversation.item.create',
    item: { id, type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
  });

it('takes an id of up to 64 characters', async () => {
  const client = await openClient((await startServer()).url, 'openai');
  client.socket.send(itemWithId('i'.repeat(64)));
  expect(await client.next('conversation.item.added')).toMatchObject({ item: { id: 'i'.repeat(64) } });
});

it('answers nonsense with errors and goes on', async () => {
  const client = await openClient((await startServer()).url, 'openai');
  const bad: [string | Buffer, string][] = [
    ['{"type":', 'invalid_json'],
    [Buffer.from([1, 2, 3]), 'invalid_json'],
    ['[1]', 'invalid_type'],
    ['{}', 'missing_required_parameter'],
    ['{"type":"toString"}', 'invalid_value'],
    ['{"type":"input_audio_buffer.append","audio":"***"}', 'invalid_value'],
    ['{"type":"session.update"}', 'invalid_type'],
    ['{"type":"conversation.item.create","item":{"type":"song"}}', 'invalid_value'],
    ['{"type":"conversation.item.create","item":{"type":"message","role":"user"}}', 'missing_required_parameter'],
    [
      '{"type":"conversation.item.create","item":{"type":"function_call_output","call_id":"x","output":{}}}',
      'invalid_type',
    ],
    [itemWithId(''), 'string_below_min_length'],
    [itemWithId('i'.repeat(65)), 'string_above_max_length'],
    ['{"type":"conversation.item.retrieve"}', 'item_retrieve_invalid_item_id'],
    [
      '{"type":"conversation.item.truncate","item_id":"x","content_index":0,"audio_end_ms":1}',
      'item_truncate_invalid_item_id',
    ],
  ];
  for (const [frame, code] of bad) {
    client.socket.send(frame);
    expect(await client.next('error')).toMatchObject({ error: { code } });
  }
  client.send({ type: 'response.create' });
  await client.next('response.done');
});

describe('who may connect', () => {
  async function status(url: string, headers: Record<string, string>): Promise<number | undefined> {
    const socket = new WebSocket(url, { headers });
    onTestFinished(() => socket.terminate());
    socket.on('error', () => {});
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode?: number }];
    return response.statusCode;
  }

  it('asks for its key, its Host, no page and the right beta header', async () => {
    const { url } = await startServer({ key: 'secret' });
    const key = { Authorization: 'Bearer secret' };
    expect(await status(url, {})).toBe(401);
    expect(await status(url, { Authorization: 'Bearer secre' })).toBe(401);
    expect(await status(url, { ...key, Host: 'evil.example' })).toBe(421);
    expect(await status(url, { ...key, Origin: 'https://evil.example' })).toBe(403);
    expect(await status(url, { ...key, 'OpenAI-Beta': 'realtime=v1' })).toBe(400);
    expect(await status(url.replace('/v1/', '/v2/'), key)).toBe(404);
    await openClient(url, 'openai', key);
    const beta = await startServer({ dialect: 'openai-beta' });
    expect(await status(beta.url, {})).toBe(400);
  });
});

it('notes what came, with sound cut to its length', async () => {
  const server = await startServer();
  const client = await openClient(server.url, 'openai');
  client.send(...spokenAudio(24_000).slice(0, 1), { type: 'response.cancel' });
  await client.next('error');
  expect(server.received).toEqual([
    {
      connection: 1,
      event: { type: 'input_audio_buffer.append', audio: expect.stringMatching(/^<\d+ bytes>$/) as string },
    },
    { connection: 1, event: { type: 'response.cancel' } },
  ]);
});

it('closes half-way: a client that goes and a server that stops leave nothing behind', async () => {
  const server = await startServer({ paceMs: 60_000 });
  const gone = await openClient(server.url, 'openai');
  gone.send({ type: 'response.create' });
  await gone.next('response.created');
  gone.socket.terminate();
  const stays = await openClient(server.url, 'openai');
  stays.send({ type: 'response.create' });
  await stays.next('response.created');
  await server.close();
  expect(await stays.closed).toBe(1006);
});

describe('readRealtimeScript', () => {
  it('takes a whole script', () => {
    const script = {
      turns: [{ heard: 'a', say: 'b', calls: [{ name: 'c', arguments: '{' }], then: 'd', fault: 'garbage' }],
      atEnd: 'silent',
    };
    expect(readRealtimeScript(script)).toEqual(script);
  });

  it('names the field that is wrong', () => {
    expect(checkRealtimeScript([])[0]?.path).toBe('');
    expect(checkRealtimeScript({ turns: [] })[0]?.path).toBe('turns');
    expect(checkRealtimeScript({ turns: [{}, { fault: 'boredom' }] })[0]?.path).toBe('turns[1].fault');
    expect(checkRealtimeScript({ turns: [{ calls: [{ name: 1 }] }] })[0]?.path).toBe('turns[0].calls[0].name');
    expect(() => readRealtimeScript({ turns: [{ sya: 'x' }] })).toThrow(/sya/);
  });
});
