import { expect, test } from 'vitest';
import type { RealtimePeer, WireObject } from '../../fakes/realtimeSocket.ts';
import { callResponse, connectedBed, weatherTool } from './beds.ts';

/** What went to the model since the settings, in short. */
function sent(peer: RealtimePeer): string[] {
  return peer.received
    .filter(({ type }) => type !== 'session.update')
    .map(({ type, item }) => {
      const { type: kind, call_id: callId = '' } = (item ?? {}) as { type?: string; call_id?: string };
      return kind === undefined ? type : `${kind} ${callId}`.trim();
    });
}

function outputOf({ item }: WireObject): unknown {
  return JSON.parse((item as { output: string }).output);
}

test('a call is run once its item is done, and its output and one request for an answer go back', async () => {
  const { provider, heard, peer } = await connectedBed();
  const updated = provider.updateSession({ instructions: 'Be brief.', tools: [weatherTool] });
  const update = await peer.next('session.update');
  peer.send({ type: 'session.updated', session: update.session });
  expect(await updated).toEqual({ tools: ['get_weather'], droppedTools: [] });

  peer.send(...callResponse('resp_1', [{ id: 'call_1' }]));
  const [call] = await heard.until('tool.call');
  expect(call).toMatchObject({ callId: 'call_1', toolName: 'get_weather', arguments: { city: 'Oslo' } });
  expect(String(call)).toBe('ToolCallChunk(get_weather, id=call_1)');
  await provider.sendToolOutput('call_1', '{"sky":"grey"}');
  const item = await peer.next('conversation.item.create');
  expect(item.item).toEqual({ type: 'function_call_output', call_id: 'call_1', output: '{"sky":"grey"}' });
  await peer.next('response.create');
  expect(sent(peer)).toEqual(['function_call_output call_1', 'response.create']);
});

test('a call has its arguments as values, and as text with every digit', async () => {
  const { heard, peer } = await connectedBed();
  peer.send(...callResponse('resp_1', [{ id: 'call_1', args: '{ "id": 9007199254740993, "x": 1.0 }' }]));
  expect((await heard.until('tool.call'))[0]).toMatchObject({
    arguments: { id: Number('9007199254740993'), x: 1 },
    argumentsJson: '{"id":9007199254740993,"x":1.0}',
  });
});

test('parallel calls get their outputs in any order and the model goes on once, after its response is done', async () => {
  const { provider, heard, peer } = await connectedBed();
  const [created, first, second, done] = callResponse('resp_1', [{ id: 'a' }, { id: 'b' }]) as [
    WireObject,
    WireObject,
    WireObject,
    WireObject,
  ];
  peer.send(created, first, second);
  await heard.until('tool.call', 2);
  await provider.sendToolOutput('b', '2');
  await provider.sendToolOutput('a', '1');
  await peer.next('conversation.item.create');
  await peer.next('conversation.item.create');
  await peer.settled();
  expect(sent(peer)).toEqual(['function_call_output b', 'function_call_output a']);
  peer.send(done);
  await peer.next('response.create');
  await peer.settled();
  expect(sent(peer)).toHaveLength(3);
});

test('an output that comes before all others have waits with the request for an answer', async () => {
  const { provider, heard, peer } = await connectedBed();
  peer.send(...callResponse('resp_1', [{ id: 'a' }, { id: 'b' }]));
  await heard.until('event.response.end');
  await provider.sendToolOutput('a', '1');
  await peer.settled();
  expect(sent(peer)).toEqual(['function_call_output a']);
  await provider.sendToolOutput('b', '2');
  await peer.next('response.create');
});

test('a tool that ends before the next call of its response has come asks for nothing', async () => {
  const { provider, heard, peer } = await connectedBed();
  const events = callResponse('resp_1', [{ id: 'a' }, { id: 'b' }]);
  peer.send(...events.slice(0, 2));
  await heard.until('tool.call');
  await provider.sendToolOutput('a', '1');
  peer.send(...events.slice(2));
  await heard.until('event.response.end');
  await peer.settled();
  expect(sent(peer)).toEqual(['function_call_output a']);
  await provider.sendToolOutput('b', '2');
  await peer.next('response.create');
});

