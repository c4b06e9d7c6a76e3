import type { Clock } from '../../tools/clock.ts';
import { RequestError } from '../../tools/requestError.ts';
import type { JsonObject } from '../../tools/json.ts';
import type { RealtimeSessionFacts, RealtimeSessionUpdate } from '../baseRealtimeProvider.ts';
import { fieldOf, objectOf, textOf } from '../events/eventFields.ts';
import { isJsonObject } from '../../tools/json.ts';
import { realtimeLimits } from '../limits.ts';

interface Update {
  change: RealtimeSessionUpdate;
  first: boolean;
  settled: PromiseWithResolvers<RealtimeSessionFacts>;
}

export interface SessionUpdatesOptions {
  /** Sends a `session.update`. */
  send: (change: RealtimeSessionUpdate, options: { first: boolean }) => void;
  clock: Clock;
}

/**
 * Changes of the session, one at a time: `session.updated` names no event that it answers. What the server took is kept for
 * the next connection; a change that was on its way when the connection broke is refused, since nobody knows what became of it.
 */
export class SessionUpdates {
  readonly #options: SessionUpdatesOptions;
  readonly #waiting: Update[] = [];
  #current: Update | undefined;
  #stopTimer = (): void => {};
  #accepted: RealtimeSessionUpdate;
  #open = false;

  constructor(options: SessionUpdatesOptions, initial: RealtimeSessionUpdate) {
    this.#options = options;
    this.#accepted = initial;
  }

  /** A change, sent when its turn comes. Rejects with the server's error. */
  add(change: RealtimeSessionUpdate): Promise<RealtimeSessionFacts> {
    const settled = Promise.withResolvers<RealtimeSessionFacts>();
    this.#waiting.push({ change, first: false, settled });
    this.#next();
    return settled.promise;
  }

  /** All that the session is set to, at the start of a connection; whoever makes that decides how long it may take. */
  begin(): Promise<RealtimeSessionFacts> {
    const settled = Promise.withResolvers<RealtimeSessionFacts>();
    this.#send({ change: this.#accepted, first: true, settled });
    return settled.promise;
  }

  /** The first settings are answered and the conversation is told again: changes may follow. */
  open(): void {
    this.#open = true;
    this.#next();
  }

  /** `session.updated` has come. Gives what the session is, and whether a change of tools was answered. */
  answered(session: JsonObject | undefined): { facts: RealtimeSessionFacts; toolsChanged: boolean } {
    const current = this.#takeCurrent();
    if (current !== undefined) this.#accepted = merge(this.#accepted, current.change);
    const facts = factsOf(session, this.#accepted);
    current?.settled.resolve(facts);
    this.#next();
    return { facts, toolsChanged: current?.change.tools !== undefined };
  }

  /** The server refused the change. False where none was on its way. */
  refused(error: RequestError): boolean {
    const current = this.#takeCurrent();
    current?.settled.reject(error);
    this.#next();
    return current !== undefined;
  }

  /** The connection is gone; with `ended` none follows, and changes that wait are refused too. */
  lost(error: Error, { ended }: { ended: boolean }): void {
    this.#open = false;
    this.#takeCurrent()?.settled.reject(error);
    if (ended) for (const { settled } of this.#waiting.splice(0)) settled.reject(error);
  }

  #next(): void {
    if (!this.#open || this.#current !== undefined) return;
    const next = this.#waiting.shift();
    if (next !== undefined) this.#send(next);
  }

  #send(update: Update): void {
    this.#current = update;
    const { clock, send } = this.#options;
    if (!update.first) this.#stopTimer = clock.after(realtimeLimits.answerMs, () => this.#giveUp());
    send(update.change, { first: update.first });
  }

  #giveUp(): void {
    const seconds = realtimeLimits.answerMs / 1000;
    this.refused(
      new RequestError(`The server has not answered session.update for ${seconds} s. Try again, or reconnect.`),
    );
  }

  #takeCurrent(): Update | undefined {
    const current = this.#current;
    this.#current = undefined;
    this.#stopTimer();
    return current;
  }
}

function merge(settings: RealtimeSessionUpdate, change: RealtimeSessionUpdate): RealtimeSessionUpdate {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...settings, ...Object.fromEntries(given) };
}

/** Flat tools have their name beside the type, nested ones in `function`. */
function factsOf(session: JsonObject | undefined, settings: RealtimeSessionUpdate): RealtimeSessionFacts {
  const echoed = fieldOf(session, 'tools');
  const tools = (Array.isArray(echoed) ? echoed : [])
    .filter(isJsonObject)
    .map((tool) => textOf(tool, 'name') ?? textOf(objectOf(tool, 'function'), 'name') ?? '')
    .filter((name) => name !== '');
  const has = new Set(tools);
  const sent = (settings.tools ?? []).map(({ name }) => name);
  return { tools: tools.slice(0, realtimeLimits.tools), droppedTools: sent.filter((name) => !has.has(name)) };
}
