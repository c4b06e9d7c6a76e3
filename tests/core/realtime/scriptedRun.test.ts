/** A whole turn with a tool on the scripted server, in each dialect and with each thing that it can do wrong. */
import { expect, test } from 'vitest';
import { TextChunk } from '../../../src-core/realtime/chunks.ts';
import { createRealtimeProvider } from '../../../src-core/realtime/createRealtimeProvider.ts';
import type { RealtimeDialectName, RealtimeFault } from '../../../src-core/base/realtimeTypes.ts';
import { startScriptedRealtimeServer } from '../../../src-core/realtime/scripted/startScriptedRealtimeServer.ts';
import { RealtimeStation } from '../../../src-core/realtime/stations/realtimeStation.ts';
import { SentenceAggregatorStation } from '../../../src-core/realtime/stations/sentenceAggregatorStation.ts';
import { atEnd, HandClock, weatherTool } from './beds.ts';

const key = 'sk-test-0123456789';

async function runTurn(dialect: RealtimeDialectName, fault?: RealtimeFault) {
  const server = await startScriptedRealtimeServer({
    dialect,
    key,
    paceMs: 0,
    script: {
      turns: [
        {
          say: 'One moment.',
          calls: [{ name: 'get_weather', arguments: { city: 'Oslo' } }],
          then: 'It is {{output}}.',
          ...(fault !== undefined && { fault }),
        },
        { say: 'What else?' },
      ],
      atEnd: 'silent',
    },
  });
  atEnd(() => server.close());
  const clock = new HandClock();
  const profile = { id: 'p', label: 'P', dialect, url: server.url, model: 'test-model', voice: 'v' };
  const provider = createRealtimeProvider(profile, { key, clock });
  const calls: string[] = [];
  const station = new RealtimeStation({
    provider,
    execute: ({ toolName, arguments: { city } }) => {
      calls.push(`${toolName} ${String(city)}`);
      return Promise.resolve({ status: 'success', result: 'grey' });
    },
  });
  atEnd(() => station.close());
  const sentences = new SentenceAggregatorStation();
  station.onChunk((chunk) => void sentences.process(chunk));
  const said: string[] = [];
  const errors: string[] = [];
  const ended = Promise.withResolvers<undefined>();
  sentences.onChunk((chunk) => {
    if (chunk.type === 'text') said.push(chunk.data);
    if (chunk.type === 'event.error') errors.push(chunk.detail ?? '');
    // Connecting again takes its time.
    if (chunk.type === 'event.realtime.disconnected') clock.pass(500);
    if (chunk.type === 'event.response.end' && said.some((text) => text.startsWith('It is'))) ended.resolve(undefined);
  });
  const facts = await station.open({
    instructions: 'Be brief.',
    tools: [{ ...weatherTool, name: 'self.get_weather' }],
  });
  await station.process(new TextChunk({ data: 'Weather?', source: 'user' }));
  return { server, station, facts, calls, said, errors, ended: ended.promise };
}

const dialects: RealtimeDialectName[] = ['openai', 'openai-beta', 'qwen'];
const survivable: (RealtimeFault | undefined)[] = [
  undefined,
  'duplicate-done',
  'active-response',
  'drop-socket',
  'unknown-event',
  'garbage',
];

test.for(dialects.flatMap((dialect) => survivable.map((fault) => [dialect, fault] as const)))(
  '%s, %s: the tool runs once and the model speaks of its answer',
  async ([dialect, fault]) => {
    const { calls, said, facts, ended } = await runTurn(dialect, fault);
    expect(facts).toEqual({ tools: ['self.get_weather'], droppedTools: [] });
    await ended;
    expect(calls).toEqual(['self.get_weather Oslo']);
    expect(said.at(-1)).toBe('It is grey.');
  },
);

test.for(dialects)('%s: a response that was cut short runs nothing', async (dialect) => {
  const { station, calls, said } = await runTurn(dialect, 'interrupted');
  // The next turn is the sign that the first one is over.
  await untilEnd(station, 1);
  await station.process(new TextChunk({ data: 'And now?', source: 'user' }));
  await untilEnd(station, 1);
  expect(calls).toEqual([]);
  expect(said.at(-1)).toBe('What else?');
});

test.for(dialects)('%s: broken arguments are told to the model, and nothing runs', async (dialect) => {
  const { calls, said, errors, ended } = await runTurn(dialect, 'broken-arguments');
  await ended;
  expect(calls).toEqual([]);
  expect(errors[0]).toContain('The call of self_get_weather was not run. The arguments are not valid JSON');
  expect(said.join(' ')).toContain('It is {"is_error":true');
});

test.for(dialects)('%s: tools that the server drops silently are named by their own names', async (dialect) => {
  const { facts, errors } = await runTurn(dialect, 'drop-tools');
  expect(facts).toEqual({ tools: [], droppedTools: ['self.get_weather'] });
  expect(errors[0]).toContain('The server has silently dropped 1 tools: self_get_weather.');
});

test.for(dialects)('%s: an error of the server is told, and the session goes on', async (dialect) => {
  const { station, errors } = await runTurn(dialect, 'server-error');
  await untilEnd(station, 1);
  expect(errors).not.toEqual([]);
  await station.process(new TextChunk({ data: 'And now?', source: 'user' }));
  await untilEnd(station, 1);
});

/** Resolves when so many responses have ended from now on. */
function untilEnd(station: RealtimeStation, count: number): Promise<void> {
  return new Promise((resolve) => {
    let left = count;
    const stop = station.onChunk(({ type }) => {
      if (type !== 'event.response.end') return;
      left -= 1;
      if (left > 0) return;
      stop();
      resolve();
    });
  });
}
