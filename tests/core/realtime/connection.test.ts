import { expect, test } from 'vitest';
import { OpenAIRealtimeProvider } from '../../../src-core/realtime/providers/openAIRealtimeProvider.ts';
import { createRealtimeProvider } from '../../../src-core/realtime/createRealtimeProvider.ts';
import { describeClose } from '../../../src-core/realtime/connection/describeRefusal.ts';
import { startRealtimeSocket } from '../../fakes/realtimeSocket.ts';
import { atEnd, connectedBed, HandClock, Heard } from './beds.ts';

const key = 'sk-test-0123456789';

test.for([
  [401, 'refused the key (HTTP 401). Check the key', 'key', true],
  [403, 'may not be used here (HTTP 403)', 'key', true],
  [404, 'There is no realtime model at', 'url', true],
  [429, 'Try again later', 'url', false],
] as const)('HTTP %i is told for what it is', async ([status, words, field, final]) => {
  const server = await startRealtimeSocket({ status });
  atEnd(() => server.close());
  const provider = new OpenAIRealtimeProvider({ url: server.url, model: 'm', key, clock: new HandClock() });
  const failure: unknown = await provider.connect().catch((error: unknown) => error);
  expect(failure).toMatchObject({ field, final, message: expect.stringContaining(words) as string });
  expect(JSON.stringify(failure)).not.toContain(key);
  expect(provider.state).toBe('closed');
});

test('a server that is not there is named, and so is an address that is none', async () => {
  const server = await startRealtimeSocket();
  await server.close();
  const provider = new OpenAIRealtimeProvider({ url: server.url, model: 'm' });
  await expect(provider.connect()).rejects.toThrow(/^No connection to 127\.0\.0\.1:\d+: no program listens there\./);
  const profile = { id: 'x', label: 'X', dialect: 'qwen', model: 'm' } as const;
  expect(() => createRealtimeProvider(profile)).toThrow('The address of the realtime server is missing.');
  expect(() => createRealtimeProvider({ ...profile, url: 'https://a.b' })).toThrow('begins with wss:// or ws://');
  expect(() => createRealtimeProvider({ ...profile, url: 'wss://me:secret@a.b' })).toThrow(
    'must not contain a user name',
  );
  expect(() => createRealtimeProvider({ ...profile, model: ' ' }, { url: 'wss://a.b' })).toThrow(
    "model's name is missing",
  );
  expect(createRealtimeProvider(profile, { url: 'wss://a.b' }).inputSampleRate).toBe(16_000);
});

test('connecting can be called off, runs out of time, and tells what the server said before it closed', async () => {
  const server = await startRealtimeSocket();
  atEnd(() => server.close());
  const clock = new HandClock();
  const provider = new OpenAIRealtimeProvider({ url: server.url, model: 'm', key, clock });

  const controller = new AbortController();
  const aborted = provider.connect({ signal: controller.signal });
  const first = await server.nextPeer();
  controller.abort(new Error('Changed my mind.'));
  await expect(aborted).rejects.toThrow('Changed my mind.');
  await first.closed;
  await expect(provider.connect({ signal: controller.signal })).rejects.toThrow('Changed my mind.');

  const late = provider.connect();
  await server.nextPeer();
  clock.pass(15_000);
  await expect(late).rejects.toThrow('has not begun a session for 15 s');

  const refused = provider.connect();
  const third = await server.nextPeer();
  third.send({ type: 'error', error: { code: 'invalid_api_key', message: `Incorrect API key provided: ${key}.` } });
  third.close(3000, 'invalid_request_error.invalid_api_key');
  await expect(refused).rejects.toThrow(
    /Check the key.* The server said: invalid_api_key: Incorrect API key provided: •••\.$/,
  );

  const badSettings = provider.connect();
  const fourth = await server.nextPeer();
  fourth.send({ type: 'session.created', session: {} });
  // The second one is without the optional settings.
  for (let count = 0; count < 2; count += 1) {
    const update = await fourth.next('session.update');
    fourth.send({ type: 'error', error: { code: 'bad_model', message: 'No.', event_id: update['event_id'] } });
  }
  await expect(badSettings).rejects.toThrow('The server refused the session: bad_model: No.');
  expect(clock.waiting).toBe(0);
});

