import type { Clock } from '../../base/clock.ts';
import type { Devices } from '../devices/open.ts';
import { isAfter, type HybridClock, type Stamp } from './hybridClock.ts';
import type { RemoteRows } from './remoteRows.ts';
import type { Row } from './messages.ts';

type Connection = NonNullable<ReturnType<Devices['hub']['speaking']>>;

/** Changes of a device's node within `overtakesMs` after which the next one is a conflict. */
const maxOvertakes = 3;
const overtakesMs = 60_000;

/** Characters of a node's name in a close frame, whose reason has at most 123 bytes. */
const maxNameLength = 28;

interface Own {
  connection: Connection;
  /** Absent if the device is at another node by now, and this connection is about to end. */
  claim?: Stamp;
}

interface Deps {
  node: string;
  hybrid: HybridClock;
  clock: Clock;
  /** The connection of a device that is admitted and names its Device-Id. */
  speaking: (id: string) => Connection | undefined;
  remote: Pick<RemoteRows, 'holders'>;
  nameOf: (node: string) => string;
}

/**
 * Which node has a device: the one with the newest claim, and a claim is made when a connection is admitted. The others end
 * theirs. If a device changes its node too often, two things have one Device-Id: the first stays.
 */
export class Claims {
  readonly #deps: Deps;
  readonly #own = new Map<string, Own>();
  /** When other nodes were overtaken, by the winning claim. */
  readonly #overtakes = new Map<string, Map<string, number>>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The claim of a device of this node; undefined if it is not connected, or is at another node by now. */
  of(id: string): Stamp | undefined {
    return this.#own.get(id)?.claim;
  }

  /** The device has connected elsewhere, and its connection here is about to end. */
  isGivenUp(id: string): boolean {
    const own = this.#own.get(id);
    return own !== undefined && own.claim === undefined;
  }

  /** A device of this node changed. `isEarlier`: it was connected before this node joined. */
  touched(id: string, isEarlier = false): void {
    const { speaking, hybrid, remote, nameOf } = this.#deps;
    const connection = speaking(id);
    if (connection === undefined) return void this.#own.delete(id);
    if (this.#own.get(id)?.connection === connection) return;
    const [holder] = remote.holders(id);
    if (holder !== undefined && this.#recent(id).size >= maxOvertakes) {
      this.#own.set(id, { connection });
      this.#note(id, String(this.#deps.clock.now()));
      const message = `Another device with this Device-Id is connected to the node "${nameOf(holder.node)}".`;
      return connection.refuse('tcp', 'same-id', message);
    }
    const claim = isEarlier ? { ms: connection.progress.admittedAt ?? 0, count: 0 } : hybrid.tick();
    this.#own.set(id, { connection, claim });
    if (holder !== undefined) this.#note(id, keyOf(claim, this.#deps.node));
  }

  /** A row of another node arrived. */
  claimed(node: string, { id, claim }: Row): void {
    const { hybrid, remote, nameOf } = this.#deps;
    if (claim === undefined || !hybrid.observe(claim)) return;
    const own = this.#own.get(id);
    if (own?.claim !== undefined) {
      if (!isAfter({ ...claim, node }, { ...hybrid.countOf(own.claim), node: this.#deps.node })) return;
      this.#own.set(id, { connection: own.connection });
      own.connection.replace(`the device connected to the node "${nameOf(node).slice(0, maxNameLength)}"`);
    } else if (remote.holders(id).length < 2) return;
    this.#note(id, keyOf(claim, node));
  }

  #note(id: string, winner: string): void {
    const recent = this.#recent(id);
    if (!recent.has(winner)) recent.set(winner, this.#deps.clock.now());
    // The last is the newest.
    this.#overtakes.delete(id);
    this.#overtakes.set(id, recent);
    for (const earlier of this.#overtakes.keys()) if (this.#recent(earlier).size > 0) break;
  }

  #recent(id: string): Map<string, number> {
    const recent = this.#overtakes.get(id) ?? new Map<string, number>();
    const since = this.#deps.clock.now() - overtakesMs;
    for (const [winner, at] of recent) if (at < since) recent.delete(winner);
    if (recent.size === 0) this.#overtakes.delete(id);
    return recent;
  }
}

function keyOf({ ms, count }: Stamp, node: string): string {
  return `${ms} ${count} ${node}`;
}
