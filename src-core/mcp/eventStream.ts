import type { RequestId } from '@modelcontextprotocol/client';

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
 */
export function markEvents(
  stream: ReadableStream<Uint8Array>,
  options: MarkEventsOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { maxMessageBytes, observer, onText } = options;
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let parts: string[] = [];
  let length = 0;
  let dropped: { start: string; end: string } | undefined;
  const split = createEventSplitter();

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
    try {
      const data = (isMessage ? markMessage(text) : text).split('\n').map((line) => `data: ${line}`);
      return [...others, ...(event.hasData ? data : []), ''].map((line) => `${line}\n`).join('');
    } catch (error) {
      report(endsOf(text), { code: 'invalid-answer', reason: (error as Error).message, bytes });
      return '';
    }
  };
  const push = (text: string): string => {
    const { ended, rest } = split(text);
    const passed = ended.map((event) => {
      add(event);
      return finish();
    });
    add(rest);
    return passed.join('');
  };
  const reader = stream.getReader();
  // Cheaper than a TransformStream.
  return new ReadableStream({
    async pull(controller) {
      for (let text = ''; text === '';) {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        text = push(decoder.decode(value, { stream: true }));
        if (text !== '') controller.enqueue(encoder.encode(text));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
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
