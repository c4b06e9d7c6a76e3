import * as z from 'zod';

import type { Clock } from '../../base/clock.ts';
import { historyFound, historyQuery, type HistoryFound, type HistoryQuery } from '../../contract/callRecords.ts';
import type { CallPage, CallSearch } from '../../contract/cluster.ts';
import type { HistoryStore } from '../../store/historyTypes.ts';
import { searchHistory } from './searchHistory.ts';
import type { Bus, BusMessage } from './bus.ts';
import { deviceNode } from './remoteTools.ts';
import { firstAnswer, type Inbox } from './inbox.ts';
import type { Member } from './members.ts';
import { isUnderstood, pagesOf, wireVersion } from './messages.ts';

/** ms in which another node answers. */
const answerMs = 2_000;
/** Searches of other nodes that run here at once; further ones are not answered. */
const maxServed = 8;
const maxRows = 500;

const question = z.object({
  v: z.int(),
  query: historyQuery.omit({ before: true }),
  before: z.int().min(0),
  limit: z.int().min(1).max(maxRows),
});
const text = z.string().max(4_096);
/** Of a newer node, a row may have more. */
const row = z.object({
  ...historyFound.omit({ node: true }).shape,
  callId: z.string().min(1).max(128),
  qualifiedName: text,
  source: z.object({ kind: z.enum(['builtin', 'module', 'device', 'gateway', 'mcp']), id: text, label: text }),
  host: text.exactOptional(),
  errorCode: z.string().max(64).exactOptional(),
  args: text,
  result: text,
});
/** A row of a kind that this node does not know is left out. */
const answer = z.object({ rows: z.array(z.unknown()).max(maxRows), next: z.int().min(0).optional() });

/** The rows of a node, and whether it has more: `next` is the `before` of those. */
interface Part {
  id: string;
  name: string;
  rows: CallPage['rows'];
  next?: number | undefined;
}

interface Deps {
  bus: Bus;
  inbox: Inbox;
  node: string;
  clock: Clock;
  name: string;
  members: Pick<Map<string, Member>, 'get'> & { list: () => Member[] };
  history: Pick<HistoryStore, 'search'>;
  onError: (error: unknown, where: string) => void;
}

