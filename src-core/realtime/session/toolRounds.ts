import { realtimeLimits } from '../limits.ts';

/** A function call of the model that is not settled. */
export interface OpenCall {
  readonly callId: string;
  readonly name: string;
  /** As the model wrote them. */
  readonly argumentsText: string;
  readonly responseId: string;
  /** Set once the tool has ended. */
  output?: string;
  /** Has gone out on the connection that is open now. */
  sent: boolean;
  /** The server has said that the output is part of the conversation. */
  confirmed: boolean;
  /** The response that began with the output in the conversation. */
  answeredBy?: string;
}

/** The calls of one response. */
interface Round {
  /** Calls without an output that was sent. */
  readonly open: Set<string>;
  /** `response.done` has come, or never will. */
  done: boolean;
  /** No answer is asked for: the user has cut the response short. */
  quiet: boolean;
  /** An answer has been asked for. */
  asked: boolean;
}

/**
 * Keeps every call until a response has ended whole that began with its output, so that a new session can be told both. Says when
 * all outputs of a response are sent and the model may be asked to go on: once a round (docs/protocols/realtime.md).
 */
export class ToolRounds {
  readonly #onComplete: () => void;
  readonly #seen = new Set<string>();
  readonly #calls = new Map<string, OpenCall>();
  readonly #rounds = new Map<string, Round>();
  /** Responses that have ended, for calls that are found in them afterwards. */
  #lastDone: { id: string; quiet: boolean } | undefined;

  constructor(onComplete: () => void) {
    this.#onComplete = onComplete;
  }

  /** True for a call that has come before. */
  isKnown(callId: string): boolean {
    return this.#seen.has(callId);
  }

  /** How many tools run now. */
  get running(): number {
    let count = 0;
    for (const call of this.#calls.values()) if (call.output === undefined) count += 1;
    return count;
  }

  open(call: { callId: string; name: string; argumentsText: string; responseId: string }): void {
    remember(this.#seen, call.callId, realtimeLimits.rememberedCalls);
    this.#calls.set(call.callId, { ...call, sent: false, confirmed: false });
    let round = this.#rounds.get(call.responseId);
    if (round === undefined) {
      const done = this.#lastDone?.id === call.responseId ? this.#lastDone : undefined;
      round = { open: new Set(), done: done !== undefined, quiet: done?.quiet ?? false, asked: false };
      this.#rounds.set(call.responseId, round);
    }
    round.open.add(call.callId);
  }

  /** The call that waits for an output; undefined if none of this id does. */
  waiting(callId: string): OpenCall | undefined {
    const call = this.#calls.get(callId);
    return call !== undefined && call.output === undefined ? call : undefined;
  }

  /** The output of a call has gone out. */
  sent(call: OpenCall): void {
    call.sent = true;
    this.#rounds.get(call.responseId)?.open.delete(call.callId);
    this.#complete(call.responseId);
    this.#forgetOldest();
  }

  /** The server has the output of this call in the conversation. */
  confirmed(callId: string): void {
    const call = this.#calls.get(callId);
    if (call?.sent === true) call.confirmed = true;
  }

  /** The server will not take the output of this call: it is not sent again. */
  refused(callId: string): void {
    this.#settle(callId);
  }

  responseCreated(responseId: string): void {
    for (const call of this.#calls.values()) {
      const told = call.confirmed || (call.sent && this.#rounds.get(call.responseId)?.asked === true);
      if (told) call.answeredBy ??= responseId;
    }
  }

  /** A response has ended, with this status of the server's. */
  responseDone(responseId: string, status: string): void {
    const quiet = status === 'cancelled';
    this.#lastDone = { id: responseId, quiet };
    for (const call of [...this.#calls.values()]) {
      if (call.answeredBy !== responseId) continue;
      if (quiet || status === 'failed') this.#answerBrokeOff(call, { quiet });
      else this.#settle(call.callId);
    }
    const round = this.#rounds.get(responseId);
    if (round === undefined) return;
    round.done = true;
    round.quiet ||= quiet;
    this.#complete(responseId);
  }

  /** No spoken answer is asked for to what runs now; the outputs are delivered all the same. */
  silence(): void {
    for (const round of this.#rounds.values()) round.quiet = true;
  }

  /** The connection is gone: the next session must be told of every call again, and asked for the answers. */
  lost(): void {
    for (const call of this.#calls.values()) {
      call.sent = false;
      call.confirmed = false;
      delete call.answeredBy;
      const round = this.#rounds.get(call.responseId);
      if (round === undefined) continue;
      round.open.add(call.callId);
      round.asked = false;
      round.done = true;
    }
  }

  /** Every call that is not settled, in their order. */
  unsettled(): OpenCall[] {
    return [...this.#calls.values()];
  }

  #complete(responseId: string): void {
    const round = this.#rounds.get(responseId);
    if (round === undefined || !round.done || round.open.size > 0 || round.asked) return;
    round.asked = true;
    if (!round.quiet) this.#onComplete();
  }

  /** The response that began with its output says nothing of it: a later one, or one of a new session, may. */
  #answerBrokeOff(call: OpenCall, { quiet }: { quiet: boolean }): void {
    delete call.answeredBy;
    const round = this.#rounds.get(call.responseId);
    if (round !== undefined) round.quiet ||= quiet;
  }

  #settle(callId: string): void {
    const call = this.#calls.get(callId);
    if (call === undefined) return;
    this.#calls.delete(callId);
    this.#rounds.get(call.responseId)?.open.delete(callId);
    for (const other of this.#calls.values()) if (other.responseId === call.responseId) return;
    this.#rounds.delete(call.responseId);
  }

  /** A server that confirms nothing and answers nothing must not make the list grow. */
  #forgetOldest(): void {
    const sent = [...this.#calls.values()].filter((call) => call.sent);
    for (const call of sent.slice(0, Math.max(0, sent.length - realtimeLimits.unconfirmedCalls)))
      this.#settle(call.callId);
  }
}

function remember(set: Set<string>, value: string, limit: number): void {
  set.add(value);
  for (const oldest of set) {
    if (set.size <= limit) return;
    set.delete(oldest);
  }
}
