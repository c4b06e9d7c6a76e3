import { setImmediate } from 'node:timers/promises';

import { inputRequired, type InputRequiredResult, type Result, type ServerContext } from '@modelcontextprotocol/server';

import { ToolError } from '../../base/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { HostQuestionOptions } from '../../registry/types.ts';
import { currentCallId } from '../frames/mcp/mcpFrames.ts';

/** What a tool asks the host for. */
export interface HostRequest {
  method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  params: JsonObject;
}

interface OpenRequest {
  request: HostRequest;
  resolve: (answer: JsonObject) => void;
  reject: (reason: Error) => void;
}

/**
 * A call of a host that speaks 2026-07-28. There, a server cannot send requests: what the tool asks for is the answer of the
 * host's request, and the host repeats its request with the answers. The tool runs on meanwhile and waits for them.
 */
export class RoundTripCall<T extends Result = Result> {
  /** Which call it is: only the same call may go on with it. */
  readonly identity: string;
  /** The id in the history. Undefined if the call is none of a tool. */
  readonly callId = currentCallId();
  /** The context of the open request; notes are sent there. Undefined between the rounds, and for a task. */
  context: ServerContext | undefined;
  /** What the tool said of its progress last. */
  progress = '';
  /** The result of the call. */
  readonly outcome: Promise<T>;
  readonly #open = new Map<string, OpenRequest>();
  readonly #ending = new AbortController();
  #asked = 0;
  #isSlow = false;
  #wake: (() => void) | undefined;

  constructor(identity: string, run: (call: RoundTripCall<T>) => Promise<T>) {
    this.identity = identity;
    this.outcome = Promise.resolve().then(() => run(this));
    // `round` reports it; the error of a call that the host never asks for again is not reported.
    this.outcome.catch(() => undefined);
  }

  /** Aborts when the host cancels the call or does not return to it. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  cancel(reason: unknown): void {
    this.#ending.abort(reason);
  }

  /** Whether the tool waits for answers of the host. */
  get isAsking(): boolean {
    return this.#open.size > 0;
  }

  /** Lets the call continue as a task, if the host accepts tasks. */
  becomeTask(): void {
    this.#isSlow = true;
    this.#wake?.();
  }

  /** What the tool asks for and has no answer to. */
  questions(): Record<string, Embedded> {
    return Object.fromEntries([...this.#open].map(([key, { request }]) => [key, embedded(request)]));
  }

  /** Passes answers to the tool, which checks what it reads of them: they are untrusted. */
  answer(answers: Record<string, unknown>): void {
    for (const [key, answer] of Object.entries(answers))
      if (isJsonObject(answer as JsonValue)) this.#open.get(key)?.resolve(answer as JsonObject);
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
      const fail = (reason: Error): void => {
        end();
        reject(reason);
      };
      const onAbort = (): void => fail(either.reason as Error);
      either.addEventListener('abort', onAbort, { once: true });
      this.#open.set(key, {
        request,
        resolve: (answer) => {
          end();
          resolve(answer);
        },
        reject: fail,
      });
      this.#wake?.();
    });
  }

  /** Rejects the questions that the host does not support, so that its request is not refused while the call still waits. */
  #withdraw(missingFor: RoundOptions['missingFor']): void {
    for (const { request, reject } of this.#open.values()) {
      const missing = missingFor(request);
      if (missing !== undefined) reject(undeclared(missing));
    }
  }

  /**
   * One request of the host: reads its answers, and returns the result of the call, or what the tool asks for next. What was
   * requested and not answered is requested again. Cancelling the request cancels the call.
   * @returns `slow` if the call continues as a task, which `mayBeTask` allows.
   */
  async round(
    context: ServerContext,
    { answers, missingFor, mayBeTask, state }: RoundOptions,
  ): Promise<T | InputRequiredResult | 'slow'> {
    const { signal } = context.mcpReq;
    this.context = context;
    const onAbort = (): void => this.cancel(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      this.answer(answers ?? {});
      // The tool continues with the answers before its next questions are read.
      if (answers !== undefined) await setImmediate();
      for (;;) {
        const woken = new Promise<undefined>((resolve) => (this.#wake = () => resolve(undefined)));
        const isDue = this.isAsking || (this.#isSlow && mayBeTask());
        const result = isDue ? undefined : await Promise.race([this.outcome, woken]);
        if (result !== undefined) return result;
        // Questions that are asked at the same time are sent together.
        await setImmediate();
        if (this.#isSlow && mayBeTask()) return 'slow';
        this.#withdraw(missingFor);
        if (this.isAsking) return inputRequired({ inputRequests: this.questions(), requestState: await state() });
      }
    } finally {
      this.context = undefined;
      signal.removeEventListener('abort', onAbort);
    }
  }
}

/** The error of a tool that needs a capability which the host does not declare. */
export function undeclared(capability: string): ToolError {
  return new ToolError('tool-error', `The host does not support ${capability}, which this tool needs.`);
}

interface RoundOptions {
  /** The capability that a question needs and the request of this round does not declare. */
  missingFor: (question: HostRequest) => string | undefined;
  /** The answers of the host. Undefined in the first round. */
  answers: Record<string, unknown> | undefined;
  mayBeTask: () => boolean;
  /** Returns the state with which the host must repeat its request. */
  state: () => Promise<string>;
}

type Embedded = NonNullable<InputRequiredResult['inputRequests']>[string];

function embedded({ method, params }: HostRequest): Embedded {
  return { method, params } as unknown as Embedded;
}
