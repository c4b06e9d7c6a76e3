import { randomUUID } from 'node:crypto';
import * as z from 'zod';

import type { Clock } from '../../base/clock.ts';
import type { Bus, BusMessage } from './bus.ts';
import type { Inbox } from './inbox.ts';
import type { Members } from './members.ts';
import { isUnderstood, node as nodeId, wireVersion } from './messages.ts';
import {
  toMovedSession,
  movedSession,
  addMovedSession,
  type GatewaySession,
  type MovedSession,
  type SessionNodes,
  type GatewaySessions,
} from './movedSession.ts';
import { LostRaceError, type SharedStore } from './sharedStore.ts';

/** ms in which the node of a session hands it over. */
const answerMs = 2_000;
/** ms after which it does not: the session might arrive too late, and be lost. */
const handOverMs = 1_000;
/** The ids of a cluster's sessions: a node and a random part. */
const idOfCluster = /^[0-9a-f]{16}\.[\w-]{36}$/;
/** Sessions that are taken over at once; for further ones there is none. */
const maxTaking = 100;
/** Sessions that wait for the store; further ones are not stored. */
const maxWaiting = 10_000;
/** ms until the store is tried again. */
const retryMs = 5_000;

const request = z.object({
  v: z.int(),
  id: z.string().regex(idOfCluster),
  /** The node that asks, and ms by its clock when it did. */
  node: nodeId,
  at: z.number(),
});
const answer = z.object({ session: z.unknown().optional() });
/** Which node has stored a value of a session, and how often the session had moved by then. */
const writer = z.object({ moves: z.int(), node: z.string() });

/** What the store has to do for a session. */
interface Waiting {
  /** `check`: find out whether another node has taken it. */
  task: 'keep' | 'end' | 'check';
  moves: number;
}

interface Deps {
  bus: Bus;
  inbox: Inbox;
  node: string;
  clock: Clock;
  members: Pick<Members, 'list' | 'delayOf'>;
  /** The store of the last turns; undefined if they are not kept. */
  store: SharedStore | undefined;
  /** The sessions of this node's gateway; undefined if there is none. */
  sessionStore: () => GatewaySessions | undefined;
  onError: (error: unknown, where: string) => void;
}

/** The sessions of the LLM gateways, which move to the node that their client reconnects to. */
export class SharedSessions {
  readonly #deps: Deps;
  readonly #taking = new Map<string, Promise<void>>();
  /** By session. The last of each counts. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #ending = new AbortController();
  #isWriting = false;
  #stopTimer: (() => void) | undefined;
  #hasReported = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.bus.subscribe(`n.${deps.node}.session`, (message) => this.#handOver(message));
  }

  newId(): string {
    return `${this.#deps.node}.${randomUUID()}`;
  }

  mayHave(id: string): boolean {
    return idOfCluster.test(id);
  }

  takeOver(id: string, sessionStore: GatewaySessions): Promise<void> {
    const known = this.#taking.get(id);
    if (known !== undefined || this.#taking.size >= maxTaking) return known ?? Promise.resolve();
    const taking = this.#askAll(id)
      .then((found) => found ?? this.#takeKept(id, sessionStore.timeoutMs()))
      .then((taken) => {
        if (taken !== undefined && sessionStore.get(id) === undefined) addMovedSession(taken, sessionStore);
      })
      // A client that names an unknown session gets an error.
      .catch(() => undefined)
      .finally(() => this.#taking.delete(id));
    this.#taking.set(id, taking);
    return taking;
  }

  /** Stores the last turn of a session. */
  keep({ id, moves }: GatewaySession): void {
    this.#add(id, { task: 'keep', moves });
  }

  /** The copy of its last turn must not come back. */
  end({ id, moves }: GatewaySession): void {
    this.#add(id, { task: 'end', moves });
  }

