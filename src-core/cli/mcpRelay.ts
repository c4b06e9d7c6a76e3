import type { Readable } from 'node:stream';

import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';

/** Characters of one message. A longer one is refused, and the connection goes on. */
const maxLine = 64 * 1024 * 1024;
/** ms for answers that are still under way when standard input ends. */
const lastAnswersMs = 1_000;

/** The way to the workbench: one JSON-RPC message per text. */
export interface McpLink {
  send(text: string): void;
  /** Passes the texts of the workbench to `onText`. It is called once. */
  open(onText: (text: string) => void): void;
  /** Resolves when the workbench has ended it: `revoked` if the user did, so that no other is opened. */
  closed: Promise<'lost' | 'revoked'>;
  close(): void;
}

/**
 * Passes messages between a host at standard input and output, and the workbench. If the workbench ends, opens another link,
 * repeats the handshake, the log level and the subscriptions there, and answers the requests that were lost with an error. Ends
 * at most 1 s after standard input, also if no link is open yet; one that opens later is closed.
 * @returns `input` once standard input has ended, `revoked` if the user ended the connection.
 */
export async function relayMcp(options: {
  input: Readable;
  write: (line: string) => void;
  connect: () => Promise<McpLink>;
  /** Ends everything. */
  signal: AbortSignal;
}): Promise<'input' | 'revoked'> {
  const { input, write, connect, signal } = options;
  const requests = new Requests();
  const waiting: string[] = [];
  let link: McpLink | undefined;
  const ended = readLines(input, signal, (line) => {
    const refusal = requests.sent(line);
    if (refusal !== undefined) write(refusal);
    else if (link === undefined) waiting.push(line);
    else link.send(line);
  });
  const answered = ended.then((outcome) => requests.whenAnswered(lastAnswersMs).then(() => outcome));

  for (;;) {
    const connecting = connect();
    const opened = await Promise.race([connecting, answered]);
    if (opened === 'input') {
      // Its failure is the caller's to report.
      connecting.then(
        (late) => late.close(),
        () => undefined,
      );
      return opened;
    }
    link = opened;
    link.open((text) => {
      if (requests.answered(text)) write(text);
    });
    for (const line of [...requests.handshake(), ...waiting.splice(0)]) link.send(line);
    const outcome = await Promise.race([answered, link.closed]);
    if (outcome === 'input') {
      link.close();
      return outcome;
    }
    link = undefined;
    for (const line of requests.lost()) write(line);
    if (outcome === 'revoked') return outcome;
  }
}

/** Requests of a host before 2026-07-28 whose effect ends with the connection. */
const sessionMethods: readonly unknown[] = [
  'initialize',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
];

/** The requests that wait for their answers, and those that a new workbench must receive again. */
class Requests {
  /** The requests by their ids as JSON. Only the id is kept, except for `sessionMethods`. */
  readonly #open = new Map<string, JsonObject>();
  /** Accepted requests that are repeated, by their effect. */
  readonly #accepted = new Map<string, JsonObject>();
  /** Ids of repeated requests, whose answers the host does not expect. */
  readonly #unexpected = new Set<string>();
  #repeated = 0;
  #onAnswered: (() => void) | undefined;

  /** Notes a message of the host. Returns the answer if it is too long. */
  sent(line: string): string | undefined {
    if (line.length > maxLine) return errorText(null, -32_600, `A message has at most ${maxLine} characters.`);
    const message = read(line);
    const { id, method, params } = message ?? {};
    if (method === 'notifications/cancelled' && isJsonObject(params)) this.#close(JSON.stringify(params['requestId']));
    if (message === undefined || method === undefined || id === undefined) return undefined;
    this.#open.set(JSON.stringify(id), sessionMethods.includes(method) ? message : { id });
    return undefined;
  }

  /** Notes a message of the workbench. False if the host must not see it. */
  answered(text: string): boolean {
    const message = read(text);
    if (message === undefined || message['method'] !== undefined || message['id'] === undefined) return true;
    const key = JSON.stringify(message['id']);
    if (this.#unexpected.delete(key)) return false;
    if (message['error'] === undefined) this.#accept(this.#open.get(key));
    this.#close(key);
    return true;
  }

  #accept({ method, ...request }: JsonObject = {}): void {
    if (method === undefined) return;
    const uri = isJsonObject(request['params']) ? request['params']['uri'] : undefined;
    if (method === 'resources/unsubscribe') this.#accepted.delete(`resources/subscribe ${String(uri)}`);
    else this.#accepted.set(`${String(method)} ${String(uri)}`, { method, ...request });
  }

  #close(key: string): void {
    this.#open.delete(key);
    if (this.#open.size === 0) this.#onAnswered?.();
  }

  /** Answers for the requests whose workbench has ended. */
  lost(): string[] {
    const requests = [...this.#open.values()];
    this.#open.clear();
    this.#unexpected.clear();
    this.#onAnswered?.();
    const message = 'The connection to Toolwire was lost, so there is no answer.';
    return requests.map(({ id = null }) => errorText(id, -32_000, message));
  }

  /** What a new workbench must receive first: the handshake, the log level and the subscriptions of the host. */
  handshake(): string[] {
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    return [...this.#accepted.values()].flatMap((request) => {
      const id = `toolwire-again-${(this.#repeated += 1)}`;
      this.#unexpected.add(JSON.stringify(id));
      const repeated = { ...request, id };
      return (request['method'] === 'initialize' ? [repeated, initialized] : [repeated]).map((one) =>
        JSON.stringify(one),
      );
    });
  }

  /** Resolves when none is open, or after `ms`. */
  whenAnswered(ms: number): Promise<void> {
    if (this.#open.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#onAnswered = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function read(text: string): JsonObject | undefined {
  try {
    const message = JSON.parse(text) as JsonValue;
    return isJsonObject(message) ? message : undefined;
  } catch {
    // The workbench answers it as what it is.
    return undefined;
  }
}

function errorText(id: JsonValue, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}

/** Calls `onLine` for each line; resolves when the stream ends or breaks, or `signal` aborts. */
function readLines(input: Readable, signal: AbortSignal, onLine: (line: string) => void): Promise<'input'> {
  return new Promise((resolve) => {
    const end = (): void => resolve('input');
    let pieces: string[] = [];
    input.setEncoding('utf8');
    input.on('data', (chunk: string) => {
      const lines = chunk.split('\n');
      pieces.push(lines.shift() ?? '');
      for (const next of lines) {
        const line = pieces.join('').trim();
        pieces = [next];
        if (line !== '') onLine(line);
      }
    });
    input.once('end', end).once('close', end).once('error', end);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
}
