import { setImmediate } from 'node:timers/promises';

import type { RequestId } from '@modelcontextprotocol/client';

import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { WireObserver } from './types.ts';
import { endsOf, faultOfEnds, markMessage, type MessageFault } from './readMessages.ts';

export interface MarkEventsOptions {
  maxMessageBytes: number;
  observer: WireObserver;
  /** The request that the stream answers; undefined of a stream that the client opened with GET. */
  id: RequestId | undefined;
  onText(text: string): void;
  onFault(fault: MessageFault): void;
}

/**
 * Passes on a stream of server-sent events with the long integers of each message marked (`markMessage`). A message that is
 * too long is skipped and reported as a fault of the request that it answers.
 * @returns The answer instead, if the stream has nothing else and has arrived with its head: two more streams in the SDK would take
 *   longer than all else that is done for it.
 */
export async function markEvents(
  stream: ReadableStream<Uint8Array>,
  options: MarkEventsOptions,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | JsonObject> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const marker = createMarker(options);
  const reader = stream.getReader();
  let passed = '';
  let next: ReturnType<typeof reader.read> | undefined = reader.read();
  const turn = setImmediate(undefined);
  for (;;) {
    // The stream that is returned reports an error.
    const part = await Promise.race([next, turn]).catch(() => undefined);
    const answer = part?.done === true ? marker.onlyAnswer() : undefined;
    if (answer !== undefined) return answer;
    if (part === undefined || part.done) break;
    passed += marker.push(decoder.decode(part.value, { stream: true }));
    next = reader.read();
  }
  // Cheaper than a TransformStream.
  return new ReadableStream({
    async pull(controller) {
      while (passed === '') {
        const { done, value } = await (next ?? reader.read());
        next = undefined;
        if (done) return controller.close();
        passed = marker.push(decoder.decode(value, { stream: true }));
      }
      controller.enqueue(encoder.encode(passed));
      passed = '';
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

interface Marker {
  /** Takes the next piece of the stream. Returns the events that end in it, marked. */
  push(text: string): string;
  /** The answer to the request, if there was no other event. */
  onlyAnswer(): JsonObject | undefined;
}

function createMarker(options: MarkEventsOptions): Marker {
  const { maxMessageBytes, observer, onText } = options;
  let parts: string[] = [];
  let length = 0;
  let dropped: { start: string; end: string } | undefined;
  const split = createEventSplitter();
  let events = 0;
  let last = '';

  const add = (text: string): void => {
    length += Buffer.byteLength(text);
    if (dropped) {
      dropped.end = endsOf(dropped.end + endsOf(text).end).end;
      return;
    }
    parts.push(text);
    if (length <= maxMessageBytes) return;
    const all = parts.join('');
    dropped = endsOf(all);
    parts = [];
  };
  const report = (ends: { start: string; end: string }, of: Omit<MessageFault, 'id'>): void => {
    const fault = faultOfEnds({ ...ends, own: options.id }, of);
    if (fault) options.onFault(fault);
  };
  const finish = (): string => {
    const [received, bytes, ends] = [parts.join(''), length, dropped];
    parts = [];
    length = 0;
    dropped = undefined;
    if (ends) {
      observer.onNote('note', `A message of ${bytes} bytes was dropped`);
      // The end begins within a line of data.
      const data = { start: readEvent(ends.start).text, end: readEvent(`data: ${ends.end}`).text };
      report(data, { code: 'too-large', reason: '', bytes });
      return '';
    }
    const event = readEvent(received);
    const { text, others } = event;
    const isMessage = event.type === 'message' && text !== '';
    if (isMessage) onText(text);
    events += 1;
    try {
      const marked = isMessage ? markMessage(text) : text;
      last = isMessage && events === 1 ? marked : '';
      const data = marked.split('\n').map((line) => `data: ${line}`);
      return [...others, ...(event.hasData ? data : []), ''].map((line) => `${line}\n`).join('');
    } catch (error) {
      report(endsOf(text), { code: 'invalid-answer', reason: (error as Error).message, bytes });
      return '';
    }
  };
  return {
    push(text) {
      const { ended, rest } = split(text);
      const passed = ended.map((event) => {
        add(event);
        return finish();
      });
      add(rest);
      return passed.join('');
    },
    onlyAnswer: () => (events === 1 ? answerIn(last, options.id) : undefined),
  };
}

/** The message in a text, if it answers the request. */
function answerIn(text: string, id: RequestId | undefined): JsonObject | undefined {
  if (id === undefined || text === '') return undefined;
  try {
    const message = JSON.parse(text) as JsonValue;
    return isJsonObject(message) && message['id'] === id && !('method' in message) ? message : undefined;
  } catch {
    // The SDK reports it.
    return undefined;
  }
}

/** Splits text that arrives in pieces into events, with `\n` as the line end. `rest` continues with the next piece. */
function createEventSplitter(): (text: string) => { ended: string[]; rest: string } {
  /** A line end at the end of what was read: whether it ends the event is not known yet. */
  let held = '';
  /** A line feed that follows belongs to the same line end. */
  let endsWithReturn = false;
  return (text) => {
    const lines = endsWithReturn && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') endsWithReturn = text.endsWith('\r');
    const ended = (held + lines.replace(/\r\n?/g, '\n')).split('\n\n');
    const rest = ended.pop() ?? '';
    held = rest.endsWith('\n') ? '\n' : '';
    return { ended, rest: rest.slice(0, rest.length - held.length) };
  };
}

function readEvent(received: string): { type: string; text: string; hasData: boolean; others: string[] } {
  const lines = received.split('\n').filter((line) => line !== '');
  const isData = (line: string): boolean => /^data(:|$)/.test(line);
  const data = lines.filter(isData).map((line) => line.replace(/^data:? ?/, ''));
  const others = lines.filter((line) => !isData(line));
  const type = others.findLast((line) => line.startsWith('event:'))?.replace(/^event: ?/, '') || 'message';
  return { type, text: data.join('\n'), hasData: data.length > 0, others };
}
