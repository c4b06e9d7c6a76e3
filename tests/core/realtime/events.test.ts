import { expect, test } from 'vitest';
import { connectedBed } from './beds.ts';

const base64 = (...samples: number[]): string => Buffer.from(Int16Array.from(samples).buffer).toString('base64');

test.for([
  ['response.output_audio.delta', 'response.output_audio_transcript.delta', 'response.output_text.delta'],
  ['response.audio.delta', 'response.audio_transcript.delta', 'response.text.delta'],
])('a spoken turn becomes chunks, in the names of %s', async ([audio = '', transcript = '', text = '']) => {
  const { heard, peer } = await connectedBed();
  peer.send(
    { type: 'input_audio_buffer.speech_started' },
    { type: 'input_audio_buffer.speech_stopped' },
    { type: 'conversation.item.input_audio_transcription.completed', item_id: 'u1', transcript: ' Hello there. ' },
    { type: 'response.created', response: { id: 'r1' } },
    { type: transcript, response_id: 'r1', item_id: 'i1', delta: 'Good ' },
    { type: audio, response_id: 'r1', item_id: 'i1', content_index: 0, delta: base64(1, -2) },
    { type: text, response_id: 'r1', item_id: 'i1', delta: 'day.' },
    { type: 'response.done', response: { id: 'r1', status: 'completed', output: [] } },
  );
  await heard.until('event.response.end');
  const after = heard.chunks.slice(heard.chunks.findIndex(({ type }) => type === 'event.vad.start'));
  expect(after.map((chunk) => ({ ...chunk }))).toEqual([
    { type: 'event.vad.start', detail: undefined, responseId: undefined },
    { type: 'event.vad.end', detail: undefined, responseId: undefined },
    { type: 'text', data: 'Hello there.', source: 'user', responseId: undefined },
    { type: 'event.response.start', detail: undefined, responseId: 'r1' },
    { type: 'text.delta', data: 'Good ', source: 'bot', responseId: 'r1' },
    { type: 'audio.raw', data: Buffer.from([1, 0, 254, 255]), sampleRate: 24_000, source: 'bot', responseId: 'r1' },
    { type: 'text.delta', data: 'day.', source: 'bot', responseId: 'r1' },
    { type: 'event.response.end', detail: 'completed', responseId: 'r1' },
  ]);
  expect(heard.chunks.slice(0, 2).map(({ type }) => type)).toEqual([
    'event.realtime.connected',
    'event.realtime.session_updated',
  ]);
});

test('a sample that comes in halves is put together', async () => {
  const { heard, peer } = await connectedBed();
  for (const bytes of [[1, 0, 2], [0, 3], [0]])
    peer.send({
      type: 'response.audio.delta',
      response_id: 'r',
      item_id: 'i',
      content_index: 0,
      delta: Buffer.from(bytes).toString('base64'),
    });
  const pieces = await heard.until('audio.raw', 3);
  expect(pieces.map(({ data }) => [...data])).toEqual([
    [1, 0],
    [2, 0],
    [3, 0],
  ]);
});

test('what is no event is noted and nothing else: garbage, binary, deep nesting, __proto__, wrong types', async () => {
  const { heard, peer } = await connectedBed();
  const deep = 100_000;
  peer.sendRaw('no json');
  peer.sendRaw(Buffer.from([1, 2, 3]));
  peer.sendRaw('[]');
  peer.sendRaw('{"type":7}');
  peer.sendRaw(`{"type":"response.done","response":${'['.repeat(deep)}${']'.repeat(deep)}}`);
  peer.sendRaw('{"type":"response.output_item.done","__proto__":{"item":{"type":"function_call"}},"item":[7]}');
  peer.sendRaw('{"type":"response.audio.delta","delta":{"a":1}}');
  peer.send({ type: 'brand.new.event', hello: 'world' }, { type: 'input_audio_buffer.speech_started' });
  await heard.until('event.vad.start');
  const incoming = heard.wire.filter(({ direction, type }) => direction === 'in' && !/^(open|session)/.test(type));
  expect(incoming.map(({ type, unknown }) => (unknown === true ? `${type} ?` : type))).toEqual([
    'invalid',
    'invalid',
    'invalid',
    'invalid',
    'response.done',
    'response.output_item.done',
    'response.audio.delta',
    'brand.new.event ?',
    'input_audio_buffer.speech_started',
  ]);
  expect(incoming[7]?.text).toBe('{"type":"brand.new.event","hello":"world"}');
  expect(incoming.every(({ text }) => text.length <= 64 * 1024)).toBe(true);
});

