import { describe, expect, it } from 'vitest';
import type { RealtimeScript } from '../../../../src-core/base/realtimeTypes.ts';
import type { JsonObject } from '../../../../src-core/base/json.ts';
import { createManualClock } from '../../features/devices/support/manualClock.ts';
import { openClient, sessionUpdate, spokenAudio, startServer } from './support/rawClient.ts';
import type { ServerEvent } from './support/rawClient.ts';

const script: RealtimeScript = {
  turns: [
    {
      heard: 'What time is it?',
      say: 'One moment.',
      calls: [{ name: 'get_time', arguments: { zone: 'UTC' } }, { name: 'not_there' }],
      then: 'It is {{output}}.',
    },
    { say: 'Goodbye.' },
  ],
  atEnd: 'silent',
};

const dialects = [
  { dialect: 'openai', audio: 'response.output_audio', transcript: 'response.output_audio_transcript', rate: 24_000 },
  { dialect: 'openai-beta', audio: 'response.audio', transcript: 'response.audio_transcript', rate: 24_000 },
  { dialect: 'qwen', audio: 'response.audio', transcript: 'response.audio_transcript', rate: 16_000 },
] as const;

/** Types in order, one for each run of the same. */
function types(events: ServerEvent[]): string[] {
  return events.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1]);
}

