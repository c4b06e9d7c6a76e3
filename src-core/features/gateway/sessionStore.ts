import { randomUUID } from 'node:crypto';

import { createEarlierResults } from '../../engine/earlierResults.ts';
import type { Clock } from '../../base/clock.ts';
import type { GatewaySession, SessionNodes } from '../cluster/movedSession.ts';
import type { GatewaySessionMessage } from '../../contract/gateway.ts';

/** A conversation, which may span several connections (docs/protocols/gateway.md#sessions). */
export interface Session extends GatewaySession {
  /** Epoch ms of the last message on any connection of it. */
  lastActiveAt: number;
  /** Connections that are in it now. */
  readonly connections: Set<string>;
  /** Aborts when the session is ended: its turns end with it. Expiring does not abort. */
  readonly ended: AbortSignal;
}

/** Messages of a session that are kept, and that go to the model with the new one (docs/protocols/gateway.md). */
export const historyLength = 10;

interface KeptSession extends Session {
  messages: GatewaySessionMessage[];
  /** Time of the monotonic clock. */
  activeAt: number;
  ending: AbortController;
}

/** Sessions without a connection that are kept; the least recently active is dropped first. */
const maxDetached = 1_000;
/** Characters of their messages and tool results together. */
const maxDetachedChars = 64 * 1024 * 1024;

interface SessionOptions {
  clock: Pick<Clock, 'wall' | 'now'>;
  timeoutMs: () => number;
  nodes?: SessionNodes | undefined;
}

/** All sessions. They outlive their connections (docs/protocols/gateway.md#sessions). */
export class SessionStore {
  /** Of silence after which a session expires. */
  readonly timeoutMs: () => number;
  readonly #clock: SessionOptions['clock'];
  readonly #nodes: SessionNodes | undefined;
  /** The least recently active first. */
  readonly #sessions = new Map<string, KeptSession>();

  constructor({ clock, timeoutMs, nodes }: SessionOptions) {
    this.#clock = clock;
    this.timeoutMs = timeoutMs;
    this.#nodes = nodes;
  }

  create({ id = this.#nodes?.newId() ?? randomUUID(), startedAt = this.#clock.wall(), moves = 0 } = {}): Session {
    const ending = new AbortController();
    const session: KeptSession = {
      id,
      startedAt,
      moves,
      lastActiveAt: this.#clock.wall(),
      activeAt: this.#clock.now(),
      messages: [],
      results: createEarlierResults(),
      connections: new Set<string>(),
      ending,
      ended: ending.signal,
    };
    this.#sessions.set(session.id, session);
    this.#dropDetached();
    return session;
  }

  /** Undefined if there is no such session or it has expired. */
  get(id: string): Session | undefined {
    this.sweep();
    return this.#sessions.get(id);
  }

  /** All sessions, the least recently active first. */
  list(): Session[] {
    this.sweep();
    return [...this.#sessions.values()];
  }

  /** Records that a message arrived on one of its connections. */
  touch(session: Session): void {
    const known = this.#sessions.get(session.id);
    if (known === undefined || known !== session) return;
    known.lastActiveAt = this.#clock.wall();
    known.activeAt = this.#clock.now();
    this.#sessions.delete(known.id);
    this.#sessions.set(known.id, known);
  }

  /** Remembers the question and answer of a successful turn. */
  remember(session: Session, messages: readonly GatewaySessionMessage[]): void {
    const known = this.#sessions.get(session.id);
    if (known !== session) return;
    known.messages.splice(0, Infinity, ...[...known.messages, ...messages].slice(-historyLength));
    this.#nodes?.keep(known);
  }

  /** Forgets a session and aborts its turns. Returns false if there is no such session. */
  end(id: string): boolean {
    const session = this.#sessions.get(id);
    if (session !== undefined) this.#nodes?.ended(session);
    return this.release(id);
  }

  /** The same, but it goes on at another node. */
  release(id: string): boolean {
    this.#sessions.get(id)?.ending.abort();
    return this.#sessions.delete(id);
  }

  /** Forgets what has expired. */
  sweep(): void {
    const silentSince = this.#clock.now() - this.timeoutMs();
    for (const [id, { activeAt }] of this.#sessions) {
      if (activeAt > silentSince) return;
      this.#sessions.delete(id);
    }
  }

  #dropDetached(): void {
    const detached = [...this.#sessions.values()].filter(({ connections }) => connections.size === 0);
    let count = detached.length;
    let chars = detached.reduce((sum, session) => sum + charsOf(session), 0);
    for (const session of detached) {
      if (count <= maxDetached && chars <= maxDetachedChars) return;
      this.#sessions.delete(session.id);
      count -= 1;
      chars -= charsOf(session);
    }
  }
}

function charsOf({ messages, results }: Session): number {
  return messages.reduce((sum, { content }) => sum + content.length, results.size);
}
