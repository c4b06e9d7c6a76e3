import { ToolError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { parseExactly } from '../../base/exactNumber.ts';
import type { Clock } from '../../base/clock.ts';
import type { ContentBlock } from '../../base/toolTypes.ts';
import { untilAborted } from '../../base/untilAborted.ts';
import type { InvokeOptions, ToolOutput, ToolRegistry } from '../../registry/types.ts';
import { parseMessage, type Bus, type BusMessage } from './bus.ts';
import type { Inbox, Unsent } from './inbox.ts';
import { hasLeft, mayHaveRun, notRun, refusalText, tooLong } from './callErrors.ts';
import { answer as answerSchema, outcome as outcomeSchema, pagesAhead, wireVersion } from './messages.ts';
import type { Answer, Call } from './messages.ts';
import { moveMs } from './movingDevices.ts';
import { Pieces } from './pieces.ts';

/** ms in which an owner accepts a call. It refuses one that arrives later, so that nothing runs after the caller gave up. */
export const acceptMs = 2_000;
/** ms without an answer after which the owner is asked how far the call is: its answer may have been lost. */
const askAfterMs = 2_000;
/** Questions in a row that an owner may leave without an answer. */
const maxUnanswered = 5;
/** ms between attempts to cancel a call at its owner, until a caller that is away counts as lost there. */
const cancelAgainMs = 1_000;
const cancelAttempts = 6;
const maxHops = 2;
/** ms between looks for a device that moves. */
const lookMs = 50;
/** 128 MiB: more than an outcome may have. */
const maxOutcomeBytes = 134_217_728;

interface Target {
  node: string;
  connection: number;
}

export interface SentCallDeps {
  bus: Bus;
  inbox: Inbox;
  node: string;
  clock: Clock;
  nameOf: (node: string) => string;
  /** The node is about to restart. */
  isDraining: (node: string) => boolean;
  /** The current connection of the device with this id, at any node that is not draining. */
  locate: (id: string) => Target | { registry: ToolRegistry; hash: string } | undefined;
}

interface NewCall {
  deviceName: string;
  request: Omit<Call, 'at' | 'connection'>;
  args: JsonObject;
  options: InvokeOptions;
  resolve: (output: ToolOutput) => void;
  reject: (error: unknown) => void;
}

/** Where an answer comes from. */
interface Place {
  owner: string;
  hops: number;
  topic: string;
  /** Pieces of the outcome that have arrived there. */
  pieces: number;
}

/** A call that a node has sent to the owner of its device, from its message to its end. */
export class SentCall {
  readonly #deps: SentCallDeps;
  readonly #open: Set<SentCall>;
  readonly #call: NewCall;
  /** The node that it waits for; undefined while it waits for its device to move. */
  owner: string | undefined;
  /** The owner has it, or may have it: it may run. */
  #isAccepted = false;
  #unanswered = 0;
  /** Of its outcome. */
  #pieces = new Pieces(maxOutcomeBytes);
  #stopTimer: (() => void) | undefined;
  #stopWaiting: (() => void) | undefined;
  /** Nodes that restart: the call is not sent there again. */
  readonly #refusedBy = new Set<string>();
  /** When the first of them refused it. */
  #followsSince: number | undefined;
  /** End the waits for answers to the call, and to the last question how far it is. */
  #stopListening: (() => void) | undefined;
  #stopAsking: (() => void) | undefined;

  constructor(deps: SentCallDeps, open: Set<SentCall>, call: NewCall) {
    this.#deps = deps;
    this.#open = open;
    this.#call = call;
  }

  send({ node: owner, connection }: Target, hops: number): void {
    const { bus, inbox, clock } = this.#deps;
    const { request, options } = this.#call;
    this.#stopWaiting?.();
    this.#isAccepted = false;
    this.#pieces = new Pieces(maxOutcomeBytes);
    if (this.#deps.isDraining(owner)) return this.#follow(owner, refusalText('draining', this.#deps.nameOf(owner)));
    const onAbort = (): void => this.#cancel(owner);
    this.owner = owner;
    this.#open.add(this);
    options.signal.addEventListener('abort', onAbort, { once: true });
    this.#stopWaiting = () => {
      this.#stopTimer?.();
      this.#stopListening?.();
      this.#stopAsking?.();
      this.#open.delete(this);
      options.signal.removeEventListener('abort', onAbort);
    };
    const data: Call = { ...request, at: clock.now(), connection };
    options.onStart?.();
    this.#stopListening = inbox.ask(`n.${owner}.call`, data, this.#listenerFor(owner, hops));
    const { outages } = bus;
    this.#stopTimer = clock.after(acceptMs, () => {
      // The owner may have it, and its answer was lost.
      if (outages !== bus.outages) {
        this.#isAccepted = true;
        return this.#await(owner, hops);
      }
      this.#failSilent(owner);
    });
  }

  #failSilent(owner: string): void {
    this.#cancelAt(owner);
    this.#fail(mayHaveRun(`The node "${this.#deps.nameOf(owner)}", which has the device, does not answer.`));
  }

  /** Nothing ran, and the device is about to connect to another node, or to this one: the call waits for it. */
  #follow(owner: string, reason: string): void {
    this.#refusedBy.add(owner);
    const { clock, locate } = this.#deps;
    const { request, options } = this.#call;
    this.#stopWaiting?.();
    options.onReturn?.();
    if (options.signal.aborted) return this.#fail(options.signal.reason);
    const since = (this.#followsSince ??= clock.now());
    const onAbort = (): void => this.#fail(options.signal.reason);
    options.signal.addEventListener('abort', onAbort, { once: true });
    this.owner = undefined;
    this.#open.add(this);
    this.#stopWaiting = () => {
      this.#stopTimer?.();
      this.#open.delete(this);
      options.signal.removeEventListener('abort', onAbort);
    };
    const look = (): void => {
      const at = locate(request.device);
      const found = at !== undefined && 'node' in at && this.#refusedBy.has(at.node) ? undefined : at;
      if (found === undefined && clock.now() - since < moveMs) this.#stopTimer = clock.after(lookMs, look);
      else if (found === undefined) this.#fail(notRun(reason));
      else if ('node' in found) this.send(found, 0);
      else this.#runHere(found);
    };
    look();
  }

  /** The device is at this node by now. */
  #runHere({ registry, hash }: { registry: ToolRegistry; hash: string }): void {
    const { request, args, options, resolve } = this.#call;
    if (hash !== request.hash) return this.#fail(notRun(refusalText('changed', '')));
    this.#stopWaiting?.();
    const late = new AbortController();
    let stopTimer: (() => void) | undefined;
    const start = (): void => {
      options.onStart?.();
      const message = `"${options.shownName ?? request.method}" did not answer within ${request.timeoutMs / 1_000} s.`;
      stopTimer = this.#deps.clock.after(request.timeoutMs, () => late.abort(new ToolError('timeout', message)));
    };
    const { onWait: _, ...given } = options;
    const signal = AbortSignal.any([options.signal, late.signal]);
    const run = (): Promise<ToolOutput> => registry.invoke(request.method, args, { ...given, signal, onStart: start });
    void untilAborted(run, signal)
      .then(resolve, (error: unknown) => this.#fail(error))
      .finally(() => stopTimer?.());
  }

  /** Waits for the next answer, and asks for it if it does not come. */
  #await(owner: string, hops: number): void {
    this.#stopTimer?.();
    this.#stopTimer = this.#deps.clock.after(askAfterMs, () => this.#ask(owner, hops));
  }

  /** Asks how far the call is. Its outcome goes on after the pieces that have arrived. */
  #ask(owner: string, hops: number): void {
    if (this.#unanswered === maxUnanswered) return this.#failSilent(owner);
    this.#unanswered += 1;
    const { node, n } = this.#call.request;
    const question = { v: wireVersion, node, n, from: this.#pieces.bytes };
    this.#stopAsking?.();
    this.#stopAsking = this.#deps.inbox.ask(`n.${owner}.status`, question, this.#listenerFor(owner, hops));
    this.#await(owner, hops);
  }

  /** Its caller has cancelled it. Only the owner knows whether the device has got it. */
  #cancel(owner: string): void {
    const { clock, nameOf } = this.#deps;
    const fail = (): void =>
      this.#fail(mayHaveRun(`The call was cancelled, and the node "${nameOf(owner)}" does not answer.`));
    this.#stopTimer?.();
    if (!this.#cancelAt(owner)) return fail();
    this.#stopTimer = clock.after(acceptMs, fail);
  }

  /** Sent again while the broker does not take it. Returns whether it has taken it at once. */
  #cancelAt(owner: string, attempts = cancelAttempts): boolean {
    const { bus, clock } = this.#deps;
    const { node, n } = this.#call.request;
    const isSent = bus.publish(`n.${owner}.cancel`, { v: wireVersion, node, n }) === 'sent';
    if (!isSent && attempts > 1) clock.after(cancelAgainMs, () => void this.#cancelAt(owner, attempts - 1));
    return isSent;
  }

  #endCancelled(answer: Answer): void {
    const { kind } = answer;
    if (kind === 'accepted' || kind === 'progress' || kind === 'unknown') return;
    const ended = kind === 'outcome' ? outcomeSchema.safeParse(answer.outcome).data : undefined;
    if (kind === 'refused' || ended?.error?.details?.['ran'] === false) this.#call.options.onReturn?.();
    this.#fail(this.#call.options.signal.reason);
  }

  /** This node leaves the cluster. */
  close(): void {
    if (this.owner === undefined) return this.#fail(notRun(hasLeft));
    this.#cancelAt(this.owner, 1);
    this.#fail(mayHaveRun(hasLeft));
  }

  /**
   * The owner has gone, maybe in order. The message that it had accepted the call may have been lost. One that was only stopped does
   * not run it later.
   */
  lose(owner: string): void {
    this.#cancelAt(owner);
    const name = this.#deps.nameOf(owner);
    this.#fail(mayHaveRun(`The connection to the node "${name}", which has the device, was lost.`));
  }

  /** Takes the answers to one message. */
  #listenerFor(owner: string, hops: number): (message: BusMessage | Unsent) => void {
    let pieces = 0;
    return (message) => {
      this.#unanswered = 0;
      if (typeof message === 'string') return this.#notDelivered(message, owner);
      const read = answerSchema.safeParse(message.data);
      if (!read.success) return this.#failUnreadable(owner);
      if (read.data.kind === 'piece') pieces += 1;
      this.#takeAnswer(read.data, { owner, hops, pieces, topic: message.topic });
    };
  }

  #notDelivered(why: Unsent, owner: string): void {
    const name = this.#deps.nameOf(owner);
    if (this.#isAccepted) {
      // While the broker takes no message, the owner goes on with the call.
      if (why === 'away' || why === 'busy') return;
      return this.#fail(mayHaveRun(`The node "${name}" has ended.`));
    }
    if (why === 'no-subscriber' && this.#deps.isDraining(owner))
      this.#follow(owner, `The node "${name}" cannot be reached.`);
    else if (why === 'large') this.#fail(tooLong(this.#deps.bus.tooLong));
    else if (why === 'busy')
      this.#fail(notRun('The broker is busy: it does not take messages fast enough. Try again later.'));
    else this.#fail(notRun(`The node "${name}" cannot be reached.`));
  }

  #takeAnswer(answer: Answer, place: Place): void {
    const { owner, hops } = place;
    if (this.#call.options.signal.aborted) return this.#endCancelled(answer);
    if (answer.kind === 'refused') return this.#refused(answer, owner, hops);
    if (answer.kind === 'outcome') return this.#end(answer.outcome, owner);
    if (answer.kind === 'unknown')
      return this.#fail(mayHaveRun(`The node "${this.#deps.nameOf(owner)}" no longer knows the call.`));
    this.#isAccepted = true;
    this.#await(owner, hops);
    if (answer.kind === 'piece') this.#takePiece(answer, place);
    if (answer.kind !== 'progress') return;
    const { progress, total, message } = answer;
    this.#call.options.onProgress?.({
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
    });
  }

  #refused({ why, owner: next }: Extract<Answer, { kind: 'refused' }>, owner: string, hops: number): void {
    const { nameOf, node } = this.#deps;
    const here = next?.node === node ? this.#deps.locate(this.#call.request.device) : undefined;
    if (here !== undefined && 'registry' in here) this.#runHere(here);
    else if (next?.node === node) this.#fail(notRun('The device has moved to this node. Call it again.'));
    else if (why === 'draining') this.#follow(owner, refusalText(why, nameOf(owner)));
    else if (next !== undefined && hops < maxHops) this.send(next, hops + 1);
    else this.#fail(notRun(refusalText(why, nameOf(owner))));
  }

  #takePiece(piece: Extract<Answer, { kind: 'piece' }>, { owner, hops, topic, pieces }: Place): void {
    if (!this.#pieces.take(piece)) {
      if (this.#pieces.bytes > maxOutcomeBytes) return this.#failUnreadable(owner);
      // One was lost. The owner keeps the outcome; the pieces that still arrive here are of no use.
      this.#stopListening?.();
      return this.#ask(owner, hops);
    }
    if (piece.isLast) return this.#end(parseMessage(this.#pieces.join()), owner);
    if (pieces % pagesAhead === 0) this.#deps.inbox.askForMore(owner, topic);
  }

  #end(value: unknown, owner: string): void {
    const read = outcomeSchema.safeParse(value);
    if (!read.success) return this.#failUnreadable(owner);
    const { durationMs, text, content, remark, error } = read.data;
    let structuredContent: unknown;
    try {
      if (read.data.structuredContent !== undefined) structuredContent = parseExactly(read.data.structuredContent);
    } catch {
      return this.#failUnreadable(owner);
    }
    this.#call.options.onTimed?.(durationMs);
    if (error?.code === 'cancelled') {
      const reason = `The call was cancelled at the node "${this.#deps.nameOf(owner)}".`;
      return this.#fail(error.details?.['ran'] === false ? notRun(reason) : mayHaveRun(reason));
    }
    // The restart may have ended it, for example at a load balancer: the device is not to blame.
    if (error?.code === 'disconnected' && this.#deps.isDraining(owner)) {
      const lost = `The connection to "${this.#call.deviceName}" was lost while its node "${this.#deps.nameOf(owner)}" was restarting.`;
      return this.#fail(mayHaveRun(lost));
    }
    if (error !== undefined && (error.code !== 'tool-error' || content === undefined)) {
      const { code, message, ...facts } = error;
      return this.#fail(new ToolError(code as ToolError['code'], message, facts));
    }
    this.#stopWaiting?.();
    this.#call.resolve({
      value: text,
      ...(content && { content: content as unknown as ContentBlock[] }),
      ...(structuredContent !== undefined && { structuredContent }),
      ...(remark !== undefined && { remark }),
      ...(error !== undefined && { isError: true }),
    });
  }

  #failUnreadable(owner: string): void {
    const message = `The node "${this.#deps.nameOf(owner)}" sent an unreadable answer. The call may have run.`;
    this.#fail(new ToolError('protocol-error', message));
  }

  #fail(error: unknown): void {
    this.#stopWaiting?.();
    this.#call.reject(error);
  }
}
