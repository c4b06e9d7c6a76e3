import { describe, expect, it } from 'vitest';
import type { RealtimeFault, RealtimeScript } from '../../../../src-core/base/realtimeTypes.ts';
import { openClient, sessionUpdate, startServer } from './support/rawClient.ts';

function scriptWith(fault: RealtimeFault): RealtimeScript {
  return {
    turns: [
      {
        say: 'One moment, please.',
        calls: [{ name: 'get_time', arguments: { zone: 'UTC' } }],
        then: 'It is {{output}}.',
        fault,
      },
    ],
  };
}

async function begin(fault: RealtimeFault, { tools = true } = {}) {
  const server = await startServer({ script: scriptWith(fault) });
  const client = await openClient(server.url, 'openai');
  if (tools) client.send(sessionUpdate('openai'));
  client.send({ type: 'response.create', event_id: 'mine' });
  const count = (type: string): number => client.events.filter((event) => event.type === type).length;
  return { server, client, count };
}

describe('faults', () => {
  it('interrupted: the arguments end, the item does not', async () => {
    const { client } = await begin('interrupted');
    expect(await client.next('response.done')).toMatchObject({
      response: { status: 'cancelled', output: [{}, { status: 'incomplete' }] },
    });
    expect(await client.next('response.function_call_arguments.done')).toMatchObject({ arguments: '{"zone":"UTC"}' });
  });

  it('interrupted without a tool: half of the voice', async () => {
    const { client } = await begin('interrupted', { tools: false });
    expect(await client.next('response.done')).toMatchObject({
      response: { status: 'cancelled', output: [{ status: 'incomplete' }] },
    });
    const { transcript } = await client.next('response.output_audio_transcript.done');
    expect('One moment, please.'.startsWith(String(transcript).slice(0, 10))).toBe(true);
  });

  it('duplicate-done: each end twice', async () => {
    const { client, count } = await begin('duplicate-done');
    await client.next('response.done');
    expect(count('response.output_item.done')).toBe(4);
    expect(count('response.function_call_arguments.done')).toBe(2);
  });

  it('broken-arguments: no JSON', async () => {
    const { client } = await begin('broken-arguments');
    const { arguments: text } = await client.next('response.function_call_arguments.done');
    expect(() => JSON.parse(String(text)) as unknown).toThrow();
  });

  it('active-response: the request is refused, and a response goes on', async () => {
    const { client } = await begin('active-response');
    expect(await client.next('error')).toMatchObject({
      error: { code: 'conversation_already_has_active_response', event_id: 'mine' },
    });
    expect(await client.next('response.done')).toMatchObject({ response: { status: 'completed' } });
  });

  it('drop-socket: gone after the call, and its output counts on the next connection', async () => {
    const { server, client } = await begin('drop-socket');
    const { item } = await client
      .next('response.function_call_arguments.done')
      .then(() => client.next('response.output_item.done'))
      .then(() => client.next('response.output_item.done'));
    expect(await client.closed).toBe(1006);
    const { call_id: callId = '', name = '' } = item as Record<string, string>;
    const again = await openClient(server.url, 'openai');
    const output = { type: 'function_call_output', call_id: callId, output: 'noon' };
    again.send({ type: 'conversation.item.create', item: output, event_id: 'no-call' });
    expect(await again.next('error')).toMatchObject({ error: { code: 'invalid_tool_call_id', event_id: 'no-call' } });
    again.send(
      { type: 'conversation.item.create', item: { type: 'function_call', call_id: callId, name, arguments: '{}' } },
      { type: 'conversation.item.create', item: output },
      { type: 'response.create' },
    );
    expect(await again.next('response.output_audio_transcript.done')).toMatchObject({ transcript: 'It is noon.' });
    // Once is enough: the turn comes again and the connection stays.
    again.send({ type: 'response.create' });
    await again.next('response.done');
    expect(await again.next('response.done')).toMatchObject({ response: { status: 'completed' } });
  });

  it('drop-tools: the session has none, without a word', async () => {
    const { client } = await begin('drop-tools');
    expect(await client.next('session.updated')).toMatchObject({ session: { tools: [] } });
    expect(await client.next('response.done')).toMatchObject({ response: { output: [{ type: 'message' }] } });
  });

  it('unknown-event and garbage: something strange in between, and all goes on', async () => {
    const strange = await begin('unknown-event');
    await strange.client.next('response.daydream.delta');
    expect(await strange.client.next('response.done')).toMatchObject({ response: { status: 'completed' } });
    const { client, count } = await begin('garbage');
    expect(await client.next('response.done')).toMatchObject({ response: { status: 'completed' } });
    expect(count('invalid')).toBe(4);
  });

  it('server-error: told, and the response failed', async () => {
    const { client } = await begin('server-error');
    expect(await client.next('error')).toMatchObject({ error: { type: 'server_error' } });
    expect(await client.next('response.done')).toMatchObject({
      response: { status: 'failed', status_details: { error: { code: 'server_error' } } },
    });
  });
});
