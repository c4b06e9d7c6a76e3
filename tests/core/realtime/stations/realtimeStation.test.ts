import { expect, test } from 'vitest';
import {
  AudioChunk,
  EventChunk,
  TextChunk,
  ToolOutputChunk,
  type AnyChunk,
} from '../../../../src-core/realtime/chunks.ts';
import { RealtimeStation } from '../../../../src-core/realtime/stations/realtimeStation.ts';
import type { RealtimeToolExecutor } from '../../../../src-core/realtime/stations/toolNode.ts';
import type { WireObject } from '../../../fakes/realtimeSocket.ts';
import { callResponse, connectedBed, weatherTool } from '../beds.ts';

async function stationBed(execute?: RealtimeToolExecutor) {
  const { provider, peer } = await connectedBed();
  const station = new RealtimeStation({ provider, execute });
  const chunks: AnyChunk[] = [];
  const stop = station.onChunk((chunk) => chunks.push(chunk));
  const opened = station.open({ instructions: 'Be brief.', tools: [{ ...weatherTool, name: 'self.get_weather' }] });
  peer.send({ type: 'session.updated', session: (await peer.next('session.update')).session });
  return { station, chunks, peer, stop, facts: await opened };
}

const outputItem = (event: WireObject): unknown => event['item'];

test('with execute: the executor gets the call under the tool’s own name, the model its answer', async () => {
  const calls: unknown[] = [];
  const { peer, chunks, facts } = await stationBed(({ callId, toolName, arguments: args }) => {
    calls.push([callId, toolName, args]);
    return Promise.resolve({ status: 'success', result: 'grey' });
  });
  expect(facts).toEqual({ tools: ['self.get_weather'], droppedTools: [] });
  peer.send(...callResponse('r1', [{ id: 'a', name: 'self_get_weather' }]));
  expect(outputItem(await peer.next('conversation.item.create'))).toMatchObject({ call_id: 'a', output: 'grey' });
  expect(calls).toEqual([['a', 'self.get_weather', { city: 'Oslo' }]]);
  expect(chunks.filter(({ type }) => type.startsWith('tool.'))).toMatchObject([
    { type: 'tool.call', toolName: 'self.get_weather' },
    { type: 'tool.output', callId: 'a', output: 'grey', isError: false },
  ]);
});

test('with execute: a tool that fails, and one that throws, are told as errors; an unknown name is the executor’s to word', async () => {
  const { peer } = await stationBed(({ toolName }) =>
    toolName === 'self.get_weather'
      ? Promise.resolve({ status: 'error', result: 'No sensor.' })
      : Promise.reject(new Error(`There is no ${toolName}.`)),
  );
  peer.send(
    ...callResponse('r1', [
      { id: 'a', name: 'self_get_weather' },
      { id: 'b', name: 'made_up' },
    ]),
  );
  const items = [await peer.next('conversation.item.create'), await peer.next('conversation.item.create')];
  expect(items.map(outputItem)).toMatchObject([
    { call_id: 'a', output: '{"is_error":true,"output":"No sensor."}' },
    { call_id: 'b', output: '{"is_error":true,"output":"There is no made_up."}' },
  ]);
});

test('without execute: the call goes downstream, and the output that comes back reaches the model', async () => {
  const { station, peer, chunks } = await stationBed();
  station.onChunk((chunk) => {
    if (chunk.type === 'tool.call') void station.process(new ToolOutputChunk({ callId: chunk.callId, output: 'ok' }));
  });
  peer.send(...callResponse('r1', [{ id: 'a', name: 'self_get_weather' }]));
  expect(outputItem(await peer.next('conversation.item.create'))).toMatchObject({ call_id: 'a', output: 'ok' });
  expect(chunks.some(({ type }) => type === 'tool.output')).toBe(false);
});

test('a refused change of tools leaves those that the server has, under their own names', async () => {
  const called: string[] = [];
  const { station, peer } = await stationBed(({ toolName }) => {
    called.push(toolName);
    return Promise.resolve({ status: 'success', result: 'ok' });
  });
  const changed = station.update({ tools: [{ ...weatherTool, name: 'self.get_time' }] });
  const update = await peer.next('session.update');
  // Before its answer the server still has the tools of before.
  peer.send(...callResponse('r1', [{ id: 'a', name: 'self_get_weather' }]));
  await peer.next('conversation.item.create');
  peer.send({ type: 'error', error: { code: 'too_many', message: 'No.', event_id: update['event_id'] } });
  await expect(changed).rejects.toThrow('The server refused the session');
  peer.send(...callResponse('r2', [{ id: 'b', name: 'self_get_weather' }]));
  await peer.next('conversation.item.create');
  expect(called).toEqual(['self.get_weather', 'self.get_weather']);
});

test('interrupting leaves a tool alone and asks for no answer; closing cancels it', async () => {
  const signals: AbortSignal[] = [];
  const answers: ((result: { status: 'success'; result: string }) => void)[] = [];
  const started = Promise.withResolvers<undefined>();
  const { station, peer, chunks } = await stationBed((_call, { signal }) => {
    signals.push(signal);
    if (signals.length === 2) started.resolve(undefined);
    return new Promise((resolve) => answers.push(resolve));
  });
  peer.send(
    ...callResponse('r1', [
      { id: 'a', name: 'self_get_weather' },
      { id: 'b', name: 'self_get_weather' },
    ]),
  );
  await started.promise;
  await station.interrupt({ playedMs: 0 });
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
  answers[0]?.({ status: 'success', result: 'late' });
  expect(outputItem(await peer.next('conversation.item.create'))).toMatchObject({ output: 'late' });
  expect(station.runningCalls).toEqual(['b']);
  await station.close();
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
  answers[1]?.({ status: 'success', result: 'too late' });
  await Promise.resolve();
  expect(chunks.filter(({ type }) => type === 'tool.output')).toHaveLength(1);
  expect(peer.received.some(({ type }) => type === 'response.create')).toBe(false);
  expect(station.runningCalls).toEqual([]);
});

test('sound of the right rate and typed text go in; anything else is refused with its reason', async () => {
  const { station, peer, chunks, stop } = await stationBed();
  const data = new Uint8Array(4);
  await station.process(new AudioChunk({ data, sampleRate: 24_000, source: 'user' }));
  await station.process(new TextChunk({ data: 'Hi', source: 'user' }));
  await peer.next('input_audio_buffer.append');
  await peer.next('response.create');
  await expect(station.process(new AudioChunk({ data, sampleRate: 16_000, source: 'user' }))).rejects.toThrow(
    'The model takes sound of 24000 Hz, this has 16000 Hz.',
  );
  await expect(station.process(new EventChunk({ type: 'event.vad.start' }))).rejects.toThrow('has no way to the model');
  stop();
  const before = chunks.length;
  peer.send({ type: 'input_audio_buffer.speech_started' });
  await peer.settled();
  expect(chunks).toHaveLength(before);
});
