/** Streams of server-sent events, as they are read from the network. */
import { Readable } from 'node:stream';

import { expect, test } from 'vitest';

import { markIntegers } from '../../../src-core/base/exactNumber.ts';
import { markEvents } from '../../../src-core/mcp/eventStream.ts';
import type { MessageFault } from '../../../src-core/mcp/readMessages.ts';

interface Passed {
  /** What the SDK reads. */
  text: string;
  /** The messages that are recorded. */
  texts: string[];
  faults: MessageFault[];
}

async function pass(pieces: Iterable<string | Uint8Array>, maxMessageBytes = 64 * 1024 * 1024): Promise<Passed> {
  const texts: string[] = [];
  const faults: MessageFault[] = [];
  const bytes = Array.from(pieces, (piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece));
  const marked = markEvents(Readable.toWeb(Readable.from(bytes)) as ReadableStream<Uint8Array>, {
    maxMessageBytes,
    observer: { onFrame: () => undefined, onNote: () => undefined, onStderr: () => undefined },
    id: 1,
    onText: (text) => texts.push(text),
    onFault: (fault) => faults.push(fault),
  });
  return { text: await new Response(marked).text(), texts, faults };
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