test('a call that is told twice runs once, and one that was cut short never', async () => {
  const { heard, peer } = await connectedBed();
  const events = callResponse('resp_1', [{ id: 'a' }]);
  peer.send(...events.slice(0, 2), ...events.slice(1));
  peer.send({
    type: 'response.function_call_arguments.done',
    response_id: 'resp_2',
    call_id: 'b',
    name: 'get_weather',
    arguments: '{"city":"Rome"}',
  });
  peer.send(...callResponse('resp_2', [{ id: 'b', status: 'incomplete' }], { status: 'cancelled' }));
  await heard.until('event.response.end', 2);
  expect(heard.of('tool.call').map(({ callId }) => callId)).toEqual(['a']);
});

test('a call that only the end of its response tells of is run, too', async () => {
  const { provider, heard, peer } = await connectedBed();
  const [, done] = callResponse('resp_1', [{ id: 'a' }]);
  const item = { ...(done?.['item'] as Record<string, unknown>), status: undefined };
  peer.send(
    { type: 'response.created', response: { id: 'resp_1' } },
    { type: 'response.done', response: { id: 'resp_1', status: 'completed', output: [item] } },
  );
  await heard.until('tool.call');
  await provider.sendToolOutput('a', 'ok');
  await peer.next('response.create');
});

