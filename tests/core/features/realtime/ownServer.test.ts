/** A realtime model of the user's own: a server that speaks a built-in dialect with named differences. */
import { expect, onTestFinished, test } from 'vitest';

import { startRealtimeSocket, type RealtimePeer } from '../../../fakes/realtimeSocket.ts';
import { dataFolder } from '../../workbench/openWorkbench.ts';
import { openRealtime, toneBase64, updatesOnce, wholeConversation } from './support.ts';

const key = 'own-key-0123456789';
const differences = {
  headers: { Authorization: null, 'api-key': '{key}', 'X-Team': 'voice' },
  omit: ['tool_choice', 'input_audio_transcription', 'turn_detection.threshold'],
  tools: 'nested',
  inputSampleRate: 16_000,
  outputSampleRate: 48_000,
  events: {
    'response.create': 'response.start',
    'response.audio.delta': 'voice.delta',
    'session.updated': 'session.set',
  },
};

/** Greets, and answers the settings: those of the connection, then those with tools. Returns both. */
async function greet(peer: RealtimePeer, answer = 'session.updated') {
  peer.send({ type: 'session.created', session: {} });
  const settle = async (): Promise<Record<string, unknown>> => {
    const session = (await peer.next('session.update'))['session'] as Record<string, unknown>;
    peer.send({ type: answer, session });
    return session;
  };
  return { first: await settle(), second: await settle() };
}

async function open() {
  const socket = await startRealtimeSocket();
  onTestFinished(() => socket.close());
  const dataDir = dataFolder();
  const workbench = await openRealtime(undefined, { dataDir });
  const { realtime } = workbench.services;
  const profile = {
    kind: 'server' as const,
    label: 'Own',
    dialect: 'openai-beta' as const,
    url: socket.url,
    model: 'm',
  };
  return { socket, dataDir, workbench, realtime, profile };
}

test('a conversation with such a server: headers, settings, names of events, rates and a call', async () => {
  const { socket, dataDir, workbench, realtime, profile } = await open();
  const session = {
    turnDetection: { type: 'server_vad' as const, threshold: 0.4, silenceMs: 300 },
    extra: { beta: { a: 1 } },
  };
  const { id: profileId } = await realtime.saveProfile({ ...profile, session, differences });
  await realtime.setKey({ id: profileId, key });
  const opening = realtime.open({ profileId });
  const peer = await socket.nextPeer();
  expect(peer.headers).toMatchObject({ 'api-key': key, 'x-team': 'voice', 'openai-beta': 'realtime=v1' });
  expect(peer.headers).not.toHaveProperty('authorization');
  const { first, second } = await greet(peer, 'session.set');
  expect(first).toMatchObject({
    input_audio_format: 'pcm16',
    beta: { a: 1 },
    turn_detection: { type: 'server_vad', silence_duration_ms: 300 },
  });
  expect(second).not.toHaveProperty('tool_choice');
  expect(first).not.toHaveProperty('input_audio_transcription');
  expect(first['turn_detection']).not.toHaveProperty('threshold');
  expect(second['tools']).toContainEqual({
    type: 'function',
    function: expect.objectContaining({ name: 'clock_get_time' }) as object,
  });
  const { sessionId: id } = await opening;
  expect((await realtime.sessions())[0]).toMatchObject({
    inputSampleRate: 16_000,
    outputSampleRate: 48_000,
    droppedTools: [],
  });

  await realtime.sendAudio({ id, pcm: toneBase64(48_000), sampleRate: 48_000 });
  const sound = await peer.next('input_audio_buffer.append');
  expect(Buffer.from(String(sound['audio']), 'base64').length).toBeGreaterThan(0);
  await realtime.sendText({ id, text: 'What time is it?' });
  await peer.next('response.start');
  peer.send(
    { type: 'response.created', response: { id: 'r1' } },
    { type: 'voice.delta', response_id: 'r1', delta: toneBase64(48_000) },
    {
      type: 'response.output_item.done',
      response_id: 'r1',
      item: { type: 'function_call', status: 'completed', call_id: 'c1', name: 'clock_get_time', arguments: '{}' },
    },
    { type: 'response.done', response: { id: 'r1', status: 'completed', output: [] } },
  );
  await peer.next('response.start');
  const { timeline, events } = await updatesOnce(workbench, id, ({ session: { counts } }) => counts.calls === 1);
  expect(timeline.find(({ lane }) => lane === 'bot-audio')?.label).toBe('1.0 s');
  expect(timeline.find(({ lane }) => lane === 'tool')).toMatchObject({ call: { toolName: 'clock_get_time' } });
  const voice = events.find(({ type }) => type === 'voice.delta')!;
  expect(voice.failed).toBeUndefined();
  expect(
    (await workbench.services.frames.frame({ source: 'realtime', connection: id, seq: voice.seq })).text,
  ).toContain('"delta":"<96000 bytes>"');
  expect(JSON.stringify(await wholeConversation(workbench, { id }))).not.toContain(key);
  await workbench.close();

  const again = await openRealtime(undefined, { dataDir });
  const { profiles } = await again.services.realtime.profiles();
  expect(profiles.find((each) => each.id === profileId)).toMatchObject({ differences });
});

