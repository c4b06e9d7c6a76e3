import type { Clock } from '../../base/clock.ts';
import type { Beat } from './messages.ts';

/** `suspect`: silent for `suspectMs`. `lost`: silent for `lostMs`, or it has left. */
export type MemberState = 'live' | 'suspect' | 'lost';

/** Another node of the cluster. */
export interface Member {
  readonly node: string;
  readonly state: MemberState;
  /** It said that it leaves. */
  readonly hasLeft: boolean;
  /** Its last beat. */
  readonly beat: Beat;
  /** ms that its machine's clock is ahead of this one's, as far as it is known. */
  readonly aheadMs: number;
  /** By this node's clock: its first beat, and its last. */
  readonly joinedAt: number;
  readonly seenAt: number;
}

const suspectMs = 3_000;
const lostMs = 5_000;
/** How long a lost node stays listed. */
const forgetMs = 600_000;
const checkMs = 500;
/** Nodes that are listed. */
export const maxMembers = 256;
/** ms over which the difference of two clocks is taken: clocks drift apart slowly. */
const offsetMs = 60_000;
/** The same after a pause of more than `pauseMs`: the sender's clock stood still while its machine slept, or its beats were late. */
const settleMs = 3_000;
const pauseMs = 2_000;

type Known = { -readonly [Key in keyof Member]: Member[Key] } & {
  /** The smallest differences of the clocks that were seen, in this span of time, which ends at `until`, and the one before. */
  offsets: { now: number; before: number; until: number };
};

/**
 * The other nodes, from their beats. `onState` is called for each new state of a node, also its first, and with undefined when it is
 * forgotten.
 */
export class Members {
  readonly #members = new Map<string, Known>();
  readonly #clock: Clock;
  readonly #onState: (node: string, state: MemberState | undefined) => void;
  #checkedAt: number;
  #stopTimer: () => void;

  constructor(clock: Clock, onState: (node: string, state: MemberState | undefined) => void) {
    this.#clock = clock;
    this.#onState = onState;
    this.#checkedAt = clock.now();
    this.#stopTimer = clock.after(checkMs, () => this.#check());
  }

  /** Without lost nodes that have been started again since: they have other ids, and the same names. */
  list(): Member[] {
    const all = [...this.#members.values()];
    // The last of each name has joined last.
    const joined = new Map(all.map(({ beat, joinedAt }) => [beat.name, joinedAt]));
    return all.filter(({ state, beat, seenAt }) => state !== 'lost' || (joined.get(beat.name) ?? 0) <= seenAt);
  }

  get(node: string): Member | undefined {
    return this.#members.get(node);
  }

  /** False if there are too many. */
  add(beat: Beat): boolean {
    const now = this.#clock.now();
    const offset = now - beat.at;
    const aheadMs = beat.wall === undefined ? 0 : beat.wall - this.#clock.wall();
    const known = this.#members.get(beat.node);
    if (known === undefined) {
      if (this.#members.size >= maxMembers && !this.#forgetLost()) return false;
      const offsets = { now: offset, before: offset, until: now + offsetMs };
      const { node } = beat;
      const times = { aheadMs, joinedAt: now, seenAt: now, offsets };
      this.#members.set(node, { node, state: 'live', hasLeft: false, beat, ...times });
      this.#onState(beat.node, 'live');
      return true;
    }
    const { offsets } = known;
    // Until the next beats have shown which, a delay is rather measured too long than too short.
    if (now - known.seenAt > pauseMs)
      known.offsets = { now: offset, before: Math.min(offsets.now, offsets.before), until: now + settleMs };
    else if (now >= offsets.until) known.offsets = { now: offset, before: offsets.now, until: now + offsetMs };
    else offsets.now = Math.min(offsets.now, offset);
    known.beat = beat;
    known.aheadMs = aheadMs;
    known.hasLeft = false;
    known.seenAt = now;
    this.#move(known, 'live');
    return true;
  }

  /** The node has said that it leaves. */
  leave(node: string): void {
    const member = this.#members.get(node);
    if (member === undefined) return;
    member.hasLeft = true;
    this.#move(member, 'lost');
  }

  /** ms that something took to arrive, beyond what a beat takes, if the sender's clock showed `at`. Infinity for an unknown node. */
  delayOf(node: string, at: number): number {
    const offsets = this.#members.get(node)?.offsets;
    if (offsets === undefined) return Infinity;
    return Math.max(0, this.#clock.now() - at - Math.min(offsets.now, offsets.before));
  }

  close(): void {
    this.#stopTimer();
  }

  /** Forgets the node that is lost for longest. False if none is lost. */
  #forgetLost(): boolean {
    const lost = [...this.#members.values()].filter(({ state }) => state === 'lost');
    const [oldest] = lost.sort((one, other) => one.seenAt - other.seenAt);
    if (oldest !== undefined) this.#forget(oldest);
    return oldest !== undefined;
  }

  #forget({ node }: Known): void {
    this.#members.delete(node);
    this.#onState(node, undefined);
  }

  #move(member: Known, state: MemberState): void {
    if (member.state === state) return;
    member.state = state;
    this.#onState(member.node, state);
  }

  #check(): void {
    this.#stopTimer = this.#clock.after(checkMs, () => this.#check());
    const now = this.#clock.now();
    // This process was stopped or busy: what arrived meanwhile has not been read yet.
    const stall = now - this.#checkedAt - checkMs;
    this.#checkedAt = now;
    for (const member of this.#members.values()) {
      if (stall > checkMs && member.state !== 'lost') member.seenAt += stall;
      const silence = now - member.seenAt;
      if (silence > forgetMs) this.#forget(member);
      else if (silence >= lostMs) this.#move(member, 'lost');
      else if (silence >= suspectMs && member.state === 'live') this.#move(member, 'suspect');
    }
  }
}
