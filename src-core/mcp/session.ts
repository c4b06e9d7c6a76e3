import { AsyncResource } from 'node:async_hooks';

import type { JsonObject } from '../base/json.ts';
import { untilAborted } from '../base/untilAborted.ts';
import type { SignInProvider } from './auth/types.ts';
import type { Deadline } from './createDeadline.ts';
import { reasonOf, type RequestOptions } from './createRequests.ts';
import { McpError } from './errors.ts';
import type { Link } from './openLink.ts';

/** Runs a sign-in that holds up what waits for it. */
export type WhileSigningIn = (signIn: () => Promise<void>) => Promise<void>;

export interface SessionOptions {
  link: Link;
  /** Closes the link whose session the server has forgotten, and opens another. Signs in within `whileSigningIn`. */
  reopen(whileSigningIn: WhileSigningIn): Promise<Link>;
  /** Another session is open, in which the server knows nothing of the one before. */
  onReopened(): void;
  authProvider: SignInProvider | undefined;
}

/** The limit for one connection, and for one request of it. */
export const maxSignIns = 3;
/** Repeated without asking after the server has forgotten the session: they change nothing. */
const readOnlyMethods = new Set([
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'tasks/get',
  'tasks/result',
  'ping',
]);

/** What the requests of a connection are sent over: one link, and another once the server has forgotten its session. */
export class Session {
  link: Link;
  readonly #options: SessionOptions;
  /** Rejected for good if no other link could be opened: the connection has ended. */
  #reopening: Promise<void> | undefined;
  /** The deadlines of each request that waits for another link. */
  readonly #waiting = new Set<ReadonlySet<Deadline>>();
  #isSigningIn = false;
  /** A session that is opened again belongs to no call. */
  readonly #ofNoCall = new AsyncResource('MCP session');

  constructor(options: SessionOptions) {
    this.#options = options;
    this.link = options.link;
  }

  /** One request, repeated after a sign-in, or in another session if it changes nothing. @throws {McpError} */
  async send(method: string, params: JsonObject, request: RequestOptions, isReadOnly: boolean): Promise<JsonObject> {
    const mayRepeat = isReadOnly || readOnlyMethods.has(method);
    for (let signIns = 0; ; signIns += 1) {
      try {
        return await this.#sendOnce(method, params, request, mayRepeat);
      } catch (error) {
        // The server has refused the request without looking at it, so that it may be sent again.
        if (!(error instanceof McpError) || error.code !== 'unauthorized' || signIns === maxSignIns) throw error;
        await this.#signIn(error, request);
      }
    }
  }

  /** No time of the call passes meanwhile. */
  async #signIn(error: McpError, request: RequestOptions): Promise<void> {
    const { authProvider } = this.#options;
    if (authProvider === undefined) throw error;
    const { signal } = request;
    const deadlines = deadlinesOf(request);
    for (const each of deadlines) each.pause();
    try {
      await authProvider.signIn(signal, error.details.status === 403 ? 403 : 401);
    } catch (cause) {
      if (signal.aborted) throw reasonOf(signal);
      throw new McpError('unauthorized', cause instanceof Error ? cause.message : error.message, { cause });
    } finally {
      for (const each of deadlines) each.resume();
    }
  }

  async #sendOnce(
    method: string,
    params: JsonObject,
    request: RequestOptions,
    mayRepeat: boolean,
  ): Promise<JsonObject> {
    if (this.#reopening) await this.#untilReopened(this.#reopening, request);
    const { link } = this;
    try {
      return await link.requests.send(method, params, request);
    } catch (error) {
      if (!(error instanceof McpError) || error.code !== 'session-lost') throw error;
      if (link === this.link) this.#replace(error);
      if (!mayRepeat) throw error;
      if (this.#reopening) await this.#untilReopened(this.#reopening, request);
      return this.link.requests.send(method, params, request);
    }
  }

  #replace(lost: McpError): void {
    if (this.#reopening) return;
    // Its calls cannot be answered any more.
    this.link.requests.end(lost);
    this.#reopening = this.#ofNoCall.runInAsyncScope(async () => {
      this.link = await this.#options.reopen((signIn) => this.#whileSigningIn(signIn));
      this.#reopening = undefined;
      this.#options.onReopened();
    });
    // Reported by the calls that need it.
    this.#reopening.catch(() => undefined);
  }

  /** No time passes meanwhile for the requests that wait. */
  async #whileSigningIn(signIn: () => Promise<void>): Promise<void> {
    this.#isSigningIn = true;
    for (const each of [...this.#waiting].flatMap((deadlines) => [...deadlines])) each.pause();
    try {
      await signIn();
    } finally {
      this.#isSigningIn = false;
      for (const each of [...this.#waiting].flatMap((deadlines) => [...deadlines])) each.resume();
    }
  }

  /** A session that is being opened does not keep a call from ending. */
  async #untilReopened(reopening: Promise<void>, request: RequestOptions): Promise<void> {
    const stopped = AbortSignal.any([request.signal, request.deadline.expired]);
    const deadlines = deadlinesOf(request);
    this.#waiting.add(deadlines);
    if (this.#isSigningIn) for (const each of deadlines) each.pause();
    try {
      await untilAborted(
        () => reopening,
        stopped,
        () => reasonOf(stopped),
      );
    } finally {
      this.#waiting.delete(deadlines);
      if (this.#isSigningIn) for (const each of deadlines) each.resume();
    }
  }
}

function deadlinesOf({ deadline, callDeadline = deadline }: RequestOptions): ReadonlySet<Deadline> {
  return new Set([deadline, callDeadline]);
}
