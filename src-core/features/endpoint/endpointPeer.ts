import { ToolError } from '../../base/errors.ts';
import type { Tool } from '@modelcontextprotocol/server';

import type { Clock } from '../../base/clock.ts';
import { parseIntegersExactly } from '../../base/exactNumber.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { ErrorReporter } from '../../base/reportError.ts';
import { version } from '../../base/version.ts';
import type { CallingHost, HostOffer } from '../hosts/hostServer.ts';
import { answerText } from './answerText.ts';

/** Tools of one page. */
const pageSize = 50;
/** Calls that run at the same time. */
const maxCalls = 16;

/** The other side of an endpoint, which asks us as an MCP client of 2024-11-05. */
export interface EndpointPeer {
  /** Takes one message. Never throws. */
  receive(text: string): void;
  running(): number;
  /** Cancels what runs; nothing is sent any more. */
  close(): void;
}

/** Answers the requests of one connection. Each request is answered, whatever the tool does. Nothing is sent unasked. */
export function createEndpointPeer(options: {
  offer: Pick<HostOffer, 'tools' | 'call'>;
  caller: CallingHost;
  /** `maxResultBytes`: of the text of a result. `timeoutMs`: the other side gives up after 30 s. */
  limits: () => { maxResultBytes: number; timeoutMs: number };
  clock: Pick<Clock, 'after'>;
  send: (text: string) => void;
  /** Called when the last call has ended. */
  onIdle: () => void;
  onError: ErrorReporter;
}): EndpointPeer {
  const { offer, caller, limits, clock, send, onIdle, onError } = options;
  const calls = new Map<string, AbortController>();
  let isOpen = true;

  function answer(id: JsonValue, outcome: { result: JsonValue } | { error: JsonValue }): void {
    if (isOpen) send(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }));
  }

  function fail(id: JsonValue, code: number, message: string): void {
    answer(id, { error: { code, message } });
  }

  async function call(id: JsonValue, params: JsonObject): Promise<void> {
    const { name, arguments: args = {} } = params;
    if (typeof name !== 'string' || !isJsonObject(args))
      return fail(id, -32_602, 'tools/call needs a name and an object of arguments.');
    const key = JSON.stringify(id);
    if (calls.has(key)) return fail(id, -32_600, `A call with the id ${key.slice(0, 100)} runs already.`);
    if (calls.size >= maxCalls) return fail(id, -32_000, `${maxCalls} calls run already. Try again later.`);
    const ending = new AbortController();
    calls.set(key, ending);
    try {
      const result = await run(name, args, ending);
      if (result === undefined) fail(id, -32_602, `There is no tool "${name.slice(0, 100)}".`);
      else answer(id, { result });
    } catch (error) {
      onError(error, 'a call of an endpoint');
      fail(id, -32_603, 'The call failed inside Toolwire.');
    } finally {
      calls.delete(key);
      if (calls.size === 0) onIdle();
    }
  }

  async function run(name: string, args: JsonObject, ending: AbortController): Promise<JsonObject | undefined> {
    const { maxResultBytes, timeoutMs } = limits();
    const late = Promise.withResolvers<'late'>();
    const stop = clock.after(timeoutMs, () => late.resolve('late'));
    const running = offer.call({
      name,
      args,
      caller,
      signal: ending.signal,
      host: {
        log: () => undefined,
        closeStream: () => undefined,
        require(capability) {
          throw new ToolError('tool-error', `The endpoint does not support ${capability}, which this tool needs.`);
        },
      },
      onProgress: () => undefined,
    });
    try {
      const result = await Promise.race([running, late.promise]);
      if (result === undefined) return undefined;
      if (result === 'late') {
        // Its answer comes too late for anybody.
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

  function listTools(id: JsonValue, { cursor }: JsonObject): void {
    const tools = offer.tools();
    // The name of the last tool of a page: it stays valid when other tools come and go.
    const start = cursor === undefined || cursor === '' ? 0 : tools.findIndex(({ name }) => name === cursor) + 1;
    if (start === 0 && cursor !== undefined && cursor !== '') return fail(id, -32_602, 'The cursor is unknown.');
    const page = tools.slice(start, start + pageSize);
    const last = page.at(-1)?.name;
    const hasMore = last !== undefined && start + pageSize < tools.length;
    answer(id, { result: { tools: page.map(plainTool), ...(hasMore && { nextCursor: last }) } });
  }

  function request(id: JsonValue, method: string, params: JsonObject): void {
    if (method === 'initialize') {
      const serverInfo = { name: 'toolwire', version };
      answer(id, { result: { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo } });
    } else if (method === 'ping') answer(id, { result: {} });
    else if (method === 'tools/list') listTools(id, params);
    else if (method === 'tools/call') void call(id, params);
    else fail(id, -32_601, `The method "${method.slice(0, 100)}" is not supported.`);
  }

  return {
    receive(text) {
      const message = parse(text);
      if (message === undefined) return fail(null, -32_700, 'The message is not JSON.');
      if (!isJsonObject(message)) return fail(null, -32_600, 'A message is one JSON object.');
      const { id, method } = message;
      // An answer: nothing is asked here.
      if (typeof method !== 'string') return;
      const params = isJsonObject(message['params']) ? message['params'] : {};
      if (Object.hasOwn(message, 'id')) return request(id ?? null, method, params);
      const cancelled = method === 'notifications/cancelled' ? params['requestId'] : undefined;
      if (cancelled !== undefined) calls.get(JSON.stringify(cancelled))?.abort(new Error('Cancelled by the endpoint.'));
    },
    running: () => calls.size,
    close() {
      isOpen = false;
      for (const ending of calls.values()) ending.abort(new Error('The connection to the endpoint ended.'));
    },
  };
}

/** The fields of 2024-11-05: the list has a bound that is counted in tokens. */
export function plainTool({ name, description, inputSchema }: Tool): JsonObject {
  return {
    name,
    ...(description !== undefined && { description }),
    inputSchema: inputSchema as unknown as JsonObject,
  };
}

function parse(text: string): JsonValue | undefined {
  try {
    return parseIntegersExactly(text);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}
