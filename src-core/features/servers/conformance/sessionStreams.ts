import type { ServerResponse } from 'node:http';

import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';

/** Messages that wait for a stream. */
const maxQueued = 1_000;
const subscriptionKey = 'io.modelcontextprotocol/subscriptionId';
/** HTTP statuses of 2026-07-28, by error code. */
const statuses: Readonly<Record<number, number>> = {
  [-32700]: 400,
  [-32600]: 400,
  [-32601]: 404,
  [-32020]: 400,
  [-32021]: 400,
  [-32022]: 400,
};

/** A request of the suite that waits for its answer: JSON if that is all there is, else a stream of events. */
export class Exchange {
  readonly id: JsonValue;
  readonly progressToken: JsonValue | undefined;
  readonly #response: ServerResponse;
  readonly #headers: Record<string, string>;
  readonly #isModern: boolean;

  constructor(options: {
    id: JsonValue;
    message: JsonObject;
    response: ServerResponse;
    headers: Record<string, string>;
    isModern: boolean;
  }) {
    const { message, response, headers, isModern } = options;
    this.id = options.id;
    this.#response = response;
    this.#headers = headers;
    this.#isModern = isModern;
    const params = message['params'];
    const meta = isJsonObject(params) ? params['_meta'] : undefined;
    this.progressToken = isJsonObject(meta) ? meta['progressToken'] : undefined;
  }

  /** A message before the answer. */
  write(text: string): void {
    if (!this.#response.headersSent)
      this.#response.writeHead(200, { ...this.#headers, 'content-type': 'text/event-stream' });
    this.#response.write(`data: ${text}\n\n`);
  }

  answer(message: JsonObject, text: string): void {
    if (this.#response.headersSent) {
      this.write(text);
      this.#response.end();
      return;
    }
    const { error } = message;
    const code = isJsonObject(error) ? Number(error['code']) : 0;
    const status = this.#isModern ? (statuses[code] ?? 200) : 200;
    this.#response.writeHead(status, { ...this.#headers, 'content-type': 'application/json' }).end(text);
  }

  /** The server has ended. */
  fail(): void {
    if (this.#response.headersSent) this.#response.end();
    else this.#response.writeHead(502, this.#headers).end();
  }
}

/** The streams of one session: a message of the server goes to the request that it belongs to, as far as that can be told. */
export class SessionStreams {
  readonly #exchanges = new Set<Exchange>();
  readonly #queued: string[] = [];
  #listener: ServerResponse | undefined;
  isEnded = false;

  begin(exchange: Exchange): void {
    this.#exchanges.add(exchange);
    if (this.isEnded) this.end();
  }

  /** Returns whether it still waited. */
  forget(exchange: Exchange): boolean {
    return this.#exchanges.delete(exchange);
  }

  isWaiting(id: JsonValue | undefined): boolean {
    return [...this.#exchanges].some((each) => each.id === id);
  }

  /** Messages that belong to no request go to this stream from now on. */
  listen(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    this.#listener = response;
    for (const text of this.#queued.splice(0)) response.write(`data: ${text}\n\n`);
    response.on('close', () => {
      if (this.#listener === response) this.#listener = undefined;
    });
  }

  deliver(message: JsonObject, text: string): void {
    const { method, id } = message;
    const waiting = [...this.#exchanges];
    if (method === undefined) {
      const asked = waiting.find((each) => each.id === id);
      if (asked === undefined) return;
      this.#exchanges.delete(asked);
      asked.answer(message, text);
      return;
    }
    // A request or a notification: over stdio, only a token shows to which request it belongs.
    const owner = ownerOf(message, waiting) ?? waiting.at(-1);
    if (owner !== undefined) owner.write(text);
    else if (this.#listener !== undefined) this.#listener.write(`data: ${text}\n\n`);
    else if (this.#queued.length < maxQueued) this.#queued.push(text);
  }

  end(): void {
    this.isEnded = true;
    for (const exchange of this.#exchanges) exchange.fail();
    this.#exchanges.clear();
    this.#listener?.end();
  }
}

function ownerOf({ params }: JsonObject, waiting: readonly Exchange[]): Exchange | undefined {
  if (!isJsonObject(params)) return undefined;
  const { progressToken, _meta: meta } = params;
  const subscription = isJsonObject(meta) ? meta[subscriptionKey] : undefined;
  return waiting.find(
    (each) =>
      (progressToken !== undefined && each.progressToken === progressToken) ||
      (subscription !== undefined && each.id === subscription),
  );
}