test('the nested form of OpenAI names the rates', async () => {
  const { socket, realtime, profile } = await open();
  const { id: profileId } = await realtime.saveProfile({
    ...profile,
    dialect: 'openai',
    differences: { inputSampleRate: 16_000, omit: ['audio.input.transcription'] },
  });
  const opening = realtime.open({ profileId });
  const { first } = await greet(await socket.nextPeer());
  expect(first).toMatchObject({
    audio: { input: { format: { rate: 16_000 } }, output: { format: { rate: 24_000 } } },
  });
  expect(JSON.stringify(first)).not.toContain('transcription');
  await opening;
});

test('without a key no header has one', async () => {
  const { socket, realtime, profile } = await open();
  const headers = { 'api-key': '{key}', 'X-Auth': 'Token {key}', 'OpenAI-Beta': '{key}', 'X-Team': 'voice' };
  const { id: profileId } = await realtime.saveProfile({ ...profile, differences: { headers } });
  const opening = realtime.open({ profileId });
  const peer = await socket.nextPeer();
  expect(peer.headers).toMatchObject({ 'x-team': 'voice' });
  for (const name of ['authorization', 'api-key', 'x-auth', 'openai-beta'])
    expect(peer.headers).not.toHaveProperty(name);
  await greet(peer);
  await opening;
});

test('a key with $ is sent as it is, and masked in what the server repeats', async () => {
  const { socket, workbench, realtime, profile } = await open();
  const dollarKey = "ab$$cd$&ef$'gh$`ij$1";
  const headers = { 'api-key': '{key}', 'X-Twice': '{key} {key}' };
  const { id: profileId } = await realtime.saveProfile({ ...profile, differences: { headers } });
  await realtime.setKey({ id: profileId, key: dollarKey });
  const opening = realtime.open({ profileId });
  const peer = await socket.nextPeer();
  expect(peer.headers).toMatchObject({ 'api-key': dollarKey, 'x-twice': `${dollarKey} ${dollarKey}` });
  await greet(peer);
  const { sessionId: id } = await opening;
  const message = `Slow down, ${String(peer.headers['api-key'])}.`;
  peer.send({ type: 'error', error: { code: 'slow_down', message } });
  const { events } = await updatesOnce(workbench, id, (update) => update.events.some(({ type }) => type === 'error'));
  const { seq } = events.find(({ type }) => type === 'error')!;
  expect((await workbench.services.frames.frame({ source: 'realtime', connection: id, seq })).text).toContain(
    'Slow down, •••.',
  );
});

test.each([
  [{ header: {} }, 'differences', '"differences" has an unknown field "header".'],
  [
    { headers: { Host: 'x' } },
    'differences.headers.Host',
    '"differences.headers.Host" must be a header that the WebSocket does not set itself.',
  ],
  [
    { headers: { 'api key': 'x' } },
    'differences.headers.api key',
    '"differences.headers.api key" must be the name of a header.',
  ],
  [
    { headers: { 'api-key': 'a\nb' } },
    'differences.headers.api-key',
    'must be at most 4096 printable ASCII characters, or null.',
  ],
  [{ omit: ['audio..input'] }, 'differences.omit.0', '"differences.omit.0" must be the path of a field of the session'],
  [{ tools: 'deep' }, 'differences.tools', '"differences.tools" must be one of "flat", "nested".'],
  [
    { inputSampleRate: 44_100 },
    'differences.inputSampleRate',
    '"differences.inputSampleRate" must be one of 8000, 12000, 16000, 24000, 48000.',
  ],
  [
    { events: { 'respose.create': 'x' } },
    'differences.events.respose.create',
    'must be an event of the dialect, such as "response.cancel"',
  ],
  [
    { events: { 'response.create': 'a', 'response.cancel': 'a' } },
    'differences.events',
    '"differences.events" must have a server name once only.',
  ],
  [
    { events: { 'response.create': 'two words' } },
    'differences.events.response.create',
    'must be a name of letters, digits',
  ],
  ['text', 'differences', '"differences" must be an object.'],
])('%j is refused by its field', async (wrong, field, words) => {
  const { realtime, profile } = await open();
  const saving = realtime.saveProfile({ ...profile, differences: wrong });
  await expect(saving).rejects.toMatchObject({ field, message: expect.stringContaining(words) as string });
  expect((await realtime.profiles()).profiles).toHaveLength(1);
});