describe.each(dialects)('$dialect', ({ dialect, audio, transcript, rate }) => {
  const isNew = dialect === 'openai';
  const added = isNew ? ['conversation.item.added', 'conversation.item.done'] : ['conversation.item.created'];

  it('hears speech, answers, calls a tool and goes on with its output', async () => {
    const server = await startServer({ dialect, script });
    const client = await openClient(server.url, dialect);
    client.send(sessionUpdate(dialect));
    const { session } = await client.next('session.updated');
    expect(JSON.stringify(session)).toContain('clock_get_time');
    client.send(...spokenAudio(rate));

    const started = await client.next('input_audio_buffer.speech_started');
    const stopped = await client.next('input_audio_buffer.speech_stopped');
    const committed = await client.next('input_audio_buffer.committed');
    expect(started['item_id']).toBe(committed['item_id']);
    expect(Number(stopped['audio_end_ms'])).toBeGreaterThan(Number(started['audio_start_ms']) + 500);
    const heard = await client.next('conversation.item.input_audio_transcription.completed');
    expect(heard).toMatchObject({ item_id: committed['item_id'], transcript: 'What time is it?' });

    const done = await client.next('response.done');
    expect(done).toMatchObject({
      response: { status: 'completed', output: [{ type: 'message' }, { type: 'function_call' }] },
    });
    const call = (done['response'] as { output: Record<string, string>[] }).output[1] ?? {};
    expect(call).toMatchObject({ name: 'clock_get_time', arguments: '{"zone":"UTC"}', status: 'completed' });
    const argumentsDone = await client.next('response.function_call_arguments.done');
    expect('name' in argumentsDone).toBe(isNew);
    expect(types(client.events.slice(client.events.findIndex(({ type }) => type === 'response.created')))).toEqual([
      'response.created',
      'response.output_item.added',
      added[0],
      'response.content_part.added',
      // The words of a sentence are ahead of its sound.
      `${transcript}.delta`,
      `${audio}.delta`,
      `${audio}.done`,
      `${transcript}.done`,
      'response.content_part.done',
      'response.output_item.done',
      ...added.slice(1),
      'response.output_item.added',
      added[0],
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      ...added.slice(1),
      'response.done',
    ]);
    // Four syllables and a full stop: real sound, at a voice's level.
    const voice = client.events
      .filter(({ type }) => type === `${audio}.delta`)
      .map(({ delta }) => Buffer.from(String(delta), 'base64'));
    const bytes = Buffer.concat(voice);
    expect(bytes.length / 48).toBeGreaterThan(600);
    const peak = Math.max(...Array.from({ length: bytes.length / 2 }, (_, at) => Math.abs(bytes.readInt16LE(at * 2))));
    expect(peak).toBeGreaterThan(5_000);

    client.send(
      {
        type: 'conversation.item.create',
        item: { type: 'function_call_output', call_id: call['call_id'], output: '"noon"' },
      },
      { type: 'response.create' },
    );
    expect(await client.next('response.done')).toMatchObject({
      response: {
        status: 'completed',
        output: [{ content: [{ transcript: 'It is noon.' }] }],
        usage: { total_tokens: expect.any(Number) as number },
      },
    });
  });

  it('says text where text is asked for, and is silent at the end of its script', async () => {
    const server = await startServer({ dialect, script: { turns: [{ say: 'Hello there.' }], atEnd: 'silent' } });
    const client = await openClient(server.url, dialect);
    const modality = isNew ? { output_modalities: ['text'] } : { modalities: ['text'] };
    client.send({ type: 'response.create', response: modality });
    const text = isNew ? 'response.output_text' : 'response.text';
    expect(await client.next(`${text}.done`)).toMatchObject({ text: 'Hello there.' });
    await client.next('response.done');
    expect(client.events.some(({ type }) => type.includes('audio'))).toBe(false);
    client.send({ type: 'response.create' });
    expect(await client.next('response.done')).toMatchObject({ response: { status: 'completed', output: [] } });
  });

  it('stops when it is told to, and when somebody speaks', async () => {
    const clock = createManualClock();
    const server = await startServer({
      dialect,
      script: { turns: [{ say: 'A long story that takes its time.' }] },
      paceMs: 1_000,
      clock,
    });
    const client = await openClient(server.url, dialect);
    client.send({ type: 'response.create' });
    await client.next(`${transcript}.delta`);
    client.send({ type: 'response.cancel' });
    expect(await client.next('response.done')).toMatchObject({
      response: {
        status: 'cancelled',
        status_details: { reason: 'client_cancelled' },
        output: [{ status: 'incomplete' }],
      },
    });
    client.send({ type: 'response.create' });
    await client.next('response.created');
    client.send({ type: 'response.create', event_id: 'too-soon' });
    expect(await client.next('error')).toMatchObject({
      error: { code: 'conversation_already_has_active_response', event_id: 'too-soon' },
    });
    client.send(...spokenAudio(rate, { silence: false }));
    expect(await client.next('response.created')).toBeDefined();
    expect(await client.next('response.done')).toMatchObject({
      response: { status: 'cancelled', status_details: { reason: 'turn_detected' } },
    });
    expect(types(client.events).join()).toContain('input_audio_buffer.speech_started');
    client.send({ type: 'response.cancel', event_id: 'nothing-there' });
    expect(await client.next('error')).toMatchObject({
      error: { code: 'response_cancel_not_active', event_id: 'nothing-there' },
    });
  });

  it('keeps a conversation: create, retrieve, truncate, delete', async () => {
    const server = await startServer({ dialect, script: { turns: [{ say: 'Four words are said.' }] } });
    const client = await openClient(server.url, dialect);
    const message = { id: 'mine', type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] };
    client.send({ type: 'conversation.item.create', item: message }, { type: 'response.create' });
    expect(await client.next(added[0] ?? '')).toMatchObject({ previous_item_id: null, item: { id: 'mine' } });
    const done = await client.next('response.done');
    const id = (done['response'] as { output: { id: string }[] }).output[0]?.id;
    client.send({ type: 'conversation.item.truncate', item_id: id, content_index: 0, audio_end_ms: 100 });
    expect(await client.next('conversation.item.truncated')).toMatchObject({ item_id: id, audio_end_ms: 100 });
    // 100 ms are left, all of which may be kept.
    client.send({ type: 'conversation.item.truncate', item_id: id, content_index: 0, audio_end_ms: 100 });
    expect(await client.next('conversation.item.truncated')).toMatchObject({ item_id: id, audio_end_ms: 100 });
    client.send({ type: 'conversation.item.truncate', item_id: id, content_index: 0, audio_end_ms: 101 });
    expect(await client.next('error')).toMatchObject({ error: { param: 'audio_end_ms' } });
    for (const wrong of ['5', 1.5, -1, null]) {
      client.send({ type: 'conversation.item.truncate', item_id: id, content_index: 0, audio_end_ms: wrong });
      expect(await client.next('error')).toMatchObject({ error: { param: 'audio_end_ms' } });
    }
    client.send({ type: 'conversation.item.retrieve', item_id: 'mine' });
    expect(await client.next('conversation.item.retrieved')).toMatchObject({ item: message });
    client.send({ type: 'conversation.item.delete', item_id: 'mine' });
    expect(await client.next('conversation.item.deleted')).toMatchObject({ item_id: 'mine' });
    client.send({ type: 'conversation.item.delete', item_id: 'mine', event_id: 'again' });
    expect(await client.next('error')).toMatchObject({
      error: { code: 'item_delete_invalid_item_id', event_id: 'again' },
    });
  });

  it('places an item behind the one that is named, at the front for root, else at the end', async () => {
    const server = await startServer({ dialect, script });
    const client = await openClient(server.url, dialect);
    const create = async (id: string, place: JsonObject) => {
      const item = { id, type: 'message', role: 'user', content: [{ type: 'input_text', text: id }] };
      client.send({ type: 'conversation.item.create', item, ...place });
      return (await client.next(added[0] ?? ''))['previous_item_id'];
    };
    expect(await create('a', { previous_item_id: null })).toBe(null);
    expect(await create('b', {})).toBe('a');
    expect(await create('c', { previous_item_id: null })).toBe('b');
    expect(await create('first', { previous_item_id: 'root' })).toBe(null);
    expect(await create('behind a', { previous_item_id: 'a' })).toBe('a');
    expect(await create('behind the one behind a', { previous_item_id: 'behind a' })).toBe('behind a');
    // The place of those behind has moved.
    expect(await create('behind b', { previous_item_id: 'b' })).toBe('b');
    expect(await create('last', {})).toBe('c');
    const item = { type: 'message', role: 'user', content: [] };
    client.send({ type: 'conversation.item.create', item, previous_item_id: 'nobody', event_id: 'lost' });
    expect(await client.next('error')).toMatchObject({
      error: { code: 'item_create_invalid_previous_item_id', param: 'previous_item_id', event_id: 'lost' },
    });
  });

  it('commits and clears by hand where it does not listen for turns', async () => {
    const server = await startServer({ dialect, script });
    const client = await openClient(server.url, dialect);
    const off: JsonObject = isNew ? { audio: { input: { turn_detection: null } } } : { turn_detection: null };
    client.send(sessionUpdate(dialect, off), ...spokenAudio(rate), { type: 'input_audio_buffer.clear' });
    await client.next('input_audio_buffer.cleared');
    client.send({ type: 'input_audio_buffer.commit', event_id: 'empty' });
    expect(await client.next('error')).toMatchObject({
      error: { code: 'input_audio_buffer_commit_empty', event_id: 'empty' },
    });
    client.send(...spokenAudio(rate), { type: 'input_audio_buffer.commit' });
    await client.next('input_audio_buffer.committed');
    expect(types(client.events)).not.toContain('response.created');
    expect(types(client.events)).not.toContain('input_audio_buffer.speech_started');
  });
});

