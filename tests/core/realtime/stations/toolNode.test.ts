/** Plan B with stations: a node runs the calls beside the model's station. */
import { expect, test } from 'vitest';
import { ToolCallChunk, ToolOutputChunk, TextChunk, type AnyChunk } from '../../../../src-core/realtime/chunks.ts';
import { RealtimeStation } from '../../../../src-core/realtime/stations/realtimeStation.ts';
import { Station } from '../../../../src-core/realtime/stations/station.ts';
import { ToolNode } from '../../../../src-core/realtime/stations/toolNode.ts';
import { callResponse, connectedBed, weatherTool } from '../beds.ts';

function outputsOf(node: Station): { chunks: AnyChunk[]; next: () => Promise<AnyChunk> } {
  const chunks: AnyChunk[] = [];
  let wake = (): void => {};
  node.onChunk((chunk) => {
    chunks.push(chunk);
    wake();
  });
  let taken = 0;
  return {
    chunks,
    async next() {
      while (chunks[taken] === undefined) await new Promise<void>((resolve) => (wake = resolve));
      taken += 1;
      return chunks[taken - 1] as AnyChunk;
    },
  };
}

test('a call goes to the node and its output back to the model, over pipes alone', async () => {
  const { provider, peer } = await connectedBed();
  const station = new RealtimeStation({ provider });
  const node = new ToolNode({
    execute: (call) => Promise.resolve({ status: 'success', result: `grey in ${String(call.arguments['city'])}` }),
  });
  station.pipe(node);
  node.pipe(station);
  const opened = station.open({ tools: [{ ...weatherTool, name: 'weather.get' }] });
  peer.send({ type: 'session.updated', session: (await peer.next('session.update')).session });
  await opened;
  peer.send(...callResponse('r1', [{ id: 'a', name: 'weather_get' }]));
  expect((await peer.next('conversation.item.create')).item).toEqual({
    type: 'function_call_output',
    call_id: 'a',
    output: 'grey in Oslo',
  });
  await peer.next('response.create');
});

test('errors of tools are outputs; other chunks are ignored; cancelled calls have no output', async () => {
  const aborted: unknown[] = [];
  const node = new ToolNode({
    execute: async ({ toolName }, { signal }) => {
      if (toolName === 'throws') throw new Error('Broken.');
      if (toolName === 'fails') return { status: 'error', result: 'No such city.' };
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      aborted.push(signal.reason);
      return { status: 'success', result: 'late' };
    },
  });
  const { chunks, next } = outputsOf(node);
  await node.process(new TextChunk({ data: 'Hello', source: 'user' }));
  await node.process(new ToolCallChunk({ callId: '1', toolName: 'throws' }));
  expect(await next()).toEqual(new ToolOutputChunk({ callId: '1', output: 'Broken.', isError: true }));
  await node.process(new ToolCallChunk({ callId: '2', toolName: 'fails' }));
  expect(await next()).toEqual(new ToolOutputChunk({ callId: '2', output: 'No such city.', isError: true }));
  await node.process(new ToolCallChunk({ callId: '3', toolName: 'waits' }));
  expect(node.runningCalls).toEqual(['3']);
  node.cancelAll(new Error('Closed.'));
  expect(node.runningCalls).toEqual([]);
  await new Promise(setImmediate);
  expect(aborted).toEqual([new Error('Closed.')]);
  expect(chunks).toHaveLength(2);
});

class Refusing extends Station {
  override process(): Promise<void> {
    return Promise.reject(new Error('Full.'));
  }
}

class Source extends Station {
  override process(chunk: AnyChunk): Promise<void> {
    this.push(chunk);
    return Promise.resolve();
  }
}

test('what the next station refuses is emitted once, or goes to onError; an ended pipe hands on nothing', async () => {
  const source = new Source();
  const { chunks, next } = outputsOf(source);
  const stop = source.pipe(new Refusing());
  await source.process(new TextChunk({ data: 'a', source: 'user' }));
  expect(await next()).toMatchObject({ data: 'a' });
  expect(await next()).toMatchObject({ type: 'event.error', detail: 'Full.' });
  stop();
  await source.process(new TextChunk({ data: 'b', source: 'user' }));
  await new Promise(setImmediate);
  expect(chunks).toHaveLength(3);

  const errors: unknown[] = [];
  source.pipe(new Refusing(), { onError: (error) => errors.push(error) });
  await source.process(new TextChunk({ data: 'c', source: 'user' }));
  await new Promise(setImmediate);
  expect(errors).toEqual([new Error('Full.')]);
  expect(chunks).toHaveLength(4);
});

test('a call without fields has no id, no name and empty arguments', () => {
  expect(new ToolCallChunk()).toMatchObject({ callId: '', toolName: '', arguments: {}, argumentsJson: '{}' });
  expect(new ToolCallChunk({ callId: 'c', toolName: 't', arguments: { a: 1 } }).argumentsJson).toBe('{"a":1}');
});
