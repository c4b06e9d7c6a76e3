/** A connection that is lost and made again: what the new session is told, and when it is given up. */
import { expect, test } from 'vitest';
import { callResponse, connectedBed, weatherTool } from './beds.ts';

test('a socket lost in the middle of a call: the new session is told everything, and the output reaches it', async () => {
  const { server, provider, heard, clock, peer } = await connectedBed();
  const updated = provider.updateSession({ instructions: 'Be brief.', tools: [weatherTool], voice: 'marin' });
  peer.send({ type: 'session.updated', session: (await peer.next('session.update')).session });
  await updated;
  peer.send(
    { type: 'conversation.item.input_audio_transcription.completed', transcript: 'Weather in Oslo?' },
    { type: 'response.created', response: { id: 'r1' } },
    { type: 'response.output_audio_transcript.delta', response_id: 'r1', item_id: 'i', delta: 'One moment.' },
    ...callResponse('r1', [{ id: 'a' }]).slice(1),
  );
  await heard.until('event.response.end');
  peer.drop();
  const [lost] = await heard.until('event.realtime.disconnected');
  expect(lost?.detail).toMatch(/Connecting again\.$/);
  expect(provider.state).toBe('waiting');
  // The tool ends while nobody is there, and the person speaks.
  await provider.sendToolOutput('a', 'grey');
  await provider.sendAudio(new Uint8Array([1, 2]));
  await expect(provider.sendText('Hello?')).rejects.toThrow('is reconnecting');
  clock.pass(500);

  const again = await server.nextPeer();
  const update = await again.greet();
  expect(update.session).toMatchObject({
    type: 'realtime',
    instructions: 'Be brief.',
    audio: { input: { format: { rate: 24_000 } }, output: { voice: 'marin' } },
    tools: [{ name: 'get_weather' }],
  });
  await again.next('response.create');
  expect(again.received.slice(1, 6).map(({ item, type }) => item ?? type)).toEqual([
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Weather in Oslo?' }] },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'One moment.' }] },
    { type: 'function_call', call_id: 'a', name: 'get_weather', arguments: '{"city":"Oslo"}' },
    { type: 'function_call_output', call_id: 'a', output: 'grey' },
    'response.create',
  ]);
  expect((await again.next('input_audio_buffer.append'))['audio']).toBe('AQI=');
  expect(provider.state).toBe('connected');
});

test('a tool that still runs when the connection is back answers in the new session', async () => {
  const { server, provider, heard, clock, peer } = await connectedBed();
  peer.send(...callResponse('r1', [{ id: 'a' }]).slice(0, 2));
  await heard.until('tool.call');
  peer.drop();
  expect((await heard.until('event.response.end'))[0]?.detail).toBe('The connection was lost.');
  await heard.until('event.realtime.disconnected');
  clock.pass(500);
  const again = await server.nextPeer();
  await again.greet();
  expect((await again.next('conversation.item.create')).item).toMatchObject({ type: 'function_call', call_id: 'a' });
  await again.settled();
  expect(again.received.some(({ type }) => type === 'response.create')).toBe(false);
  await provider.sendToolOutput('a', 'late');
  expect((await again.next('conversation.item.create')).item).toMatchObject({ output: 'late' });
  await again.next('response.create');
});

test('an output that was sent is told again until a response has ended that began with it', async () => {
  const { server, provider, heard, clock, peer } = await connectedBed();
  peer.send(...callResponse('r1', [{ id: 'a' }]));
  await heard.until('event.response.end');
  await provider.sendToolOutput('a', 'grey');
  await peer.next('response.create');
  peer.send({ type: 'conversation.item.added', item: { type: 'function_call_output', call_id: 'a', output: 'grey' } });
  peer.send({ type: 'response.created', response: { id: 'r2' } });
  await heard.until('event.response.start', 2);
  peer.drop();
  await heard.until('event.realtime.disconnected');
  clock.pass(500);
  const again = await server.nextPeer();
  await again.greet();
  await again.next('response.create');
  expect(again.received.slice(1, 3).map(({ item }) => (item as { type: string }).type)).toEqual([
    'function_call',
    'function_call_output',
  ]);
  again.send(
    { type: 'conversation.item.added', item: { type: 'function_call_output', call_id: 'a' } },
    { type: 'response.created', response: { id: 'r3' } },
    { type: 'response.done', response: { id: 'r3', status: 'completed' } },
  );
  await heard.until('event.response.end', 3);
  again.drop();
  await heard.until('event.realtime.disconnected', 2);
  clock.pass(1_000);
  const third = await server.nextPeer();
  await third.greet();
  await heard.until('event.realtime.session_updated', 3);
  await third.settled();
  expect(third.received.map(({ type }) => type)).toEqual(['session.update']);
});

