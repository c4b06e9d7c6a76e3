import type { RequestId } from '@modelcontextprotocol/client';

import { markIntegers } from '../base/exactNumber.ts';
import type { WireObserver } from './types.ts';
import type { MessageFault } from './readMessages.ts';

export interface MarkEventsOptions {
  maxMessageBytes: number;
  observer: WireObserver;
  /** The request that the stream answers; undefined of a stream that the client opened with GET. */
  id: RequestId | undefined;
  onText(text: string): void;
  onFault(fault: MessageFault): void;
}

/**
 * Passes on a stream of server-sent events with the long integers of each message marked (`markIntegers`). A message that is
 * too long is left out and reported as a fault of its request.
 */
export function markEvents(
  stream: ReadableStream<Uint8Array>,
  options: MarkEventsOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { maxMessageBytes, id, observer, onText, onFault } = options;
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = '';
  let lines: string[] = [];
  let length = 0;

  const finish = (): string => {
    const event = lines;
    const total = length;
    lines = [];
    length = 0;
    if (total > maxMessageBytes) {
      observer.onNote('note', `A message of ${total} bytes was dropped`);
      if (id !== undefined) onFault({ id, code: 'too-large', reason: '', bytes: total });
      return '';
    }
    try {
      return markEvent(event, onText);
    } catch {
      onFault({
        ...(id !== undefined && { id }),
        code: 'invalid-answer',
        reason: 'It has too many long numbers.',
        bytes: total,
      });
      return '';
    }
  };
  const take = (line: string): string => {
    if (line === '') return `${finish()}\n`;
    length += line.length;
    if (length <= maxMessageBytes) lines.push(line);
    return '';
  };
  const push = (text: string): string => {
    rest += text;
    // A carriage return at the end may be the first half of a line end.
    const parts = rest.split(/\r\n|\n|\r(?!$)/);
    rest = parts.pop() ?? '';
    if (length + rest.length > maxMessageBytes) {
      length += rest.length;
      lines = [];
      rest = '';
    }
    return parts.map(take).join('');
  };
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        const text = push(decoder.decode(chunk, { stream: true }));
        if (text !== '') controller.enqueue(encoder.encode(text));
      },
    }),
  );
}

function markEvent(lines: string[], onText: (text: string) => void): string {
  const data = lines.filter((line) => /^data(:|$)/.test(line)).map((line) => line.replace(/^data:? ?/, ''));
  const others = lines.filter((line) => !/^data(:|$)/.test(line));
  const type = others.findLast((line) => line.startsWith('event:'))?.replace(/^event: ?/, '') ?? 'message';
  const text = data.join('\n');
  const isMessage = type === 'message' && text !== '';
  if (isMessage) onText(text);
  const marked = (isMessage ? markIntegers(text) : text).split('\n').map((line) => `data: ${line}`);
  return [...others, ...(data.length > 0 ? marked : [])].map((line) => `${line}\n`).join('');
}