test('the wire shows sound by its length, ids, and never the key', async () => {
  const { provider, heard, peer } = await connectedBed();
  await provider.sendAudio(new Uint8Array(4_800));
  peer.send(
    { type: 'response.audio.delta', response_id: 'r', item_id: 'i', delta: base64(1, 2, 3) },
    { type: 'response.text.delta', response_id: 'r', item_id: 'i', delta: 'abcd' },
    { type: 'error', error: { code: 'x', message: 'Incorrect API key provided: sk-test-0123456789.' } },
  );
  const [error] = await heard.until('event.error');
  expect(error?.detail).toBe('x: Incorrect API key provided: •••.');
  const texts = heard.wire.map(({ type, text }) => `${type} ${text}`);
  expect(texts).toContain('input_audio_buffer.append {"type":"input_audio_buffer.append","audio":"<4800 bytes>"}');
  expect(heard.wire.find(({ type }) => type === 'response.audio.delta')).toMatchObject({
    text: '{"type":"response.audio.delta","response_id":"r","item_id":"i","delta":"<6 bytes>"}',
    responseId: 'r',
    itemId: 'i',
  });
  expect(texts.some((text) => text.includes('"delta":"abcd"'))).toBe(true);
  expect(texts.join('\n')).not.toContain('sk-test-0123456789');
});

test('as much sound as a frame takes is noted by its length, and heard', async () => {
  const { heard, peer } = await connectedBed();
  const bytes = 11 * 1024 * 1024;
  const sound = Buffer.alloc(bytes, 255).toString('base64');
  peer.sendRaw(`{"type":"response.audio.delta","response_id":"r","delta":"${sound}"}`);
  peer.sendRaw(`{"type":"rate_limits.updated","audio" : "${sound.replace('//', '\\/\\/')}","audio":"no sound!"}`);
  peer.send({ type: 'input_audio_buffer.speech_started' });
  await heard.until('event.vad.start');
  expect(heard.of('audio.raw')[0]?.data).toHaveLength(bytes);
  expect(heard.wire.slice(-3).map(({ text }) => text)).toEqual([
    `{"type":"response.audio.delta","response_id":"r","delta":"<${bytes} bytes>"}`,
    `{"type":"rate_limits.updated","audio":"<${bytes} bytes>","audio":"no sound!"}`,
    '{"type":"input_audio_buffer.speech_started"}',
  ]);
});

test('interrupting cancels, cuts the voice where it was heard, and mutes what still comes of it', async () => {
  const { provider, heard, peer } = await connectedBed();
  peer.send(
    { type: 'response.created', response: { id: 'r1' } },
    {
      type: 'response.output_audio.delta',
      response_id: 'r1',
      item_id: 'i1',
      content_index: 0,
      delta: Buffer.alloc(48_000).toString('base64'),
    },
  );
  await heard.until('audio.raw');
  await provider.interrupt({ playedMs: 400.4 });
  expect(await peer.next('response.cancel')).toMatchObject({ type: 'response.cancel' });
  expect(await peer.next('conversation.item.truncate')).toMatchObject({
    item_id: 'i1',
    content_index: 0,
    audio_end_ms: 400,
  });
  peer.send(
    { type: 'response.output_audio.delta', response_id: 'r1', item_id: 'i1', content_index: 0, delta: base64(1) },
    { type: 'response.output_audio_transcript.delta', response_id: 'r1', item_id: 'i1', delta: 'late' },
    { type: 'response.done', response: { id: 'r1', status: 'cancelled' } },
  );
  await heard.until('event.response.end');
  expect([heard.of('audio.raw').length, heard.of('text.delta').length]).toEqual([1, 0]);

  // More was not heard than was said; and with nothing at hand there is nothing to cancel.
  peer.send(
    { type: 'response.created', response: { id: 'r2' } },
    {
      type: 'response.output_audio.delta',
      response_id: 'r2',
      item_id: 'i2',
      content_index: 1,
      delta: Buffer.alloc(4_800).toString('base64'),
    },
    { type: 'response.done', response: { id: 'r2', status: 'completed' } },
  );
  await heard.until('event.response.end', 2);
  await provider.interrupt({ playedMs: 5_000 });
  expect(await peer.next('conversation.item.truncate')).toMatchObject({
    item_id: 'i2',
    content_index: 1,
    audio_end_ms: 100,
  });
  expect(peer.received.filter(({ type }) => type === 'response.cancel')).toHaveLength(1);
});

