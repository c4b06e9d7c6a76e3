import { randomUUID } from 'node:crypto';
import * as z from 'zod';

import type { Clock } from '../../base/clock.ts';
import type { Bus, BusMessage } from './bus.ts';
import type { Inbox } from './inbox.ts';
import type { Member } from './members.ts';
import { isUnderstood, wireVersion } from './messages.ts';
import {
  moved,
  movedSession,
  settle,
  type MovedSession,
  type SessionNodes,
  type SessionPlace,
} from './movedSession.ts';
import { LostRaceError, type SharedStore } from './sharedStore.ts';

/** ms in which the node of a session hands it over. */
const answerMs = 2_000;
/** The ids of a cluster's sessions: a node and a random part. */
const idOfCluster = /^[0-9a-f]{16}\.[\w-]{36}$/;
/** Sessions that are taken over at once; for further ones there is none. */
const maxTaking = 100;
/** Turns whose copies wait to be stored; the copies of further turns are skipped. */
const maxKeeping = 1_000;

const request = z.object({ v: z.int(), id: z.string().regex(idOfCluster) });
const answer = z.object({ session: z.unknown().optional() });

interface Deps {
  bus: Bus;
  inbox: Inbox;
  node: string;
  clock: Clock;
  members: { list: () => Member[] };
  /** The store of the last turns; undefined if they are not kept. */
  store: SharedStore | undefined;
  /** The sessions of this node's gateway; undefined if there is none. */
  place: () => SessionPlace | undefined;
  onError: (error: unknown, where: string) => void;
}

/** The sessions of the LLM gateways, which move to the node that their client reconnects to. */
export class SharedSessions {
  readonly #deps: Deps;
  readonly #taking = new Map<string, Promise<MovedSession | undefined>>();
  /** What is to be stored, by session: undefined if it was ended. The last of each counts. */
  readonly #keeping = new Map<string, MovedSession | undefined>();
  readonly #ending = new AbortController();
  #isWriting = false;
  #hasReported = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.bus.subscribe(`n.${deps.node}.session`, (message) => this.#give(message));
  }

  newId(): string {
    return `${this.#deps.node}.${randomUUID()}`;
  }

  mayHave(id: string): boolean {
    return idOfCluster.test(id);
  }

  take(id: string): Promise<MovedSession | undefined> {
    const known = this.#taking.get(id);
    if (known !== undefined || this.#taking.size >= maxTaking) return known ?? Promise.resolve(undefined);
    const taking = this.#askAll(id)
      .then((found) => found ?? this.#kept(id))
      .catch(() => undefined)
      .finally(() => this.#taking.delete(id));
    this.#taking.set(id, taking);
    return taking;
  }

  /** Stores the last turn of a session. */
  keep(session: Parameters<SessionNodes['keep']>[0]): void {
    if (this.#deps.store !== undefined) this.#keep(session.id, moved(session));
  }

  /** The copy of its last turn must not come back. */
  end(id: string): void {
    this.#keep(id, undefined);
  }

  #keep(id: string, session: MovedSession | undefined): void {
    if (this.#deps.store === undefined || !idOfCluster.test(id)) return;
    if (!this.#keeping.has(id) && this.#keeping.size >= maxKeeping) return;
    this.#keeping.set(id, session);
    if (!this.#isWriting) void this.#write();
  }

  close(): void {
    this.#ending.abort();
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    const { store } = this.#deps;
    try {
      await store?.open();
      for (const [id, session] of this.#keeping) {
        this.#keeping.delete(id);
        if (this.#ending.signal.aborted) break;
        await this.#put(id, session ?? { ended: true });
      }
    } catch (error) {
      // The next turn is kept again.
      this.#keeping.clear();
      if (!this.#hasReported && !this.#ending.signal.aborted)
        this.#deps.onError(new Error('The sessions of the gateway are not kept.', { cause: error }), 'the cluster');
      this.#hasReported = true;
    } finally {
      this.#isWriting = false;
    }
  }

  async #put(id: string, value: object, isAgain = false): Promise<void> {
    const { store } = this.#deps;
    const before = await store?.get(keyOf(id));
    try {
      await store?.put(keyOf(id), value, before?.seq ?? 0);
    } catch (error) {
      if (!(error instanceof LostRaceError) || isAgain) throw error;
      await this.#put(id, value, true);
    }
  }

  /** The copy of its last turn, if the node that had it is gone. */
  async #kept(id: string): Promise<MovedSession | undefined> {
    const { store } = this.#deps;
    if (store === undefined || this.#ending.signal.aborted) return undefined;
    return read(id, (await store.get(keyOf(id)))?.value);
  }

  /** The first node that hands it over. */
  #askAll(id: string): Promise<MovedSession | undefined> {
    const { members, clock } = this.#deps;
    const asked = members.list().filter(({ state, beat }) => state !== 'lost' && isUnderstood(beat.v));
    return new Promise((resolve) => {
      let waiting = asked.length;
      const stops: (() => void)[] = [];
      const end = (found?: MovedSession): void => {
        for (const stop of stops) stop();
        resolve(found);
      };
      if (waiting === 0 || this.#ending.signal.aborted) return end();
      stops.push(clock.after(answerMs, end));
      const abort = (): void => end();
      this.#ending.signal.addEventListener('abort', abort);
      stops.push(() => this.#ending.signal.removeEventListener('abort', abort));
      for (const { node } of asked) {
        const stop = this.#deps.inbox.ask(`n.${node}.session`, { v: wireVersion, id }, (message) => {
          stop();
          const data = typeof message === 'string' ? undefined : answer.safeParse(message.data).data;
          const found = read(id, data?.session);
          waiting -= 1;
          if (found !== undefined || waiting === 0) end(found);
        });
        stops.push(stop);
      }
    });
  }

  #give({ data, reply }: BusMessage): void {
    const asked = request.safeParse(data).data;
    if (asked === undefined || reply === undefined || !isUnderstood(asked.v)) return;
    const { bus } = this.#deps;
    const place = this.#deps.place();
    const known = place?.get(asked.id);
    // It ends here only once it was sent.
    if (known !== undefined && bus.publish(reply, { session: moved(known) }) === 'sent') place?.release(asked.id);
    else bus.publish(reply, {});
  }
}

/** Of a cluster that is joined and left while the gateway runs. */
export function sessionNodes(
  joined: () => SharedSessions | undefined,
  { clock, host }: { clock: Pick<Clock, 'wall'>; host: SessionNodes['host'] },
): SessionNodes {
  return {
    newId: () => joined()?.newId() ?? randomUUID(),
    mayHave: (id) => joined()?.mayHave(id) === true,
    async takeOver(id, place) {
      const taken = await joined()?.take(id);
      if (taken === undefined || place.get(id) !== undefined) return;
      if (taken.lastActiveAt >= clock.wall() - place.timeoutMs()) settle(taken, place);
    },
    keep: (session) => joined()?.keep(session),
    ended: (id) => joined()?.end(id),
    host,
  };
}

const keyOf = (id: string): string => Buffer.from(id).toString('base64url');

function read(id: string, value: unknown): MovedSession | undefined {
  const session = movedSession.safeParse(value).data;
  return session?.id === id ? session : undefined;
}