test.for([
  ['failed', true],
  ['cancelled', false],
] as const)('an output whose answer was %s reaches the next session, too; asked again: %s', async ([status, asks]) => {
  const { server, provider, heard, clock, peer } = await connectedBed();
  peer.send(...callResponse('r1', [{ id: 'a' }]));
  await heard.until('event.response.end');
  await provider.sendToolOutput('a', 'grey');
  await peer.next('response.create');
  peer.send(
    { type: 'conversation.item.added', item: { type: 'function_call_output', call_id: 'a' } },
    { type: 'response.created', response: { id: 'r2' } },
    { type: 'response.done', response: { id: 'r2', status } },
  );
  await heard.until('event.response.end', 2);
  await peer.settled();
  expect(peer.received.filter(({ type }) => type === 'response.create')).toHaveLength(1);
  peer.drop();
  await heard.until('event.realtime.disconnected');
  clock.pass(500);
  const again = await server.nextPeer();
  await again.greet();
  expect((await again.next('conversation.item.create')).item).toMatchObject({ type: 'function_call', call_id: 'a' });
  expect((await again.next('conversation.item.create')).item).toMatchObject({ call_id: 'a', output: 'grey' });
  await again.settled();
  expect(again.received.some(({ type }) => type === 'response.create')).toBe(asks);
});

test('the delays grow, a steady connection ends them, and after the last attempt it is given up', async () => {
  const { server, provider, heard, clock, peer } = await connectedBed();
  clock.pass(9_999);
  peer.drop();
  await heard.until('event.realtime.disconnected');
  clock.pass(499);
  expect(heard.wire.filter(({ type }) => type === 'open')).toHaveLength(1);
  clock.pass(1);
  const second = await server.nextPeer();
  await second.greet();
  await heard.until('event.realtime.session_updated', 2);
  await second.settled();
  await server.close();
  await heard.until('event.realtime.disconnected', 2);
  // Each attempt fails by itself; what follows is due after its delay.
  for (const delay of [1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000, 15_000, 15_000]) {
    const failures = heard.wire.filter(({ type }) => type === 'lost').length;
    expect(provider.state).toBe('waiting');
    clock.pass(delay);
    while (heard.wire.filter(({ type }) => type === 'lost' || type === 'close').length === failures)
      await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
  const events = await heard.until('event.realtime.disconnected', 3);
  expect(events[2]?.detail).toMatch(/no program listens there.* Given up after 10 attempts\.$/);
  expect(provider.state).toBe('closed');
  expect(clock.waiting).toBe(0);
});

test('a key that is refused when the connection is made again ends it', async () => {
  const { server, provider, heard, clock, peer } = await connectedBed();
  peer.drop();
  await heard.until('event.realtime.disconnected');
  clock.pass(500);
  const again = await server.nextPeer();
  again.close(4401, 'expired');
  const events = await heard.until('event.realtime.disconnected', 2);
  expect(events[1]?.detail).toContain('4401: expired');
  expect(provider.state).toBe('closed');
});

test('a server that greets and then says nothing, as one under load, is tried again', async () => {
  const { server, provider, heard, clock, peer } = await connectedBed();
  peer.send(...callResponse('r1', [{ id: 'a' }]));
  await heard.until('event.response.end');
  await provider.sendToolOutput('a', 'grey');
  peer.drop();
  await heard.until('event.realtime.disconnected');
  clock.pass(500);
  const silent = await server.nextPeer();
  silent.send({ type: 'session.created', session: {} });
  await silent.next('session.update');
  clock.pass(10_000);
  await silent.settled();
  clock.pass(5_000);
  await silent.closed;
  expect(provider.state).toBe('waiting');
  clock.pass(1_000);
  const again = await server.nextPeer();
  await again.greet();
  await again.next('conversation.item.create');
  expect((await again.next('conversation.item.create')).item).toMatchObject({ call_id: 'a', output: 'grey' });
});

test('a message whose answer had not begun when the connection broke is answered in the new session', async () => {
  const { server, provider, heard, clock, peer } = await connectedBed();
  await provider.sendText('Hello?');
  await peer.next('response.create');
  peer.drop();
  await heard.until('event.realtime.disconnected');
  clock.pass(500);
  const again = await server.nextPeer();
  await again.greet();
  expect((await again.next('conversation.item.create')).item).toMatchObject({ content: [{ text: 'Hello?' }] });
  await again.next('response.create');
});