test.for([
  ['{"city":', 'not valid JSON'],
  ['[1]', 'an array'],
  [`{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, 'nested more than'],
  [`{"a":"${'x'.repeat(300_000)}"}`, 'more than 262144 characters'],
])('arguments that cannot be used are told to the model: %#', async ([args = '', words = '']) => {
  const { heard, peer } = await connectedBed();
  peer.send(...callResponse('resp_1', [{ id: 'a', args }]));
  const answer = await peer.next('conversation.item.create');
  expect(outputOf(answer)).toEqual({ is_error: true, output: expect.stringContaining(words) as string });
  await peer.next('response.create');
  expect(heard.of('tool.call')).toEqual([]);
  expect(heard.of('event.error')[0]?.detail).toContain('The call of get_weather was not run.');
});

test('keys of arguments are data, __proto__ too', async () => {
  const { heard, peer } = await connectedBed();
  peer.send(...callResponse('resp_1', [{ id: 'a', args: '{"__proto__":{"polluted":1},"city":"Oslo"}' }]));
  const [call] = await heard.until('tool.call');
  expect(Object.keys(call?.arguments ?? {})).toEqual(['__proto__', 'city']);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('a response that is at it when an answer is asked for is waited for', async () => {
  const { provider, heard, peer } = await connectedBed();
  peer.send(...callResponse('resp_1', [{ id: 'a' }]));
  await heard.until('event.response.end');
  await provider.sendToolOutput('a', 'ok');
  const create = await peer.next('response.create');
  peer.send({
    type: 'error',
    error: {
      type: 'invalid_request_error',
      code: 'conversation_already_has_active_response',
      message: 'busy',
      event_id: create['event_id'],
    },
  });
  peer.send({ type: 'response.created', response: { id: 'resp_2' } });
  await heard.until('event.response.start', 2);
  await peer.settled();
  expect(peer.received.filter(({ type }) => type === 'response.create')).toHaveLength(1);
  peer.send({ type: 'response.done', response: { id: 'resp_2', status: 'completed' } });
  await peer.next('response.create');
  expect(heard.of('event.error')).toEqual([]);
});

const busy = (create: WireObject): WireObject => ({
  type: 'error',
  error: { code: 'conversation_already_has_active_response', message: 'busy', event_id: create['event_id'] },
});

test('a request that was refused as busy after an interruption is not repeated, and the next voice is heard', async () => {
  const { provider, heard, peer } = await connectedBed();
  await provider.sendText('Tell me a story.');
  const create = await peer.next('response.create');
  await provider.interrupt();
  await peer.next('response.cancel');
  // The end of speech had asked for another one just before; the server tells of it too late.
  peer.send(busy(create), { type: 'response.done', response: { id: 'resp_1', status: 'cancelled' } });
  peer.send(
    { type: 'response.created', response: { id: 'resp_2' } },
    { type: 'response.audio.delta', response_id: 'resp_2', delta: 'AAAA' },
    { type: 'response.done', response: { id: 'resp_2', status: 'completed' } },
  );
  await heard.until('event.response.end', 2);
  await peer.settled();
  expect(peer.received.filter(({ type }) => type === 'response.create')).toHaveLength(1);
  expect(heard.of('audio.raw')).toHaveLength(1);
});

test('an interrupted request is not made again on a new connection', async () => {
  const { server, provider, heard, clock, peer } = await connectedBed();
  await provider.sendText('Tell me a story.');
  await peer.next('response.create');
  await provider.interrupt();
  peer.drop();
  await heard.until('event.realtime.disconnected');
  clock.pass(500);
  const again = await server.nextPeer();
  await again.greet();
  await again.next('conversation.item.create');
  await again.settled();
  expect(again.received.some(({ type }) => type === 'response.create')).toBe(false);
});

test('a request that a server says nothing to is made again after 10 s, where somebody waits for it', async () => {
  const { provider, clock, peer } = await connectedBed();
  await provider.sendText('One');
  await peer.next('response.create');
  await provider.sendText('Two');
  await peer.settled();
  clock.pass(9_999);
  await peer.settled();
  expect(peer.received.filter(({ type }) => type === 'response.create')).toHaveLength(1);
  clock.pass(1);
  // Busy with what nobody ever hears of: the same.
  const again = await peer.next('response.create');
  peer.send(busy(again));
  await peer.settled();
  clock.pass(10_000);
  await peer.next('response.create');
  await provider.disconnect();
  expect(clock.waiting).toBe(0);
});

test('speech while a tool runs changes nothing for the tool; a cancelled response gets the output and no answer', async () => {
  const { provider, heard, peer } = await connectedBed();
  const [created, item] = callResponse('resp_1', [{ id: 'a' }]) as [WireObject, WireObject];
  peer.send(created, item, { type: 'input_audio_buffer.speech_started', item_id: 'u1', audio_start_ms: 0 });
  peer.send({
    type: 'response.done',
    response: { id: 'resp_1', status: 'cancelled', status_details: { type: 'cancelled', reason: 'turn_detected' } },
  });
  const [end] = await heard.until('event.response.end');
  expect(end?.detail).toBe('cancelled: turn_detected');
  await provider.sendToolOutput('a', 'late');
  await peer.next('conversation.item.create');
  await peer.settled();
  expect(sent(peer)).toEqual(['function_call_output a']);
});

test('an output for a call that is not waited for is refused', async () => {
  const { provider, heard, peer } = await connectedBed();
  await expect(provider.sendToolOutput('nobody', '1')).rejects.toThrow('No call nobody waits for an output');
  peer.send(...callResponse('resp_1', [{ id: 'a' }]));
  await heard.until('tool.call');
  await provider.sendToolOutput('a', '1');
  await expect(provider.sendToolOutput('a', '2')).rejects.toThrow('waits for an output');
});

test('more calls than can run are answered at once, and an output that is too long is cut', async () => {
  const { provider, heard, peer } = await connectedBed();
  peer.send(
    ...callResponse(
      'resp_1',
      Array.from({ length: 65 }, (_, i) => ({ id: `c${i}` })),
    ),
  );
  const refusal = await peer.next('conversation.item.create');
  expect(refusal.item).toMatchObject({ call_id: 'c64' });
  expect(outputOf(refusal)).toMatchObject({ is_error: true });
  expect(heard.of('tool.call')).toHaveLength(64);
  await provider.sendToolOutput('c0', 'x'.repeat(300_000));
  const long = await peer.next('conversation.item.create');
  expect((long.item as { output: string }).output).toMatch(/^x{200000}\n\[cut: 200000 of 300000 characters\]$/);
});

test('an error of a tool is JSON that says so', async () => {
  const { provider, heard, peer } = await connectedBed();
  peer.send(...callResponse('resp_1', [{ id: 'a' }]));
  await heard.until('tool.call');
  await provider.sendToolOutput('a', 'The device is gone.', { isError: true });
  expect(outputOf(await peer.next('conversation.item.create'))).toEqual({
    is_error: true,
    output: 'The device is gone.',
  });
});

test('only the first 256 items of a finished response are read', async () => {
  const { heard, peer } = await connectedBed();
  const respond = (id: string, messages: number): void => {
    const call = { id: `item_${id}`, type: 'function_call', call_id: id, name: 'get_weather', arguments: '{}' };
    const text = (_: unknown, at: number) => ({
      id: `text_${id}_${at}`,
      type: 'message',
      role: 'assistant',
      content: [],
    });
    const output = [...Array.from({ length: messages }, text), call];
    peer.send({ type: 'response.created', response: { id: `resp_${id}` } });
    peer.send({ type: 'response.done', response: { id: `resp_${id}`, status: 'completed', output } });
  };
  respond('beyond', 256);
  respond('within', 255);
  expect(await heard.until('tool.call')).toMatchObject([{ callId: 'within' }]);
});