/** Searches the history of all nodes; each keeps its own. */
export class NodeSearch {
  readonly #deps: Deps;
  readonly #ending = new AbortController();
  #served = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.bus.subscribe(`n.${deps.node}.search`, (message) => void this.#serve(message));
  }

  /** A page of what all nodes have, the call that began last first; `nodes` says which have answered. Rejects if `signal` aborts. */
  async search({ limit, before, ...query }: CallSearch, signal?: AbortSignal): Promise<CallPage> {
    const { node, name, members, history } = this.#deps;
    const asked = members.list().filter((other) => before === undefined || before[other.node] !== undefined);
    const own = before === undefined || before[node] !== undefined;
    const place = (id: string): number => before?.[id] ?? Number.MAX_SAFE_INTEGER;
    const ended = signal === undefined ? this.#ending.signal : AbortSignal.any([signal, this.#ending.signal]);
    const [mine, ...others] = await Promise.all([
      own ? searchHistory(history, { ...query, before: place(node), limit }, signal) : undefined,
      ...asked.map((other) => this.#ask(other, { query, before: place(other.node), limit }, ended)),
    ]);
    signal?.throwIfAborted();
    const parts: Part[] = others.filter((part) => part !== undefined);
    if (mine !== undefined) parts.unshift({ id: node, name, ...mine });
    const nameOf = (id: string): string | undefined => (id === node ? name : members.get(id)?.beat.name);
    const { rows, next } = merged(parts, { limit, own: node, nameOf });
    // A node that only this page was asked for in vain is asked again for the next one.
    for (const [at, { node: id, state }] of asked.entries()) {
      const from = before?.[id];
      if (from !== undefined && others[at] === undefined && state !== 'lost') next[id] = from;
    }
    return {
      rows,
      ...(Object.keys(next).length > 0 && { next }),
      nodes: [
        ...(own ? [{ id: node, name, answered: true }] : []),
        ...asked.map(({ node: id, beat }, at) => ({ id, name: beat.name, answered: others[at] !== undefined })),
      ],
    };
  }

  close(): void {
    this.#ending.abort();
  }

  /** Undefined if it does not answer. */
  async #ask(
    { node: id, state, beat: { name, v } }: Member,
    asked: { query: HistoryQuery; before: number; limit: number },
    signal: AbortSignal,
  ): Promise<Part | undefined> {
    if (state === 'lost' || !isUnderstood(v) || signal.aborted) return undefined;
    const { inbox, clock } = this.#deps;
    const message = await firstAnswer(
      (onAnswer) => inbox.ask(`n.${id}.search`, { v: wireVersion, ...asked }, onAnswer),
      { clock, ms: answerMs, signal },
    );
    const read = typeof message === 'string' ? undefined : answer.safeParse(message.data).data;
    if (read === undefined) return undefined;
    const rows = read.rows.slice(0, asked.limit).flatMap((each) => row.safeParse(each).data ?? []);
    const newest = rows.filter(({ seq }) => seq < asked.before).sort((one, other) => other.seq - one.seq);
    const isFurther = read.next !== undefined && read.next < asked.before;
    return { id, name, rows: newest, ...(isFurther && { next: read.next }) };
  }

  async #serve({ data, reply }: BusMessage): Promise<void> {
    const read = question.safeParse(data).data;
    if (read === undefined || reply === undefined || !isUnderstood(read.v) || this.#served >= maxServed) return;
    const { bus, clock, history, onError } = this.#deps;
    const { query, before, limit } = read;
    // The node that asks does not wait longer.
    const late = new AbortController();
    const stopTimer = clock.after(answerMs, () => late.abort());
    const signal = AbortSignal.any([late.signal, this.#ending.signal]);
    this.#served += 1;
    try {
      const found = await searchHistory(history, { ...query, before, limit }, signal);
      const [rows = []] = pagesOf(found.rows, bus.maxBytes);
      const next = rows.length < found.rows.length ? rows.at(-1)?.seq : found.next;
      bus.publish(reply, { rows, ...(next !== undefined && { next }) });
    } catch (error) {
      if (!signal.aborted) onError(error, 'a search of another node');
    } finally {
      stopTimer();
      this.#served -= 1;
    }
  }
}

/** The name of a Toolwire that belongs to no cluster. */
const alone = 'alone';

/** The same without a cluster. */
export async function searchAlone(
  history: Pick<HistoryStore, 'search'>,
  query: CallSearch,
  signal?: AbortSignal,
): Promise<CallPage> {
  const before = query.before?.[alone] ?? Number.MAX_SAFE_INTEGER;
  const { rows, next } = await searchHistory(history, { ...query, before }, signal);
  return { rows: rows.sort(byStart), nodes: [], ...(next !== undefined && { next: { [alone]: next } }) };
}

/**
 * The newest rows of all nodes, and the position at which the search continues on each node. A call in the history of two nodes is listed
 * once, as its caller recorded it, for the node that ran it, and with the outcome there if the caller's node was ended before it had one.
 */
function merged(
  parts: readonly Part[],
  { limit, own, nameOf }: { limit: number; own: string; nameOf: (node: string) => string | undefined },
): { rows: CallPage['rows']; next: Record<string, number> } {
  const page: { found: CallPage['rows'][number]; id: string; name: string }[] = [];
  // Each node's own order stays: that is how it goes on.
  const taken = new Map<Part, number>(parts.map((part) => [part, 0]));
  const headOf = (part: Part) => part.rows[taken.get(part) ?? 0];
  const isAtEnd = (part: Part): boolean => headOf(part) === undefined && part.next !== undefined;
  const fetched = parts.flatMap(({ rows }) => rows);
  const asked = new Set(fetched.flatMap(({ origin, callId }) => (origin === 'node' ? [] : [callId])));
  const ofNode = new Map(fetched.flatMap((each) => (each.origin === 'node' ? [[each.callId, each] as const] : [])));
  const ranAt = new Map<string, { id: string; name: string }>();
  // Rows of a node that were not fetched may be newer than the next ones of the others.
  while (page.length < limit && (page.length === 0 || !parts.some(isAtEnd))) {
    const startOf = (part: Part): number => headOf(part)?.startedAt ?? -Infinity;
    const [first] = parts.toSorted((one, other) => startOf(other) - startOf(one));
    const found = first && headOf(first);
    if (first === undefined || found === undefined) break;
    taken.set(first, (taken.get(first) ?? 0) + 1);
    const { id, name } = first;
    if (found.origin === 'node') ranAt.set(found.callId, { id, name });
    if (found.origin !== 'node' || !asked.has(found.callId)) page.push({ found, id, name });
  }
  const listed = new Set(page.map(({ found }) => found.callId));
  const next: Record<string, number> = {};
  for (const part of parts) {
    let head = headOf(part);
    // The clocks of the nodes differ: the record of its caller was listed first.
    while (head?.origin === 'node' && listed.has(head.callId)) {
      ranAt.set(head.callId, part);
      taken.set(part, (taken.get(part) ?? 0) + 1);
      head = headOf(part);
    }
    const place = head === undefined ? part.next : head.seq + 1;
    if (place !== undefined) next[part.id] = place;
  }
  const rows = page.map(({ found: recorded, id, name }) => {
    const outcome = recorded.errorCode === 'interrupted' ? ofNode.get(recorded.callId) : undefined;
    const found = outcome === undefined ? recorded : withOutcome(recorded, outcome);
    // The node of the device when it was called, if it still is listed.
    const owner = deviceNode(found) ?? '';
    const known = nameOf(owner);
    const ran = ranAt.get(found.callId) ?? (known === undefined ? { id, name } : { id: owner, name: known });
    const isElsewhere = ran.id !== own || id !== own;
    return isElsewhere ? { ...found, node: { name: ran.name, isHere: id === own } } : found;
  });
  return { rows: rows.sort(byStart), next };
}

/** The calls of a page are found in the order in which they ended. */
const byStart = (one: HistoryFound, other: HistoryFound): number => other.startedAt - one.startedAt;

function withOutcome(
  { errorCode: _, errorFacts: __, ...recorded }: HistoryFound,
  { status, durationMs, result, errorCode, errorFacts }: HistoryFound,
): HistoryFound {
  return {
    ...recorded,
    status,
    durationMs,
    result,
    ...(errorCode !== undefined && { errorCode }),
    ...(errorFacts !== undefined && { errorFacts }),
  };
}
