import type { ClientTool, GatewayMessage } from './messages.ts';

/** Bytes that a gateway takes in one message, with room for what is around a result. */
const maxResultBytes = 1024 * 1024 - 4096;

/** Runs the handlers of this client's tools. */
export class ToolRunner {
  readonly tools = new Map<string, ClientTool>();
  readonly #running = new Set<{ controller: AbortController; ofTurn: boolean }>();
  /** Callbacks of the turn that are still to come; the others are calls by hand, from the gateway's side. */
  #ofTurnDue = 0;

  /** So many callbacks of a turn follow. */
  expect(count: number): void {
    this.#ofTurnDue = count;
  }

  /** Runs one call and returns its `tool_result`; `undefined` if the call was aborted. Never rejects. */
  async run(call: Extract<GatewayMessage, { type: 'tool_callback' }>): Promise<object | undefined> {
    const { call_id: callId, tool_name: name, arguments: args } = call;
    const running = { controller: new AbortController(), ofTurn: this.#ofTurnDue > 0 };
    if (running.ofTurn) this.#ofTurnDue -= 1;
    this.#running.add(running);
    const { signal } = running.controller;
    let outcome: object;
    try {
      const tool = this.tools.get(name);
      if (tool === undefined) throw new Error(`Tool '${name}' not found`);
      outcome = { success: true, result: asJson(await tool.handler(args, { callId, signal })) };
    } catch (error) {
      outcome = { success: false, error: error instanceof Error ? error.message : String(error) };
    }
    this.#running.delete(running);
    return signal.aborted ? undefined : { type: 'tool_result', call_id: callId, ...outcome };
  }

  /** Aborts running calls: those of the turn, or all if the connection is lost. */
  abort(reason: Error, which: 'turn' | 'all'): void {
    this.#ofTurnDue = 0;
    for (const { controller, ofTurn } of this.#running) if (which === 'all' || ofTurn) controller.abort(reason);
  }
}

/** The value as JSON carries it. Throws if it has none, or if it is too large. */
function asJson(value: unknown): unknown {
  const text = JSON.stringify(value ?? null) as string | undefined;
  if (text === undefined) throw new Error(`The tool gave a value of type ${typeof value}, which has no JSON.`);
  const bytes = new TextEncoder().encode(text).length;
  if (bytes <= maxResultBytes) return JSON.parse(text);
  throw new Error(`The tool gave ${bytes} bytes; a gateway takes at most ${maxResultBytes}.`);
}