  /** Ends the sessions that another node has taken from the store while it did not reach this one. */
  check(): void {
    for (const { id, moves } of this.#deps.sessionStore()?.list() ?? [])
      if (!this.#waiting.has(id)) this.#add(id, { task: 'check', moves });
  }

  #add(id: string, waiting: Waiting): void {
    if (this.#deps.store === undefined || !idOfCluster.test(id)) return;
    if (!this.#waiting.delete(id) && this.#waiting.size >= maxWaiting) return;
    this.#waiting.set(id, waiting);
    if (!this.#isWriting) void this.#write(this.#deps.store);
  }

  close(): void {
    this.#ending.abort();
    this.#stopTimer?.();
  }

  async #write(store: SharedStore): Promise<void> {
    this.#isWriting = true;
    this.#stopTimer?.();
    try {
      await store.open();
      for (const [id, waiting] of this.#waiting) {
        if (this.#ending.signal.aborted) break;
        await this.#put(store, id, waiting);
        // Unless something newer waits by now.
        if (this.#waiting.get(id) === waiting) this.#waiting.delete(id);
      }
    } catch (error) {
      if (this.#ending.signal.aborted) return;
      // The next turn is kept again.
      for (const [id, { task }] of this.#waiting) if (task === 'keep') this.#waiting.delete(id);
      if (this.#waiting.size > 0) this.#stopTimer = this.#deps.clock.after(retryMs, () => void this.#write(store));
      if (!this.#hasReported)
        this.#deps.onError(new Error('The sessions of the gateway are not kept.', { cause: error }), 'the cluster');
      this.#hasReported = true;
    } finally {
      this.#isWriting = false;
    }
  }

  async #put(store: SharedStore, id: string, waiting: Waiting, isAgain = false): Promise<void> {
    const { bus, node, sessionStore } = this.#deps;
    const { task, moves } = waiting;
    const before = await store.get(keyOf(id));
    const last = writer.safeParse(before?.value).data;
    const known = sessionStore()?.get(id);
    const here = known?.moves === moves ? known : undefined;
    // Another node has taken it: what this node has is older.
    if (last !== undefined && (last.moves > moves || (last.moves === moves && last.node !== node)))
      return void (here !== undefined && sessionStore()?.release(id));
    const value =
      task === 'end'
        ? { ended: true }
        : task === 'keep' && here !== undefined
          ? toMovedSession(here, bus.maxBytes)
          : undefined;
    if (value === undefined) return;
    try {
      await store.put(keyOf(id), { ...value, moves, node }, before?.seq ?? 0);
    } catch (error) {
      if (!(error instanceof LostRaceError) || isAgain) throw error;
      await this.#put(store, id, waiting, true);
    }
  }

  /** The copy of its last turn, which no other node can take then. Undefined if it is older than the time limit. */
  async #takeKept(id: string, timeoutMs: number): Promise<MovedSession | undefined> {
    const { store, node } = this.#deps;
    const isEnded = this.#waiting.get(id)?.task === 'end';
    if (store === undefined || isEnded || this.#ending.signal.aborted) return undefined;
    await store.open();
    const key = keyOf(id);
    const kept = await store.get(key);
    const session = read(id, kept?.value);
    if (kept === undefined || session === undefined) return undefined;
    await store.put(key, { taken: true, moves: session.moves + 1, node }, kept.seq);
    // By the broker's clock, as the nodes' clocks differ. A replica may not have what was just put.
    return (await store.state()).at - kept.at < timeoutMs ? session : undefined;
  }

  /** The session from the node that has it; undefined if none has it. Rejects if a node, which may have it, does not answer. */
  #askAll(id: string): Promise<MovedSession | undefined> {
    const { members, clock, inbox, node: own } = this.#deps;
    const asked = members.list().filter(({ state, beat }) => state !== 'lost' && isUnderstood(beat.v));
    return new Promise((resolve, reject) => {
      let waiting = asked.length;
      const stops: (() => void)[] = [];
      const stop = (): void => stops.forEach((each) => each());
      const end = (found?: MovedSession): void => {
        stop();
        resolve(found);
      };
      const fail = (): void => {
        stop();
        reject(new Error('A node does not answer.'));
      };
      if (this.#ending.signal.aborted) return fail();
      if (waiting === 0) return end();
      // If this node was busy, an answer that has arrived is read first.
      stops.push(clock.after(answerMs, () => setImmediate(fail)));
      this.#ending.signal.addEventListener('abort', fail);
      stops.push(() => this.#ending.signal.removeEventListener('abort', fail));
      for (const { node } of asked) {
        const question = { v: wireVersion, id, node: own, at: clock.now() };
        const stopAsking = inbox.ask(`n.${node}.session`, question, (message) => {
          stopAsking();
          if (typeof message === 'string' && message !== 'no-subscriber') return fail();
          const data = typeof message === 'string' ? undefined : answer.safeParse(message.data).data;
          const found = read(id, data?.session);
          waiting -= 1;
          if (found !== undefined || waiting === 0) end(found);
        });
        stops.push(stopAsking);
      }
    });
  }

  #handOver({ data, reply }: BusMessage): void {
    const asked = request.safeParse(data).data;
    if (asked === undefined || reply === undefined || !isUnderstood(asked.v)) return;
    const { bus, members } = this.#deps;
    const { id, node, at } = asked;
    // Without an answer, the asking node does not go on from the stored turn of a session that is here.
    if (members.delayOf(node, at) > handOverMs) return;
    const sessionStore = this.#deps.sessionStore();
    const known = sessionStore?.get(id);
    if (known === undefined) return void bus.publish(reply, {});
    // It ends here only once it was sent.
    if (bus.publish(reply, { session: toMovedSession(known, bus.maxBytes) }) !== 'sent') return;
    // Its next turn is kept by the other node.
    this.#waiting.delete(id);
    sessionStore?.release(id);
  }
}

/** Of a cluster that is joined and left while the gateway runs. */
export function sessionNodes({
  joined,
  host,
}: {
  joined: () => SharedSessions | undefined;
  host: SessionNodes['host'];
}): SessionNodes {
  return {
    newId: () => joined()?.newId() ?? randomUUID(),
    mayHave: (id) => joined()?.mayHave(id) === true,
    takeOver: (id, sessionStore) => joined()?.takeOver(id, sessionStore) ?? Promise.resolve(),
    keep: (session) => joined()?.keep(session),
    ended: (session) => joined()?.end(session),
    host,
  };
}

const keyOf = (id: string): string => Buffer.from(id).toString('base64url');

function read(id: string, value: unknown): MovedSession | undefined {
  const session = movedSession.safeParse(value).data;
  return session?.id === id ? session : undefined;
}
