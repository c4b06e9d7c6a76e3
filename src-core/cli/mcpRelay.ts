import type { Readable } from 'node:stream';

import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';

/** Characters of one message. A longer one is refused, and the connection goes on. */
const maxLine = 64 * 1024 * 1024;
/** ms for answers that are still under way when standard input ends. */
const lastAnswersMs = 1_000;

/** The way to the workbench: one JSON-RPC message per text. */
export interface McpLink {
  send(text: string): void;
  /** Called once. */
  open(onText: (text: string) => void): void;
  /** Resolves when the workbench has ended it: `revoked` if the user did, so that no other is opened. */
  closed: Promise<'lost' | 'revoked'>;
  close(): void;
}

/**
 * Passes messages between a host at standard input and output, and the workbench. If the workbench ends, opens another link,
 * repeats the handshake there, and answers the requests that were lost with an error. Ends at most 1 s after standard input,
 * also if no link is open yet; one that opens later is closed.
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

/** The requests that wait for their answers, and the handshake of a host before 2026-07-28. */
class Requests {
  readonly #open = new Map<string, JsonValue>();
  #initialize: JsonObject | undefined;
  /** Answers to a handshake that we repeated, which the host does not expect. */
  readonly #unexpected = new Set<string>();
  #repeated = 0;
  #onAnswered: (() => void) | undefined;

  /** Notes a message of the host. Returns the answer if it is too long. */
  sent(line: string): string | undefined {
    if (line.length > maxLine) return errorText(null, -32_600, `A message has at most ${maxLine} characters.`);
    const message = read(line);
    if (message?.['method'] === undefined || message['id'] === undefined) return undefined;
    this.#open.set(JSON.stringify(message['id']), message['id']);
    if (message['method'] === 'initialize') this.#initialize = message;
    return undefined;
  }

  /** Notes a message of the workbench. False if the host must not see it. */
  answered(text: string): boolean {
    const message = read(text);
    if (message === undefined || message['method'] !== undefined || message['id'] === undefined) return true;
    const key = JSON.stringify(message['id']);
    if (this.#unexpected.delete(key)) return false;
    this.#open.delete(key);
    if (this.#open.size === 0) this.#onAnswered?.();
    return true;
  }

  /** Answers for the requests whose workbench has ended. */
  lost(): string[] {
    const ids = [...this.#open.values()];
    this.#open.clear();
    this.#onAnswered?.();
    return ids.map((id) => errorText(id, -32_000, 'The connection to Toolwire was lost, so there is no answer.'));
  }

  /** What a new workbench has to be told first. Nothing if the host's own handshake is still to be answered. */
  handshake(): string[] {
    if (this.#initialize === undefined || this.#open.has(JSON.stringify(this.#initialize['id']))) return [];
    const id = `toolwire-again-${(this.#repeated += 1)}`;
    this.#unexpected.add(JSON.stringify(id));
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    return [JSON.stringify({ ...this.#initialize, id }), JSON.stringify(initialized)];
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
