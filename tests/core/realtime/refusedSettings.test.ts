/** First settings that a server refuses are sent again without what it refused. */
import { expect, test } from 'vitest';
import { OpenAIRealtimeProvider } from '../../../src-core/realtime/providers/openAIRealtimeProvider.ts';
import { RealtimeStation } from '../../../src-core/realtime/stations/realtimeStation.ts';
import { findRefused, without } from '../../../src-core/realtime/session/refusedSettings.ts';
import type { JsonObject } from '../../../src-core/base/json.ts';
import { startRealtimeSocket } from '../../fakes/realtimeSocket.ts';
import { atEnd, connectedBed, HandClock, Heard, weatherTool } from './beds.ts';

const session: JsonObject = {
  type: 'realtime',
  instructions: 'Mention the temperature.',
  output_modalities: ['audio'],
  temperature: 0.7,
  audio: {
    input: {
      transcription: { model: 'gpt-transcribe', language: 'de' },
      turn_detection: { type: 'semantic_vad', eagerness: 'high' },
    },
    output: { voice: 'marin', speed: 1.2 },
  },
  tools: [
    { type: 'function', name: 'a' },
    { type: 'function', function: { name: 'b' } },
  ],
};

test.for([
  ['session.audio.input.transcription.model', 'x', ['audio', 'input', 'transcription']],
  ['session.audio.input.transcription.language', 'x', ['audio', 'input', 'transcription', 'language']],
  ['session.audio.input.turn_detection.type', 'x', ['audio', 'input', 'turn_detection']],
  ['session.audio.input.turn_detection.eagerness', 'x', ['audio', 'input', 'turn_detection', 'eagerness']],
  ['session.temperature', 'x', ['temperature']],
  ['session.tools[1].function.parameters', 'x', ['tools', 'b']],
  ['', "Unknown parameter: 'session.audio.output.speed'.", ['audio', 'output', 'speed']],
  ['', 'Model gpt-transcribe is not available.', ['audio', 'input', 'transcription']],
  ['', 'This server has no semantic_vad.', ['audio', 'input', 'turn_detection']],
  ['session.audio.input.nothing', 'The voice marin does not exist.', ['audio', 'output', 'voice']],
] as const)('%s, %s', ([param, message, path]) => {
  expect(findRefused(session, { param, message })).toEqual([path]);
});

test.each([
  'The instructions are too long.',
  'A realtime session cannot be set.',
  'The tools are not supported.',
  'The tool_choice is not supported.',
])('an error takes no type, instructions or tools for what it mentions: %s', (message) => {
  const all = { ...session, tool_choice: 'required' };
  const optional = findRefused(all, { param: '', message: 'Bad.' });
  expect(optional.length).toBeGreaterThan(1);
  expect(findRefused(all, { param: '', message })).toEqual(optional);
});

test('an error that names nothing takes all optional settings; one that names what is essential takes none', () => {
  expect(findRefused({ ...session, include: [] }, { param: '', message: 'Bad.' }, { include: [] })).toEqual(
    [
      ['audio', 'input', 'transcription'],
      ['audio', 'input', 'turn_detection'],
      ['temperature'],
      ['include'],
      ['audio', 'output', 'speed'],
    ].sort((a, b) => order(a) - order(b)),
  );
  expect(findRefused(session, { param: 'session.instructions', message: 'Too long.' })).toEqual([]);
  expect(findRefused(session, { param: 'session.tools', message: 'No tools.' })).toEqual([]);
  // The client ends the user's turns: that must not be left to the server.
  const client = { type: 'realtime', audio: { input: { turn_detection: null } } };
  expect(findRefused(client, { param: '', message: 'Bad.' })).toEqual([]);
});

function order(path: readonly string[]): number {
  const names = ['transcription', 'turn_detection', 'speed', 'temperature', 'include'];
  return names.indexOf(path.at(-1) ?? '');
}

test('settings and tools are taken out, the rest stays', () => {
  expect(
    without(session, [
      ['audio', 'input', 'transcription'],
      ['tools', 'b'],
      ['nothing', 'here'],
    ]),
  ).toEqual({
    ...session,
    audio: {
      input: { turn_detection: { type: 'semantic_vad', eagerness: 'high' } },
      output: { voice: 'marin', speed: 1.2 },
    },
    tools: [{ type: 'function', name: 'a' }],
  });
});

const refusal = (param: string, eventId?: unknown) => ({
  type: 'error',
  error: { code: 'invalid_value', message: 'Not supported.', param, event_id: eventId },
});