test.each([
  [4000, 'shutting down', 'The documentation of this server explains its code.'],
  [4000, 'invalid api_key', 'Check the key and the rights it has.'],
  [4000, 'invalid_request_error.beta_api_shape_disabled', 'Choose the dialect OpenAI'],
  [3003, '', 'Check the key and the rights it has.'],
])('a close with %i %s says what to do', (code, reason, advice) => {
  const error = describeClose(code, reason, 'host:1');
  expect(error.message).toMatch(/^host:1 closed the connection \(/);
  expect(error.message).toContain(advice);
  expect(error.message.includes('key')).toBe(advice.includes('key') || reason.includes('key'));
  expect(error.final).toBe(true);
});

test('a close with a passing code is not final', () => {
  expect(describeClose(1011, 'busy', 'host:1')).toMatchObject({
    final: false,
    message: 'host:1 closed the connection (1011: busy).',
  });
});

test.for([1008, 3000, 4401])('a close with %i is not followed by another attempt', async (code) => {
  const { heard, provider, clock, peer } = await connectedBed();
  const running = provider.updateSession({ instructions: 'x' });
  await peer.next('session.update');
  peer.close(code, `no ${key}`);
  await expect(running).rejects.toThrow(`(${code}: no •••). Check the key`);
  await heard.until('event.realtime.disconnected');
  expect([provider.state, clock.waiting]).toEqual(['closed', 0]);
  await expect(provider.sendText('Hi')).rejects.toThrow('Connect first');
});

test('a frame of 17 MiB breaks the connection, which is made again', async () => {
  const { heard, provider, peer } = await connectedBed();
  peer.sendRaw(Buffer.alloc(17 * 1024 * 1024, 'x').toString());
  const [event] = await heard.until('event.realtime.disconnected');
  expect(event?.detail).toContain('Max payload size exceeded');
  expect(provider.state).toBe('waiting');
});

test('a connection that does not answer for 40 s is lost, and made again', async () => {
  const { server, heard, provider, clock, peer } = await connectedBed();
  clock.pass(20_000);
  // Any frame is a sign of life.
  peer.send({ type: 'input_audio_buffer.speech_started' });
  await heard.until('event.vad.start');
  clock.pass(20_000);
  expect(provider.state).toBe('connected');
  clock.pass(20_000);
  const [event] = await heard.until('event.realtime.disconnected');
  expect(event?.detail).toContain('has not answered for 40 s');
  expect(provider.state).toBe('waiting');
  clock.pass(500);
  await (await server.nextPeer()).greet();
  expect(await heard.until('event.realtime.session_updated', 2)).toHaveLength(2);
});

test('of the sound that comes while there is no session the last two seconds are kept', async () => {
  const server = await startRealtimeSocket();
  atEnd(() => server.close());
  const provider = new OpenAIRealtimeProvider({ url: server.url, model: 'm', clock: new HandClock() });
  atEnd(() => provider.disconnect());
  const connecting = provider.connect();
  const peer = await server.nextPeer();
  for (let second = 1; second <= 3; second += 1) await provider.sendAudio(new Uint8Array(48_000).fill(second));
  await peer.greet();
  await connecting;
  const kept = [await peer.next('input_audio_buffer.append'), await peer.next('input_audio_buffer.append')];
  expect(kept.map((event) => Buffer.from(String(event['audio']), 'base64')[0])).toEqual([2, 3]);
  await expect(provider.sendAudio(new Uint8Array(3))).rejects.toThrow('whole samples');
});

test('sound waits where the server does not read it, and goes on when it does', async () => {
  const { provider, peer } = await connectedBed();
  const resume = peer.pause();
  let waits: Promise<void> | undefined;
  for (let pieces = 0; waits === undefined && pieces < 400; pieces += 1) {
    const sending = provider.sendAudio(new Uint8Array(192_000));
    const quick = await Promise.race([
      sending.then(() => true),
      new Promise((resolve) => setImmediate(resolve, false)),
    ]);
    if (quick === false) waits = sending;
  }
  expect(waits).toBeDefined();
  resume();
  await waits;
});

test('leaving is no loss: it ends once, from any state', async () => {
  const { provider, heard, clock, peer } = await connectedBed();
  await Promise.all([provider.disconnect(), provider.disconnect()]);
  expect(await peer.closed).toBe(1000);
  expect(heard.of('event.realtime.disconnected').map(({ detail }) => detail)).toEqual([
    'The connection was closed here.',
  ]);
  expect(heard.wire.at(-1)?.type).toBe('close');
  expect([provider.state, clock.waiting]).toEqual(['closed', 0]);

  const other = await connectedBed();
  other.peer.drop();
  await other.heard.until('event.realtime.disconnected');
  await other.provider.disconnect();
  expect(other.clock.waiting).toBe(0);

  const server = await startRealtimeSocket();
  atEnd(() => server.close());
  const third = new OpenAIRealtimeProvider({ url: server.url, model: 'm', clock });
  const thirdHeard = new Heard(third);
  const connecting = third.connect().catch((error: unknown) => error);
  const thirdPeer = await server.nextPeer();
  await third.disconnect();
  expect(await connecting).toMatchObject({ message: 'The connection was closed here.' });
  await thirdPeer.closed;
  expect(thirdHeard.chunks).toEqual([]);
});

test('connecting again does not wait for the end of what was called off', async () => {
  const server = await startRealtimeSocket();
  atEnd(() => server.close());
  const provider = new OpenAIRealtimeProvider({ url: server.url, model: 'm', clock: new HandClock() });
  atEnd(() => provider.disconnect());
  const first = provider.connect().catch((error: unknown) => error);
  await server.nextPeer();
  void provider.disconnect();
  const second = provider.connect();
  const peer = await server.nextPeer();
  await peer.greet();
  await second;
  expect(await first).toMatchObject({ message: 'The connection was closed here.' });
  expect(provider.state).toBe('connected');
});

test('after an end a connection begins a new conversation', async () => {
  const { server, provider, heard, peer } = await connectedBed();
  peer.send({ type: 'conversation.item.input_audio_transcription.completed', transcript: 'Remember me.' });
  await heard.until('text');
  await provider.disconnect();
  const connecting = provider.connect();
  const again = await server.nextPeer();
  await again.greet();
  await connecting;
  await again.settled();
  expect(again.received.map(({ type }) => type)).toEqual(['session.update']);
});

test('whoever hears that the connection is there, or lost, may end it', async () => {
  for (const moment of ['event.realtime.connected', 'event.realtime.disconnected', 'event.response.end']) {
    const { server, provider, heard, clock, peer } = await connectedBed();
    peer.send({ type: 'response.created', response: { id: 'r1' } });
    await heard.until('event.response.start');
    const ended = Promise.withResolvers<undefined>();
    provider.setEventHandler(({ type }) => {
      if (type === moment) void provider.disconnect().then(() => ended.resolve(undefined));
    });
    peer.drop();
    if (moment === 'event.realtime.connected') {
      provider.setWireHandler(({ type }) => {
        // The attempt is set up after the loss was noted.
        if (type === 'lost') setImmediate(() => clock.pass(500));
      });
      const again = await server.nextPeer();
      again.send({ type: 'session.created', session: {} });
    }
    await ended.promise;
    expect([provider.state, clock.waiting]).toEqual(['closed', 0]);
  }
});
