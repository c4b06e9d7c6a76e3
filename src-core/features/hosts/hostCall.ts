import { setImmediate } from 'node:timers/promises';

import { inputRequired, type InputRequiredResult, type Result, type ServerContext } from '@modelcontextprotocol/server';

import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { HostQuestionOptions } from '../../registry/types.ts';

/** What a tool asks the host for. */
export interface HostRequest {
  method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  params: JsonObject;
}

interface OpenRequest {
  request: HostRequest;
  resolve: (answer: JsonObject) => void;
}

/**
 * A call of a host that speaks 2026-07-28. There, a server cannot send requests: what the tool asks for is the answer of the
 * host's request, and the host repeats its request with the answers. The tool runs on meanwhile and waits for them.
 */
export class RoundTripCall<T extends Result = Result> {
  /** Whose call it is, and which: only the same host may go on with the same call. */
  readonly identity: string;
  /** Of the request that goes on with it: notes are sent there. */
  context: ServerContext | undefined;
  readonly #open = new Map<string, OpenRequest>();
  readonly #ending = new AbortController();
  readonly #outcome: Promise<T>;
  #asked = 0;
  #wake: (() => void) | undefined;

  constructor(identity: string, run: (call: RoundTripCall<T>) => Promise<T>) {
    this.identity = identity;
    this.#outcome = Promise.resolve().then(() => run(this));
    // `round` reports it; a call that the host never asks for again has nobody to report it to.
    this.#outcome.catch(() => undefined);
  }

  /** Aborts when the host cancels the call or does not return to it. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  cancel(reason: unknown): void {
    this.#ending.abort(reason);
  }

  /** Asks the host. Rejects if `signal` or the call aborts first. */
  ask(request: HostRequest, { signal, key: wanted }: HostQuestionOptions = {}): Promise<JsonObject> {
    const either = signal === undefined ? this.signal : AbortSignal.any([signal, this.signal]);
    either.throwIfAborted();
    const key = wanted ?? `${request.method.split('/', 1)[0] ?? ''}_${(this.#asked += 1)}`;
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.#open.delete(key);
        either.removeEventListener('abort', onAbort);
      };
      const onAbort = (): void => {
        end();
        reject(either.reason as Error);
      };
      either.addEventListener('abort', onAbort, { once: true });
      this.#open.set(key, {
        request,
        resolve: (answer) => {
          end();
          resolve(answer);
        },
      });
      this.#wake?.();
    });
  }

  /**
   * One request of the host: takes its answers, and returns the result of the call, or what the tool asks for next. What was
   * asked for and not answered is asked for again. `signal`: cancelling this request cancels the call.
   */
  async round(
    answers: Record<string, unknown> | undefined,
    { signal, state }: { signal: AbortSignal; state: () => Promise<string> },
  ): Promise<T | InputRequiredResult> {
    const onAbort = (): void => this.cancel(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      for (const [key, answer] of Object.entries(answers ?? {})) {
        // Untrusted: the tool checks what it reads of it.
        if (isJsonObject(answer as JsonValue)) this.#open.get(key)?.resolve(answer as JsonObject);
      }
      // The tool goes on with the answers before it is seen what it still asks for.
      if (answers !== undefined) await setImmediate();
      const asked = new Promise<undefined>((resolve) => (this.#wake = () => resolve(undefined)));
      const result = this.#open.size > 0 ? undefined : await Promise.race([this.#outcome, asked]);
      if (result !== undefined) return result;
      // What it asks for at the same time goes out together.
      await setImmediate();
      if (this.#open.size === 0) return await this.#outcome;
      const requests = [...this.#open].map(([key, { request }]) => [key, embedded(request)] as const);
      return inputRequired({ inputRequests: Object.fromEntries(requests), requestState: await state() });
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }
}

type Embedded = NonNullable<InputRequiredResult['inputRequests']>[string];

function embedded({ method, params }: HostRequest): Embedded {
  return { method, params } as unknown as Embedded;
}
