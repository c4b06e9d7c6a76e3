/** Streams of server-sent events, as they are read from the network. */
import { Readable } from 'node:stream';

import { expect, test } from 'vitest';

import { markIntegers } from '../../../src-core/base/exactNumber.ts';
import { markEvents } from '../../../src-core/mcp/eventStream.ts';
import type { MessageFault } from '../../../src-core/mcp/readMessages.ts';

interface Passed {
  /** The events that the SDK reads; JSON of an answer that it reads instead. */
  text: string;
  /** The messages that are recorded. */
  texts: string[];
  faults: MessageFault[];
}

async function pass(pieces: Iterable<string | Uint8Array>, maxMessageBytes = 64 * 1024 * 1024): Promise<Passed> {
  const texts: string[] = [];
  const faults: MessageFault[] = [];
  const bytes = Array.from(pieces, (piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece));
  const marked = await markEvents(Readable.toWeb(Readable.from(bytes)) as ReadableStream<Uint8Array>, {
    maxMessageBytes,
    observer: { onFrame: () => undefined, onNote: () => undefined, onStderr: () => undefined },
    id: 1,
    onText: (text) => texts.push(text),
    onFault: (fault) => faults.push(fault),
  });
  const text = marked instanceof ReadableStream ? await new Response(marked).text() : JSON.stringify(marked);
  return { text, texts, faults };
}

test('an event of 48 MiB in pieces of 16 KiB is passed on, with every kind of line end', async () => {
  const size = 48 * 1024 * 1024;
  const piece = Buffer.alloc(16 * 1024, 'x');
  function* pieces(): Generator<string | Uint8Array> {
    yield 'id: 1\r';
    yield '\nevent: message\rdata: {"jsonrpc":"2.0","method":"';
    for (let sent = 0; sent < size; sent += piece.length) yield piece;
    yield '"}\r\n\r';
    yield '\ndata: {"a":9007199254740993}\n\ndata: unfinished';
  }
  const { text, texts, faults } = await pass(pieces());
  expect(faults).toEqual([]);
  expect(texts.map(({ length }) => length)).toEqual([size + 29, 22]);
  expect(text.startsWith('id: 1\nevent: message\ndata: {"jsonrpc":"2.0",')).toBe(true);
  expect(text.slice(text.indexOf('"}'))).toBe(`"}\n\ndata: ${markIntegers('{"a":9007199254740993}')}\n\n`);
});

const message = '{"a":9007199254740993}';

/** Between pieces is a comma. */
const ends = ['\r,\r', '\r\r', '\r\n\r', '\r,\n\r,\n', '\n,\r', '\r,\n\n'];

test.each(ends)('an event is complete with its last line end: %j', async (pieces) => {
  const { text, texts } = await pass([`data: ${message}`, ...pieces.split(',')]);
  expect(texts).toEqual([message]);
  expect(text).toBe(`data: ${markIntegers(message)}\n\n`);
});

test('an event without a value of its type is a message', async () => {
  for (const type of ['event:', 'event: ', 'event']) {
    const { text, texts } = await pass([`${type}\ndata: ${message}\n\n`]);
    expect(texts).toEqual([message]);
    expect(text).toBe(`${type}\ndata: ${markIntegers(message)}\n\n`);
  }
  expect((await pass([`event: ping\ndata: ${message}\n\n`])).texts).toEqual([]);
});

test('the limit of an event is counted in bytes', async () => {
  const { text, faults } = await pass([`data: {"id":7,"result":"${'试'.repeat(30)}"}\n\n`], 100);
  expect(text).toBe('');
  expect(faults).toEqual([{ id: 7, code: 'too-large', reason: '', bytes: 116 }]);
});

const answer = '{"jsonrpc":"2.0","id":1,"result":{"a":9007199254740993}}';
const note = 'data: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n';

test('an answer that has arrived alone, and whole, is passed on without a stream', async () => {
  for (const pieces of [[`data: ${answer}\n\n`], [`id: 7\nevent: message\nda`, `ta: ${answer}\r\n`, '\r\n']]) {
    const { text, texts } = await pass(pieces);
    expect(text).toBe(markIntegers(answer));
    expect(texts).toEqual([answer]);
  }
});

test.each([
  ['an answer after another message', `${note}data: ${answer}\n\n`],
  ['an answer before another message', `data: ${answer}\n\n${note}`],
  ['an answer after an event without data', `id: 7\n\ndata: ${answer}\n\n`],
  ['an answer to another request', `data: ${answer.replace('"id":1', '"id":2')}\n\n`],
  ['a request with the same id', 'data: {"jsonrpc":"2.0","id":1,"method":"ping"}\n\n'],
  ['text that is not JSON', 'data: {"id":1,\n\n'],
])('%s is passed on as a stream', async (_what, events) => {
  expect((await pass([events])).text).toBe(markIntegers(events));
});

test('an answer whose stream stays open is passed on as a stream', async () => {
  const texts: string[] = [];
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  void writer.write(Buffer.from(`data: ${answer}\n\n`));
  const marked = await markEvents(readable, {
    maxMessageBytes: 1_000,
    observer: { onFrame: () => undefined, onNote: () => undefined, onStderr: () => undefined },
    id: 1,
    onText: (text) => texts.push(text),
    onFault: () => undefined,
  });
  expect(texts).toEqual([answer]);
  void writer.write(Buffer.from(note)).then(() => writer.close());
  expect(marked).toBeInstanceOf(ReadableStream);
  expect(await new Response(marked as ReadableStream).text()).toBe(`data: ${markIntegers(answer)}\n\n${note}`);
  expect(texts).toHaveLength(2);
});

test('an error of the connection is one of the stream', async () => {
  const broken = new ReadableStream<Uint8Array>({
    start: (controller) => controller.error(new Error('The connection was cut.')),
  });
  const marked = await markEvents(broken, {
    maxMessageBytes: 1_000,
    observer: { onFrame: () => undefined, onNote: () => undefined, onStderr: () => undefined },
    id: 1,
    onText: () => undefined,
    onFault: () => undefined,
  });
  await expect(new Response(marked as ReadableStream).text()).rejects.toThrow('The connection was cut.');
});
