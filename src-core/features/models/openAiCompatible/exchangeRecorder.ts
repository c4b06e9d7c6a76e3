import { setImmediate } from 'node:timers/promises';

import type { Clock } from '../../../base/clock.ts';
import { parseExactly } from '../../../base/exactNumber.ts';
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

/** Wraps `fetch` for one request, so that the raw exchange can be shown (docs/protocols/gateway.md#the-model). */
export class ExchangeRecorder {
  /** Status and headers of the answer; undefined while there is none. */
  answer: { status: number; headers: Headers } | undefined;
  /** The body so far, up to the kept length, with its credentials. Not for display. */
  body = '';
  /** The progress of the answer. */
  state: 'sent' | 'reading' | 'ended' | 'cut' | 'too-large' = 'sent';
  readonly #options: { fetch: typeof globalThis.fetch; mask: Mask; clock: Clock };
  #request: ChatExchange['request'] | undefined;
  #startedAt = 0;
  #firstPartMs: number | undefined;
  #tail = '';
  #bytes = 0;

  constructor(options: { fetch: typeof globalThis.fetch; mask: Mask; clock: Clock }) {
    this.#options = options;
  }

  /** Sends and records a request. Follows no redirect: the key belongs to the address that was set. */
  readonly fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const { fetch, mask, clock } = this.#options;
    this.#request = {
      method: init.method ?? 'GET',
      url: mask.url(String(input instanceof Request ? input.url : input)),
      headers: mask.headers([...new Headers(init.headers)]),
      body: typeof init.body === 'string' ? cutLongTexts(parseExactly(init.body), mask.text) : null,
    };
    this.#startedAt = clock.now();
    const response = await fetch(input, { ...init, redirect: 'manual' });
    const { status, statusText, headers } = response;
    this.answer = { status, headers };
    this.state = response.body === null ? 'ended' : 'reading';
    const seen = response.body && this.#watch(response.body);
    const streams = /\bevent-stream\b/.test(headers.get('content-type') ?? '');
    return new Response(seen && streams ? separateCalls(seen) : seen, { status, statusText, headers });
  };

  /** Records that a part of the reply has arrived. */
  part(): void {
    this.#firstPartMs ??= this.#options.clock.now() - this.#startedAt;
  }

  /** True if a stream closed properly, with `[DONE]`. */
  isDone(): boolean {
    return this.#tail.trimEnd().endsWith('[DONE]');
  }

  /** For display; undefined until a request is sent. */
  exchange(): ChatExchange | undefined {
    const { mask, clock } = this.#options;
    const response = this.answer && {
      status: this.answer.status,
      headers: mask.headers(this.answer.headers),
      body: cutText(mask.text(this.body), maxKept),
    };
    return (
      this.#request && {
        request: this.#request,
        ...(response && { response }),
        durationMs: clock.now() - this.#startedAt,
        ...(this.#firstPartMs !== undefined && { firstPartMs: this.#firstPartMs }),
      }
    );
  }

  #watch(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let waiting: Uint8Array = new Uint8Array();

    function passOn(controller: ReadableStreamDefaultController<Uint8Array>): void {
      controller.enqueue(waiting.subarray(0, maxPassedOn));
      waiting = waiting.subarray(maxPassedOn);
    }

    return new ReadableStream({
      pull: async (controller) => {
        await setImmediate();
        if (waiting.length > 0) return passOn(controller);
        const { done, value } = await reader.read().catch((error: unknown) => {
          this.state = 'cut';
          throw error;
        });
        if (done) {
          this.state = 'ended';
          controller.close();
          return;
        }
        this.#bytes += value.byteLength;
        if (this.#bytes > maxResponseBytes) {
          this.state = 'too-large';
          await reader.cancel();
          throw new Error('The answer is too large.');
        }
        const text = decoder.decode(value, { stream: true });
        if (this.body.length <= maxKept) this.body += text;
        this.#tail = `${this.#tail}${text}`.slice(-tailLength);
        waiting = value;
        passOn(controller);
      },
      cancel: (reason) => reader.cancel(reason),
    });
  }
}
