import { expect, test } from 'vitest';
import { OpenAIRealtimeProvider } from '../../../src-core/realtime/providers/openAIRealtimeProvider.ts';
import { QwenOmniRealtimeProvider } from '../../../src-core/realtime/providers/qwenOmniRealtimeProvider.ts';
import { connectedBed, weatherTool } from './beds.ts';

test('OpenAI gets nested settings, and no beta header', async () => {
  const { provider, peer } = await connectedBed();
  expect(peer.url).toBe('/v1/realtime?model=test-model');
  expect(peer.headers).toMatchObject({ authorization: 'Bearer sk-test-0123456789' });
  expect(peer.headers['openai-beta']).toBeUndefined();
  expect(peer.headers['sec-websocket-extensions']).toBeUndefined();
  expect(peer.received[0]).toMatchObject({
    session: {
      type: 'realtime',
      output_modalities: ['audio'],
      audio: {
        input: { format: { type: 'audio/pcm', rate: 24_000 }, turn_detection: { type: 'server_vad' } },
        output: { format: { type: 'audio/pcm', rate: 24_000 } },
      },
    },
  });
  void provider.updateSession({ voice: 'marin', tools: [weatherTool] }).catch(() => {});
  expect((await peer.next('session.update')).session).toEqual({
    type: 'realtime',
    audio: { output: { voice: 'marin' } },
    tools: [{ type: 'function', ...weatherTool }],
    tool_choice: 'auto',
  });
});

test('the beta gets flat settings and its header; Qwen nested tools and no search beside them', async () => {
  const beta = await connectedBed((options) => new OpenAIRealtimeProvider({ ...options, dialect: 'beta' }));
  expect(beta.peer.headers['openai-beta']).toBe('realtime=v1');
  expect(beta.peer.received[0]?.session).toMatchObject({ modalities: ['text', 'audio'], input_audio_format: 'pcm16' });
  expect([beta.provider.inputSampleRate, beta.provider.outputSampleRate]).toEqual([24_000, 24_000]);

  const qwen = await connectedBed((options) => new QwenOmniRealtimeProvider({ ...options, voice: 'Cherry' }));
  expect(qwen.peer.received[0]?.session).toMatchObject({ modalities: ['text', 'audio'], voice: 'Cherry' });
  expect([qwen.provider.inputSampleRate, qwen.provider.outputSampleRate]).toEqual([16_000, 24_000]);
  void qwen.provider.updateSession({ tools: [weatherTool] }).catch(() => {});
  expect((await qwen.peer.next('session.update')).session).toEqual({
    enable_search: false,
    tools: [{ type: 'function', function: weatherTool }],
  });
});

test('tools that the server drops silently are named', async () => {
  const { provider, heard, peer } = await connectedBed();
  const updated = provider.updateSession({ tools: [weatherTool, { ...weatherTool, name: 'get_time' }] });
  await peer.next('session.update');
  peer.send({ type: 'session.updated', session: { tools: [{ type: 'function', function: { name: 'get_time' } }] } });
  expect(await updated).toEqual({ tools: ['get_time'], droppedTools: ['get_weather'] });
  const [warning] = await heard.until('event.error');
  expect(warning?.detail).toContain('silently dropped 1 tools: get_weather');
});

test('changes wait for one another, and an error goes to the one that caused it', async () => {
  const { provider, heard, peer } = await connectedBed();
  const first = provider.updateSession({ voice: 'nobody' });
  const second = provider.updateSession({ instructions: 'Be brief.' });
  const update = await peer.next('session.update');
  await peer.settled();
  expect(peer.received.filter(({ type }) => type === 'session.update')).toHaveLength(2);
  peer.send({
    type: 'error',
    error: {
      type: 'invalid_request_error',
      code: 'invalid_value',
      message: 'No such voice.',
      event_id: update['event_id'],
    },
  });
  await expect(first).rejects.toThrow('The server refused the session: invalid_value: No such voice.');
  const next = await peer.next('session.update');
  peer.send({ type: 'session.updated', session: next.session });
  expect(await second).toEqual({ tools: [], droppedTools: [] });
  expect(heard.of('event.error')).toEqual([]);
});

test('a change that Qwen refuses by its field alone, one without an answer, and one whose connection breaks reject', async () => {
  const { provider, clock, peer } = await connectedBed();
  const refused = provider.updateSession({ voice: 'nobody' });
  await peer.next('session.update');
  peer.send({ type: 'error', error: { code: 'invalid_value', message: 'Bad voice.', param: 'session.voice' } });
  await expect(refused).rejects.toThrow('Bad voice.');

  const silent = provider.updateSession({ voice: 'a' });
  await peer.next('session.update');
  clock.pass(10_000);
  await expect(silent).rejects.toThrow('has not answered session.update for 10 s');

  const broken = provider.updateSession({ voice: 'b' });
  await peer.next('session.update');
  peer.close(1011, 'going down');
  await expect(broken).rejects.toThrow('closed the connection (1011: going down)');
});

test.for([
  [{ tools: [{ ...weatherTool, name: 'a.b' }] }, 'tools'],
  [{ tools: [weatherTool, weatherTool] }, 'tools'],
  [{ voice: ' ' }, 'voice'],
  [{ instructions: 'x'.repeat(200_001) }, 'instructions'],
] as const)('a change that no server takes is refused here: %#', async ([update, field]) => {
  const { provider, peer } = await connectedBed();
  await expect(
    provider.updateSession({ ...update, tools: 'tools' in update ? [...update.tools] : undefined }),
  ).rejects.toMatchObject({ field });
  expect(peer.received).toHaveLength(1);
});

test('everything but connecting needs a connection', async () => {
  const provider = new OpenAIRealtimeProvider({ url: 'ws://127.0.0.1:1/', model: 'm' });
  for (const call of [
    provider.updateSession({}),
    provider.sendAudio(new Uint8Array(2)),
    provider.sendText('Hi'),
    provider.sendToolOutput('a', 'b'),
    provider.interrupt(),
  ])
    await expect(call).rejects.toThrow('Connect first');
  await provider.disconnect();
});

test('a change on its way when the connection is closed here rejects, and says that trying again cannot help', async () => {
  const { provider, peer } = await connectedBed();
  const change = provider.updateSession({ voice: 'marin' });
  const rejected = expect(change).rejects.toMatchObject({ message: 'The connection was closed here.', final: true });
  await peer.next('session.update');
  await Promise.all([provider.disconnect(), rejected]);
});
