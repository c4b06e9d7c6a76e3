import type { Clock } from '../../base/clock.ts';
import { RequestError } from '../../base/requestError.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { RealtimeSessionFacts, RealtimeSessionUpdate } from '../baseRealtimeProvider.ts';
import { fieldOf, objectOf, textOf } from '../events/eventFields.ts';
import { realtimeLimits } from '../limits.ts';
import type { SessionChange } from '../dialects/sessionFields.ts';
import { findRefused, hasSetting, without, type SettingPath } from './refusedSettings.ts';
import type { ServerError } from './serverError.ts';

interface Update {
  change: RealtimeSessionUpdate;
  first: boolean;
  /** A refused setting is left out, and the rest is sent again. */
  dropRefused: boolean;
  /** How often it was sent without a refused setting. */
  retries: number;
  /** As it was sent last. */
  session: JsonObject;
  settled: PromiseWithResolvers<RealtimeSessionFacts>;
}

export interface SessionUpdatesOptions {
  /** The `session` of a change. */
  wire: (change: RealtimeSessionUpdate, more: SessionChange) => JsonObject;
  /** Sends a `session.update`. */
  send: (session: JsonObject) => void;
  /** The server refused these settings. The session is set without them. */
  onLeftOut: (names: string, reason: string) => void;
  clock: Clock;
}

/** Refusals after which first settings are given up. */
const maxRetries = 8;

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
  /** Settings that the server refused: no first settings contain them until a change that does is accepted. */
  #leftOut: SettingPath[] = [];
  #open = false;

  constructor(options: SessionUpdatesOptions, initial: RealtimeSessionUpdate) {
    this.#options = options;
    this.#accepted = initial;
  }

  /** A change, sent when its turn comes. Rejects with the server's error. */
  add(
    change: RealtimeSessionUpdate,
    { dropRefused = false }: { dropRefused?: boolean | undefined } = {},
  ): Promise<RealtimeSessionFacts> {
    const settled = Promise.withResolvers<RealtimeSessionFacts>();
    this.#waiting.push({ change, first: false, dropRefused, retries: 0, session: {}, settled });
    this.#next();
    return settled.promise;
  }

  /** All that the session is set to, at the start of a connection; whoever makes that decides how long it may take. */
  begin(): Promise<RealtimeSessionFacts> {
    const settled = Promise.withResolvers<RealtimeSessionFacts>();
    this.#send({ change: this.#accepted, first: true, dropRefused: true, retries: 0, session: {}, settled });
    return settled.promise;
  }

  /** The first settings are answered and the conversation is told again: changes may follow. */
  open(): void {
    this.#open = true;
    this.#next();
  }

  /** `session.updated` has come. Returns the tools that the server dropped without an error, if the change had tools. */
  answered(session: JsonObject | undefined): string[] {
    const current = this.#takeCurrent();
    if (current !== undefined) {
      this.#accepted = merge(this.#accepted, current.change);
      if (!current.dropRefused) this.#leftOut = this.#leftOut.filter((path) => !hasSetting(current.session, path));
    }
    const facts = factsOf(session, this.#accepted);
    current?.settled.resolve(facts);
    this.#next();
    if (current?.change.tools === undefined) return [];
    return facts.droppedTools.filter((name) => !this.#leftOut.some(([key, tool]) => key === 'tools' && tool === name));
  }

  /** A change is on its way. */
  get waits(): boolean {
    return this.#current !== undefined;
  }

  /** The server refused the change. False if none was on its way. */
  refused(error: Pick<ServerError, 'param' | 'message'>): boolean {
    const current = this.#takeCurrent();
    if (current === undefined) return false;
    if (!this.#sendWithout(current, error)) {
      current.settled.reject(new RequestError(`The server refused the session: ${error.message}`));
      this.#next();
    }
    return true;
  }

  /** Sends first settings again without what was refused. False if nothing can be left out. */
  #sendWithout(update: Update, error: Pick<ServerError, 'param' | 'message'>): boolean {
    if (!update.dropRefused || update.retries >= maxRetries) return false;
    const refused = findRefused(update.session, error, update.change.extra);
    if (refused.length === 0) return false;
    this.#leftOut.push(...refused);
    this.#options.onLeftOut(refused.map((path) => path.join('.')).join(', '), error.message);
    this.#send({ ...update, retries: update.retries + 1 });
    return true;
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
    const { clock, send, wire } = this.#options;
    const { change, first, dropRefused } = update;
    const session = wire(change, { first, all: merge(this.#accepted, change) });
    this.#current = { ...update, session: dropRefused ? without(session, this.#leftOut) : session };
    if (!first) this.#stopTimer = clock.after(realtimeLimits.answerMs, () => this.#giveUp());
    send(this.#current.session);
  }

  #giveUp(): void {
    const seconds = realtimeLimits.answerMs / 1000;
    const message = `The server has not answered session.update for ${seconds} s. Try again, or reconnect.`;
    this.#takeCurrent()?.settled.reject(new RequestError(message));
    this.#next();
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
