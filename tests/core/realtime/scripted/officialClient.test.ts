/** The official client of OpenAI's realtime API against the scripted server. */
import { OpenAIRealtimeWebSocket } from '@openai/agents/realtime';
import { describe, expect, it, onTestFinished } from 'vitest';
import { speak } from '../../../../src-core/realtime/scripted/voice.ts';
import { startServer } from './support/rawClient.ts';

describe('OpenAIRealtimeWebSocket', () => {
  it('connects, offers a tool, speaks, is asked for the tool, answers and hears a voice', async () => {
    const server = await startServer({
      key: 'sk-test',
      script: {
        turns: [
          { heard: 'What time is it?', say: 'One moment.', calls: [{ name: 'get_time' }], then: 'It is {{output}}.' },
        ],
      },
    });
    const client = new OpenAIRealtimeWebSocket({ url: server.url });
    onTestFinished(() => client.close());
    const errors: unknown[] = [];
    let voiceBytes = 0;
    let words = '';
    client.on('error', (error) => void errors.push(error));
    client.on('audio', ({ data }) => void (voiceBytes += data.byteLength));
    client.on('audio_transcript_delta', ({ delta }) => void (words += delta));
    const items: string[] = [];
    client.on('item_update', (item) => void items.push(item.type));
    const asked = new Promise<{ callId: string }>((resolve) => client.on('function_call', (call) => resolve(call)));
    const answered = new Promise<void>((resolve) => {
      let turns = 0;
      client.on('turn_done', () => {
        turns += 1;
        if (turns === 2) resolve();
      });
    });
    client.on('function_call', (call) => client.sendFunctionCallOutput(call, '"noon"'));

    await client.connect({
      apiKey: 'sk-test',
      model: 'gpt-realtime',
      initialSessionConfig: {
        instructions: 'Be short.',
        tools: [
          {
            type: 'function',
            name: 'clock_get_time',
            description: 'Tells the time.',
            parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
            strict: false,
          },
        ],
      },
    });
    for (const { pcm } of speak('what time is it now', 24_000))
      client.sendAudio(Uint8Array.from(Buffer.from(pcm.buffer)).buffer);
    client.sendAudio(new ArrayBuffer(48_000));

    expect((await asked).callId).toMatch(/^call_/);
    await answered;
    expect(words).toBe('One moment.It is noon.');
    expect(voiceBytes / 48).toBeGreaterThan(1_000);
    expect(items).toContain('message');
    expect(errors).toEqual([]);
    expect(new Set(server.received.map(({ event }) => event['type']))).toEqual(
      new Set([
        'session.update',
        'input_audio_buffer.append',
        'conversation.item.retrieve',
        'conversation.item.create',
        'response.create',
      ]),
    );
  });
});