it('speaks in real time, a little ahead', async () => {
  const clock = createManualClock();
  const server = await startServer({
    script: { turns: [{ say: 'one two three four five six' }] },
    paceMs: undefined,
    clock,
  });
  const client = await openClient(server.url, 'openai');
  client.send({ type: 'response.create' });
  const sent = (): number => client.events.filter(({ type }) => type === 'response.output_audio.delta').length;
  await client.next('response.output_audio.delta');
  client.send({ type: 'conversation.item.retrieve', item_id: 'none' });
  await client.next('error');
  // 180 ms a syllable in pieces of 40 ms: 240 ms are out while time stands still.
  expect(sent()).toBe(6);
  let ended = false;
  const done = client.next('response.done').then(() => (ended = true));
  while (!ended) {
    clock.advance(40);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await done;
  expect(clock.now()).toBeGreaterThanOrEqual(6 * 180 - 240);
});

it('tells which tools it would call where none is offered, in the language of the instructions', async () => {
  const server = await startServer({ script: undefined });
  const client = await openClient(server.url, 'openai');
  client.send({ type: 'session.update', session: { type: 'realtime', instructions: '你是一个助手。' } });
  client.send({ type: 'response.create' });
  expect(await client.next('response.output_audio_transcript.done')).toMatchObject({
    transcript: expect.stringContaining('脚本') as string,
  });
  await client.next('response.done');
  client.send({ type: 'response.create' });
  expect(await client.next('response.output_audio_transcript.done')).toMatchObject({
    transcript: expect.stringMatching(/get_time.*没有这个工具/u) as string,
  });
});
