import { setImmediate } from 'node:timers/promises';

import type { Clock } from '../../../base/clock.ts';
import { parseExactly } from '../../../base/exactNumber.ts';
import type { JsonValue } from '../../../base/json.ts';
import type { ChatExchange } from '../../../contract/chatMessages.ts';
import type { Mask } from './createMask.ts';
import { cutLongTexts, cutText } from './cutLongText.ts';
import { separateCalls } from './separateCalls.ts';

/** Bytes of a response that are read; far more than any completion has. */
const maxResponseBytes = 16 * 1024 * 1024;
/** Characters of a response that are kept for display. */
const maxKept = 256 * 1024;
/** Bytes that are passed on in one turn: some hundred of the smallest parts of a reply, which take up to 20 ms to read. */
const maxPassedOn = 16 * 1024;
/** Characters at the end of a stream in which its closing `[DONE]` is looked for. */
const tailLength = 32;

/** Records one request of a step. */
export interface ExchangeRecorder {
  /** Sends and records a request. Follows no redirect: the key belongs to the address that was set. */
  fetch: typeof globalThis.fetch;
  /** Records that a part of the reply has arrived. */
  part: () => void;
  /** Status and headers of the answer; undefined while there is none. */
  answer: () => { status: number; headers: Headers } | undefined;
  /** The body so far, up to the kept length, with its credentials. Not for display. */
  body: () => string;
  /** True if a stream closed properly, with `[DONE]`. */
  isDone: () => boolean;
  /** The progress of the answer. */
  state: () => 'sent' | 'reading' | 'ended' | 'cut' | 'too-large';
  /** For display; undefined until a request is sent. */
  exchange: () => ChatExchange | undefined;
}

export interface RecordExchangeOptions {
  fetch: typeof globalThis.fetch;
  mask: Mask;
  clock: Clock;
}

/** Wraps `fetch` for one request, so that the raw exchange can be shown (docs/protocols/gateway.md#the-model). */
export function recordExchange({ fetch, mask, clock }: RecordExchangeOptions): ExchangeRecorder {
  let request: ChatExchange['request'] | undefined;
  let answer: { status: number; headers: Headers } | undefined;
  let state: ReturnType<ExchangeRecorder['state']> = 'sent';
  let startedAt = 0;
  let firstPartMs: number | undefined;
  let kept = '';
  let tail = '';
  let bytes = 0;

  function watch(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let waiting: Uint8Array = new Uint8Array();

    function passOn(controller: ReadableStreamDefaultController<Uint8Array>): void {
      controller.enqueue(waiting.subarray(0, maxPassedOn));
      waiting = waiting.subarray(maxPassedOn);
    }

    return new ReadableStream({
      async pull(controller) {
        await setImmediate();
        if (waiting.length > 0) return passOn(controller);
        const { done, value } = await reader.read().catch((error: unknown) => {
          state = 'cut';
          throw error;
        });
        if (done) {
          state = 'ended';
          controller.close();
          return;
        }
        bytes += value.byteLength;
        if (bytes > maxResponseBytes) {
          state = 'too-large';
          await reader.cancel();
          throw new Error('The answer is too large.');
        }
        const text = decoder.decode(value, { stream: true });
        if (kept.length <= maxKept) kept += text;
        tail = `${tail}${text}`.slice(-tailLength);
        waiting = value;
        passOn(controller);
      },
      cancel: (reason) => reader.cancel(reason),
    });
  }

  return {
    async fetch(input, init = {}) {
      const headers = [...new Headers(init.headers)];
      request = {
        method: init.method ?? 'GET',
        url: mask.url(String(input instanceof Request ? input.url : input)),
        headers: mask.headers(headers),
        body: readBody(init.body, mask),
      };
      startedAt = clock.now();
      const response = await fetch(input, { ...init, redirect: 'manual' });
      answer = { status: response.status, headers: response.headers };
      state = response.body === null ? 'ended' : 'reading';
      const seen = response.body && watch(response.body);
      const streams = /\bevent-stream\b/.test(response.headers.get('content-type') ?? '');
      return new Response(seen && streams ? separateCalls(seen) : seen, {
        status: response.status,
        statusText: response.statusText,
        headers: response.headers,
      });
    },
    part: () => {
      firstPartMs ??= clock.now() - startedAt;
    },
    answer: () => answer,
    body: () => kept,
    isDone: () => tail.trimEnd().endsWith('[DONE]'),
    state: () => state,
    exchange: () =>
      request && {
        request,
        ...(answer && {
          response: {
            status: answer.status,
            headers: mask.headers(answer.headers),
            body: cutText(mask.text(kept), maxKept),
          },
        }),
        durationMs: clock.now() - startedAt,
        ...(firstPartMs !== undefined && { firstPartMs }),
      },
  };
}

function readBody(body: unknown, mask: Mask): JsonValue {
  return typeof body === 'string' ? cutLongTexts(parseExactly(body), mask.text) : null;
}
