/**
 * The official `OpenAIRealtimeWebSocket` and our provider, against the same scripted server: they send the same.
 *
 * What may differ: ids of events; the official client's `conversation.item.retrieve`, which asks for what we keep ourselves;
 * in the session the model (ours is in the address), tracing on OpenAI's side, noise reduction and speed (we leave the server's), who takes turns and
 * which model writes down what was said (a choice of each client); and how many ms of the voice were heard.
 */
import { OpenAIRealtimeWebSocket } from '@openai/agents/realtime';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { OpenAIRealtimeProvider } from '../../src-core/realtime/providers/openAIRealtimeProvider.ts';
import type { RealtimeScript } from '../../src-core/base/realtimeTypes.ts';
import { startScriptedRealtimeServer } from '../../src-core/realtime/scripted/startScriptedRealtimeServer.ts';
import { HandClock, Heard, weatherTool } from '../core/realtime/beds.ts';

const key = 'sk-test-0123456789';
const sound = new Uint8Array(960);
const instructions = 'Be brief.';
const voice = 'marin';

const script: RealtimeScript = {
  turns: [
    {
      say: 'One moment.',
      calls: [{ name: 'get_weather', arguments: { city: 'Oslo' } }],
      then: 'It is {{output}}, and that is a long story which nobody will hear to its end, since it goes on and on.',
    },
  ],
};

async function scriptedServer() {
  const clock = new HandClock();
  const server = await startScriptedRealtimeServer({ dialect: 'openai', script, key, clock });
  onTestFinished(() => server.close());
  return { server, clock };
}

type Frame = Record<string, unknown>;

/** The frames in what is the same for all clients. */
function normalised(received: { event: Frame }[]): Frame[] {
  const frames = received
    .map(({ event }) => without(event, ['event_id']))
    .filter(({ type }) => type !== 'conversation.item.retrieve');
  const sessions = frames.filter(({ type }) => type === 'session.update').map(({ session }) => session as Frame);
  const rest = frames
    .filter(({ type }) => type !== 'session.update')
    .map(({ item_id: itemId, audio_end_ms: endMs, ...frame }) => ({
      ...frame,
      ...(itemId !== undefined && { item_id: typeof itemId }),
      ...(endMs !== undefined && { audio_end_ms: typeof endMs }),
      ...(typeof frame['item'] === 'object' && { item: withoutCallId(frame['item'] as Frame) }),
    }));
  return [sessions.reduce(merged, {}), ...rest];
}

function without(frame: Frame, names: string[]): Frame {
  return Object.fromEntries(Object.entries(frame).filter(([name]) => !names.includes(name)));
}

/** The server makes up the ids of its calls. */
function withoutCallId({ call_id: callId, ...item }: Frame): Frame {
  return callId === undefined ? item : { ...item, call_id: typeof callId };
}

/** All settings of a connection as one. */
function merged(into: Frame, from: Frame): Frame {
  const result = { ...into };
  for (const [name, value] of Object.entries(from)) {
    const before = result[name];
    result[name] = isPlain(before) && isPlain(value) ? merged(before, value) : value;
  }
  return result;
}

function isPlain(value: unknown): value is Frame {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The session without what a client may choose. */
function comparableSession(session: Frame): Frame {
  const { audio, ...rest } = without(session, ['model', 'tool_choice', 'tracing']);
  const { input, output } = audio as { input: Frame; output: Frame };
  return {
    ...rest,
    audio: { input: { format: input['format'] }, output: { format: output['format'], voice: output['voice'] } },
  };
}

async function officialFrames(): Promise<Frame[]> {
  const { server, clock } = await scriptedServer();
  const client = new OpenAIRealtimeWebSocket({ url: server.url });
  onTestFinished(() => client.close());
  const events: string[] = [];
  client.on('*', ({ type }) => events.push(type));
  async function until(type: string, count = 1): Promise<void> {
    while (events.filter((each) => each === type).length < count) {
      // In small steps: what the voice says after the event must not have been said by then.
      clock.pass(1);
      await setImmediate();
    }
  }
  await client.connect({
    apiKey: key,
    initialSessionConfig: {
      instructions,
      voice,
      tools: [{ type: 'function', strict: false, ...weatherTool, parameters: weatherTool.parameters as never }],
    },
  });
  await until('session.updated');
  client.sendAudio(sound.buffer);
  client.on('function_call', (call) => client.sendFunctionCallOutput(call, 'grey', true));
  client.sendMessage('How is the weather?', {});
  await until('response.done', 1);
  await until(
    'response.output_audio.delta',
    events.filter((type) => type === 'response.output_audio.delta').length + 1,
  );
  client.interrupt();
  await until('response.done', 2);
  await until('conversation.item.truncated');
  return normalised(server.received);
}

async function ourFrames(): Promise<Frame[]> {
  const { server, clock } = await scriptedServer();
  const provider = new OpenAIRealtimeProvider({ url: server.url, model: 'gpt-realtime', key });
  onTestFinished(() => provider.disconnect());
  const heard = new Heard(provider);
  // Each event that comes lets the voice go on.
  provider.setWireHandler(() => clock.pass(1_000));
  await provider.connect();
  await provider.updateSession({ instructions, voice, tools: [weatherTool] });
  await provider.sendAudio(sound);
  await provider.sendText('How is the weather?');
  const [call] = await heard.until('tool.call');
  await heard.until('event.response.end');
  provider.setWireHandler(undefined);
  const before = heard.of('audio.raw').length;
  await provider.sendToolOutput(call?.callId ?? '', 'grey');
  await heard.until('audio.raw', before + 1);
  await provider.interrupt({ playedMs: 100 });
  await heard.until('event.response.end', 2);
  // The server reads one frame per turn.
  await expect.poll(() => server.received.map(({ event }) => event['type'])).toContain('conversation.item.truncate');
  return normalised(server.received);
}

test('connect with tools, sound, a round of a tool, interrupting: the frames are equivalent', async () => {
  const [officialSession = {}, ...official] = await officialFrames();
  const [ourSession = {}, ...ours] = await ourFrames();
  expect(comparableSession(ourSession)).toEqual(comparableSession(officialSession));
  expect(ours).toEqual(official);
  expect(ours.map(({ type }) => type)).toEqual([
    'input_audio_buffer.append',
    'conversation.item.create',
    'response.create',
    'conversation.item.create',
    'response.create',
    'response.cancel',
    'conversation.item.truncate',
  ]);
});
