import type { Tool } from '@modelcontextprotocol/server';

import type { Clock } from '../../base/clock.ts';
import { ToolError } from '../../base/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { ErrorReporter } from '../../base/reportError.ts';
import { version } from '../../base/version.ts';
import type { CallHost } from '../../registry/types.ts';
import type { CallingHost, HostOffer } from '../hosts/hostServer.ts';
import { answerText } from './answerText.ts';

/** Tools of one page. */
const pageSize = 50;
/** Calls that run at the same time. */
const maxCalls = 16;

/** Nothing can be asked of the other side. */
const silentHost: CallHost = {
  id: 'endpoint',
  log: () => undefined,
  closeStream: () => undefined,
  becomeTask: () => undefined,
  require(capability) {
    throw new ToolError('tool-error', `The endpoint does not support ${capability}, which this tool needs.`);
  },
};

interface EndpointPeerOptions {
  offer: Pick<HostOffer, 'tools' | 'call' | 'refuse'>;
  caller: CallingHost;
  /** `maxResultBytes`: of the text of a result. `timeoutMs`: the agent times out after 30 s. */
  limits: () => { maxResultBytes: number; timeoutMs: number };
  clock: Pick<Clock, 'after'>;
  send: (text: string) => void;
  /** The last call has ended. */
  onIdle: () => void;
  onError: ErrorReporter;
}

/**
 * Answers the other side of one connection, which asks us as an MCP client of 2024-11-05. Each request is answered, whatever the tool
 * does. Nothing is sent unasked.
 */
export class EndpointPeer {
  readonly #options: EndpointPeerOptions;
  readonly #calls = new Map<string, AbortController>();
  #isOpen = true;

  constructor(options: EndpointPeerOptions) {
    this.#options = options;
  }

  /** Calls that run. */
  get running(): number {
    return this.#calls.size;
  }

  /** Cancels what runs; nothing is sent any more. */
  close(): void {
    this.#isOpen = false;
    for (const ending of this.#calls.values()) ending.abort(new Error('The connection to the endpoint ended.'));
  }

  /** Takes one message; undefined if it could not be read. Never throws. */
  receive(message: JsonValue | undefined): void {
    if (message === undefined) return this.#fail(null, -32_700, 'The message is not JSON.');
    if (!isJsonObject(message)) return this.#fail(null, -32_600, 'A message is one JSON object.');
    const { id, method } = message;
    // An answer: nothing is asked here.
    if (typeof method !== 'string') return;
    const params = isJsonObject(message['params']) ? message['params'] : {};
    if (Object.hasOwn(message, 'id')) return this.#request(id ?? null, method, params);
    const cancelled = method === 'notifications/cancelled' ? params['requestId'] : undefined;
    if (cancelled !== undefined)
      this.#calls.get(JSON.stringify(cancelled))?.abort(new Error('Cancelled by the endpoint.'));
  }

  #answer(id: JsonValue, outcome: { result: JsonValue } | { error: JsonValue }): void {
    if (this.#isOpen) this.#options.send(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }));
  }

  #fail(id: JsonValue, code: number, message: string): void {
    this.#answer(id, { error: { code, message } });
  }

  #request(id: JsonValue, method: string, params: JsonObject): void {
    if (method === 'initialize') {
      const serverInfo = { name: 'toolwire', version };
      this.#answer(id, { result: { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo } });
    } else if (method === 'ping') this.#answer(id, { result: {} });
    else if (method === 'tools/list') this.#listTools(id, params);
    else if (method === 'tools/call') void this.#call(id, params);
    else this.#fail(id, -32_601, `The method "${method.slice(0, 100)}" is not supported.`);
  }

  #listTools(id: JsonValue, { cursor = '' }: JsonObject): void {
    const tools = this.#options.offer.tools();
    // The name of the last tool of a page: it stays valid when other tools come and go.
    const start = cursor === '' ? 0 : tools.findIndex(({ name }) => name === cursor) + 1;
    if (start === 0 && cursor !== '') return this.#fail(id, -32_602, 'The cursor is unknown.');
    const page = tools.slice(start, start + pageSize);
    const last = page.at(-1)?.name;
    const hasMore = last !== undefined && start + pageSize < tools.length;
    this.#answer(id, { result: { tools: page.map(plainTool), ...(hasMore && { nextCursor: last }) } });
  }

  async #call(id: JsonValue, params: JsonObject): Promise<void> {
    const { name, arguments: args = {} } = params;
    if (typeof name !== 'string' || !isJsonObject(args))
      return this.#fail(id, -32_602, 'tools/call needs a name and an object of arguments.');
    const key = JSON.stringify(id);
    if (this.#calls.has(key)) return this.#fail(id, -32_600, `A call with the id ${key.slice(0, 100)} runs already.`);
    if (this.#calls.size >= maxCalls) return this.#fail(id, -32_000, `${maxCalls} calls run already. Try again later.`);
    const ending = new AbortController();
    this.#calls.set(key, ending);
    try {
      const { offer, caller } = this.#options;
      const result = await this.#run(name, args, ending);
      if (result === undefined) this.#fail(id, -32_602, await offer.refuse({ name, args, caller }));
      else this.#answer(id, { result });
    } catch (error) {
      this.#options.onError(error, 'a call of an endpoint');
      this.#fail(id, -32_603, 'The call failed inside Toolwire.');
    } finally {
      this.#calls.delete(key);
      if (this.#calls.size === 0) this.#options.onIdle();
    }
  }

  /** Undefined if there is no such tool. */
  async #run(name: string, args: JsonObject, ending: AbortController): Promise<JsonObject | undefined> {
    const { offer, caller, limits, clock } = this.#options;
    const { maxResultBytes, timeoutMs } = limits();
    const late = Promise.withResolvers<'late'>();
    const stop = clock.after(timeoutMs, () => late.resolve('late'));
    const running = offer.call({
      name,
      args,
      caller,
      signal: ending.signal,
      host: silentHost,
      onProgress: () => undefined,
    });
    try {
      const result = await Promise.race([running, late.promise]);
      if (result === undefined) return undefined;
      if (result === 'late') {
        // The other side has its answer; that of the tool is not needed any more.
        void Promise.resolve(running).catch(() => undefined);
        ending.abort(new Error('The endpoint waits no longer.'));
        const text = `The tool did not answer within ${timeoutMs / 1_000} s and was cancelled.`;
        return { content: [{ type: 'text', text }], isError: true };
      }
      const text = answerText(result, maxResultBytes);
      return { content: [{ type: 'text', text }], isError: result.isError === true };
    } finally {
      stop();
    }
  }
}

/** The fields of 2024-11-05: the list has a bound that is counted in tokens. */
export function plainTool({ name, description, inputSchema }: Tool): JsonObject {
  return {
    name,
    ...(description !== undefined && { description }),
    inputSchema: inputSchema as unknown as JsonObject,
  };
}