test('connecting goes on without a refused setting, says so, and leaves it out after a loss too', async () => {
  const server = await startRealtimeSocket();
  atEnd(() => server.close());
  const clock = new HandClock();
  const provider = new OpenAIRealtimeProvider({ url: server.url, model: 'm', clock, session: { temperature: 0.7 } });
  atEnd(async () => {
    const closed = provider.disconnect();
    clock.pass(60_000);
    await closed;
  });
  const heard = new Heard(provider);
  const connecting = provider.connect();
  const peer = await server.nextPeer();
  peer.send({ type: 'session.created', session: {} });
  const first = await peer.next('session.update');
  expect(first.session).toMatchObject({ temperature: 0.7 });
  peer.send(refusal('session.temperature', first['event_id']));
  const second = await peer.next('session.update');
  expect(second.session).not.toHaveProperty('temperature');
  peer.send(refusal('session.audio.input.transcription.model', second['event_id']));
  const third = await peer.next('session.update');
  expect(third.session).not.toHaveProperty('audio.input.transcription');
  expect(third.session).toHaveProperty('audio.input.turn_detection');
  peer.send({ type: 'session.updated', session: third.session });
  await connecting;
  expect(heard.of('event.error').map(({ detail }) => detail)).toEqual([
    'The server refused temperature. The session is set without it. The server said: invalid_value: Not supported.',
    'The server refused audio.input.transcription. The session is set without it. The server said: invalid_value: Not supported.',
  ]);

  peer.drop();
  await heard.until('event.realtime.disconnected');
  clock.pass(500);
  const again = await server.nextPeer();
  expect((await again.greet()).session).toEqual(third.session);

  // A later change that the server takes is part of the settings again.
  const changed = provider.updateSession({ temperature: 0.5 });
  again.send({ type: 'session.updated', session: (await again.next('session.update')).session });
  await changed;
  again.drop();
  await heard.until('event.realtime.disconnected', 2);
  clock.pass(1_000);
  expect((await (await server.nextPeer()).greet()).session).toMatchObject({ temperature: 0.5 });
});

test('a station opens without a refused tool or voice; a later change that is refused rejects', async () => {
  const { provider, heard, peer } = await connectedBed();
  const station = new RealtimeStation({ provider });
  const errors: (string | undefined)[] = [];
  station.onChunk((chunk) => {
    if (chunk.type === 'event.error') errors.push(chunk.detail);
  });
  const opened = station.open({ voice: 'nobody', tools: [weatherTool, { ...weatherTool, name: 'get time' }] });
  const first = await peer.next('session.update');
  peer.send(refusal('session.audio.output.voice', first['event_id']));
  const second = await peer.next('session.update');
  peer.send(refusal('session.tools[1].name', second['event_id']));
  const third = await peer.next('session.update');
  expect(third.session).toMatchObject({ tools: [{ name: 'get_weather' }] });
  expect(third.session).not.toHaveProperty('audio.output.voice');
  peer.send({ type: 'session.updated', session: third.session });
  expect(await opened).toEqual({ tools: ['get_weather'], droppedTools: ['get time'] });
  expect(errors).toEqual([
    expect.stringContaining('refused audio.output.voice'),
    expect.stringMatching(/refused tools\.get_time/),
  ]);
  const changed = station.update({ voice: 'nobody' });
  peer.send(refusal('session.audio.output.voice', (await peer.next('session.update'))['event_id']));
  await expect(changed).rejects.toThrow('The server refused the session: invalid_value: Not supported.');
  expect(heard.of('event.error')).toEqual([]);
});

test('what cannot be left out ends it with the words of the server', async () => {
  const server = await startRealtimeSocket();
  atEnd(() => server.close());
  const clock = new HandClock();
  const provider = new OpenAIRealtimeProvider({ url: server.url, model: 'm', clock });
  const connecting = provider.connect();
  const failed = expect(connecting).rejects.toThrow('invalid_value: Not supported.');
  const peer = await server.nextPeer();
  peer.send({ type: 'session.created', session: {} });
  for (let count = 0; count < 10; count += 1) {
    const update = await Promise.race([peer.next('session.update'), peer.closed]);
    if (typeof update === 'number') break;
    peer.send(refusal('', update['event_id']));
  }
  await failed;
  // All optional settings were left out at once; what remained was refused for good.
  expect(peer.received).toHaveLength(2);
});