test('a response that was asked for and has not begun is interrupted, too, and none that waits follows', async () => {
  const { provider, heard, peer } = await connectedBed();
  await provider.sendText('Tell me a story.');
  await peer.next('response.create');
  await provider.sendText('And another one.');
  await provider.interrupt();
  await peer.next('response.cancel');
  peer.send(
    { type: 'response.created', response: { id: 'r1' } },
    { type: 'response.output_audio.delta', response_id: 'r1', item_id: 'i1', content_index: 0, delta: base64(1) },
    { type: 'response.done', response: { id: 'r1', status: 'cancelled' } },
  );
  await heard.until('event.response.end');
  await peer.settled();
  expect(heard.of('audio.raw')).toEqual([]);
  expect(peer.received.filter(({ type }) => type === 'response.create')).toHaveLength(1);
});

test('a response that was interrupted before it began stays silent if there was nothing to cancel yet', async () => {
  const { provider, heard, peer } = await connectedBed();
  await provider.sendText('Tell me a story.');
  await peer.next('response.create');
  await provider.interrupt();
  const cancel = await peer.next('response.cancel');
  peer.send(
    { type: 'error', error: { code: 'response_cancel_not_active', message: 'no', event_id: cancel['event_id'] } },
    { type: 'response.created', response: { id: 'r1' } },
    { type: 'response.output_audio.delta', response_id: 'r1', item_id: 'i1', content_index: 0, delta: base64(1) },
    { type: 'response.done', response: { id: 'r1', status: 'completed' } },
  );
  await heard.until('event.response.end');
  expect(heard.of('audio.raw')).toEqual([]);
});

test('if the interrupted request is refused, the next response is heard', async () => {
  const { provider, heard, peer } = await connectedBed();
  await provider.sendText('Tell me a story.');
  const request = await peer.next('response.create');
  await provider.interrupt();
  await peer.next('response.cancel');
  peer.send(
    { type: 'error', error: { code: 'rate_limited', message: 'Later.', event_id: request['event_id'] } },
    { type: 'response.created', response: { id: 'r1' } },
    { type: 'response.output_audio.delta', response_id: 'r1', item_id: 'i1', content_index: 0, delta: base64(1) },
    { type: 'response.done', response: { id: 'r1', status: 'completed' } },
  );
  await heard.until('event.response.end');
  expect(heard.of('audio.raw')).toHaveLength(1);
});

test('nothing left to cancel is no error; a failed response and a failed transcript are', async () => {
  const { provider, heard, peer } = await connectedBed();
  peer.send({ type: 'response.created', response: { id: 'r1' } });
  await heard.until('event.response.start');
  await provider.interrupt();
  const cancel = await peer.next('response.cancel');
  peer.send(
    { type: 'error', error: { code: 'response_cancel_not_active', message: 'no', event_id: cancel['event_id'] } },
    {
      type: 'response.done',
      response: {
        id: 'r1',
        status: 'failed',
        status_details: { type: 'failed', error: { code: 'quota', message: 'Used up.' } },
      },
    },
    { type: 'conversation.item.input_audio_transcription.failed', error: { code: 'bad_audio', message: 'Unheard.' } },
  );
  const errors = await heard.until('event.error', 2);
  expect(errors.map(({ detail }) => detail)).toEqual([
    'quota: Used up.',
    'The speech was not transcribed: bad_audio: Unheard.',
  ]);
});

test('a typed message goes with a request for an answer', async () => {
  const { provider, peer } = await connectedBed();
  await provider.sendText('Hello');
  expect((await peer.next('conversation.item.create')).item).toEqual({
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text: 'Hello' }],
  });
  await peer.next('response.create');
  await expect(provider.sendText(' ')).rejects.toMatchObject({ field: 'text' });
});

test('a message while the model speaks is answered after that', async () => {
  const { provider, heard, peer } = await connectedBed();
  peer.send({ type: 'response.created', response: { id: 'r1' } });
  await heard.until('event.response.start');
  await provider.sendText('Wait.');
  await peer.next('conversation.item.create');
  await peer.settled();
  expect(peer.received.some(({ type }) => type === 'response.create')).toBe(false);
  peer.send({ type: 'response.done', response: { id: 'r1', status: 'completed' } });
  await peer.next('response.create');
});
