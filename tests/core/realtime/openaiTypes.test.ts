/** Every event that we send, and that we know, against the event types of the `openai` package. */
import { Validator } from '@cfworker/json-schema';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { isKnownEvent } from '../../../src-core/realtime/events/knownEvents.ts';
import { OpenAIRealtimeProvider } from '../../../src-core/realtime/providers/openAIRealtimeProvider.ts';
import { QwenOmniRealtimeProvider } from '../../../src-core/realtime/providers/qwenOmniRealtimeProvider.ts';
import type { RealtimeProviderOptions } from '../../../src-core/realtime/providers/socketRealtimeProvider.ts';
import { typeSchema } from '../../helpers/typeSchema.ts';
import type { WireObject } from '../../fakes/realtimeSocket.ts';
import { callResponse, connectedBed, weatherTool } from './beds.ts';

const resources = resolve('node_modules/openai/resources');
const ga = new Validator(typeSchema(`${resources}/realtime/realtime.d.ts`, 'RealtimeClientEvent'), '2020-12');
const beta = new Validator(typeSchema(`${resources}/beta/realtime/realtime.d.ts`, 'RealtimeClientEvent'), '2020-12');

/** Everything that a provider can send, over two connections. */
async function everyEvent(
  make: (options: RealtimeProviderOptions) => OpenAIRealtimeProvider | QwenOmniRealtimeProvider,
) {
  const { server, provider, heard, clock, peer } = await connectedBed(make);
  const updated = provider.updateSession({ instructions: 'Be brief.', voice: 'marin', tools: [weatherTool] });
  peer.send({ type: 'session.updated', session: (await peer.next('session.update')).session });
  await updated;
  await provider.sendAudio(new Uint8Array(960));
  await provider.sendText('Weather?');
  await peer.next('response.create');
  const voice = Buffer.alloc(4_800).toString('base64');
  peer.send(
    { type: 'response.created', response: { id: 'r0' } },
    { type: 'response.audio.delta', response_id: 'r0', item_id: 'i', content_index: 0, delta: voice },
    { type: 'response.audio_transcript.delta', response_id: 'r0', item_id: 'i', delta: 'Let me see.' },
  );
  await heard.until('audio.raw');
  await provider.interrupt({ playedMs: 50 });
  peer.send({ type: 'response.done', response: { id: 'r0', status: 'cancelled' } });
  peer.send(...callResponse('r1', [{ id: 'a' }, { id: 'b' }]));
  await heard.until('event.response.end', 2);
  await provider.sendToolOutput('a', 'grey');
  await peer.settled();
  peer.drop();
  await heard.until('event.realtime.disconnected');
  await provider.sendToolOutput('b', 'No sensor.', { isError: true });
  clock.pass(500);
  const again = await server.nextPeer();
  await again.greet();
  await again.next('response.create');
  void provider.updateSession({ turns: 'client' }).catch(() => {});
  await again.next('session.update');
  await provider.sendAudio(new Uint8Array(960));
  await provider.commitAudio();
  await again.next('input_audio_buffer.clear');
  await provider.sendAudio(new Uint8Array(9_600));
  await provider.commitAudio();
  await again.next('input_audio_buffer.commit');
  return [...peer.received, ...again.received];
}

const typesOf = (events: WireObject[]): string[] => [...new Set(events.map(({ type }) => type))].sort();

const common = [
  'conversation.item.create',
  'input_audio_buffer.append',
  'input_audio_buffer.clear',
  'input_audio_buffer.commit',
  'response.cancel',
  'response.create',
  'session.update',
];

function check(validator: Validator, events: WireObject[]): void {
  for (const event of events) expect(validator.validate(event), JSON.stringify(event)).toMatchObject({ valid: true });
}

test('the schemas know right from wrong', () => {
  expect(ga.validate({ type: 'response.create' }).valid).toBe(true);
  expect(ga.validate({ type: 'response.create', respnse: {} }).valid).toBe(false);
  expect(ga.validate({ type: 'session.update', session: { modalities: ['text'] } }).valid).toBe(false);
  expect(beta.validate({ type: 'session.update', session: { modalities: ['text'] } }).valid).toBe(true);
  expect(
    beta.validate({ type: 'conversation.item.create', item: { type: 'function_call_output', output: 1 } }).valid,
  ).toBe(false);
});

test('OpenAI, generally available', async () => {
  const events = await everyEvent((options) => new OpenAIRealtimeProvider(options));
  check(ga, events);
  expect(typesOf(events)).toEqual(['conversation.item.create', 'conversation.item.truncate', ...common.slice(1)]);
});

test('OpenAI, beta', async () => {
  const events = await everyEvent((options) => new OpenAIRealtimeProvider({ ...options, dialect: 'beta' }));
  // The package says of `turn_detection` in words, not in its type, that null turns it off.
  const isOff = ({ session }: WireObject): boolean => JSON.stringify(session) === '{"turn_detection":null}';
  expect(events.filter(isOff)).toHaveLength(1);
  check(
    beta,
    events.filter((event) => !isOff(event)),
  );
  expect(typesOf(events)).toEqual(common);
});

test('Qwen, but for what is its own in the session', async () => {
  const events = await everyEvent((options) => new QwenOmniRealtimeProvider(options));
  check(
    beta,
    events.filter(({ type }) => type !== 'session.update'),
  );
  expect(typesOf(events)).toEqual(common);
});

test.for(['realtime', 'beta/realtime'])('no event that a server of %s sends is called unknown', (version) => {
  const schema = typeSchema(`${resources}/${version}/realtime.d.ts`, 'RealtimeServerEvent');
  const types = typeConstants(schema, schema);
  expect(types.length).toBeGreaterThan(30);
  expect(types.filter((type) => !isKnownEvent(type))).toEqual([]);
});

interface SchemaPart {
  $ref?: string;
  $defs?: Record<string, SchemaPart>;
  anyOf?: SchemaPart[];
  properties?: { type?: { const?: string } };
}

/** The `type` of every object in a union. */
function typeConstants(part: SchemaPart, root: SchemaPart): string[] {
  if (part.anyOf !== undefined) return part.anyOf.flatMap((each) => typeConstants(each, root));
  if (part.$ref === undefined) return [part.properties?.type?.const ?? ''];
  return typeConstants(root.$defs?.[part.$ref.replace('#/$defs/', '')] ?? {}, root);
}
