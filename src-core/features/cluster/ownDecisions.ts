import * as z from 'zod';

import { unlessStorageFails } from '../../store/storageError.ts';
import type { JsonValue } from '../../base/json.ts';
import type { FeatureContext } from '../context.ts';
import type { Devices } from '../devices/open.ts';
import { HybridClock, compareStamps } from './hybridClock.ts';
import { stamp } from './messages.ts';

/** Devices whose last decision is kept; as many as a cluster shares. */
export const maxDecisions = 10_000;
const key = 'cluster.decisions';

/** A user's decision on a device: the Client-Id that is approved, undefined if the approval was removed. */
export const decision = stamp.extend({ clientId: z.string().max(64).optional() });
export type Decision = z.infer<typeof decision>;
const stored = z.array(z.tuple([z.string().max(64), decision]));

/** Positive if the first counts. Of two decisions at one moment, the removal counts, and else the greater Client-Id, at every node. */
export function compareDecisions(one: Decision, other: Decision): number {
  const order = compareStamps(one, other);
  if (order !== 0 || one.clientId === other.clientId) return order;
  if (one.clientId === undefined || other.clientId === undefined) return one.clientId === undefined ? 1 : -1;
  return one.clientId > other.clientId ? 1 : -1;
}

/**
 * What the user of this node last decided on each device, with the time, also while the node belongs to no cluster. A removal is
 * shared only if it is recorded here: an approval that is missing may have been lost.
 */
export class OwnDecisions {
  /** The clock of this node, also in the clusters that it joins. */
  readonly hybrid: HybridClock;
  readonly #settings: FeatureContext['store']['settings'];
  readonly #decisions = new Map<string, Decision>();
  /** Devices whose decisions were of the future when this node was started. */
  readonly #ahead: string[] = [];
  #notify: ((id: string, made: Decision) => void) | undefined;
  #isApplying = false;
  readonly #approvals: Devices['approvals'];
  /** Records nothing more. */
  readonly close: () => void;

  constructor({ clock, store, devices }: Pick<FeatureContext, 'clock' | 'store'> & { devices: Devices }) {
    this.hybrid = new HybridClock(() => clock.wall());
    this.#settings = store.settings;
    const read = stored.safeParse(store.settings.get(key) ?? []);
    for (const [id, made] of read.data ?? []) {
      if (!this.hybrid.observe(made)) this.#ahead.push(id);
      this.#decisions.set(id, made);
    }
    const { approvals } = devices;
    this.#approvals = approvals;
    this.close = approvals.onChange((id) => this.#add(id, approvals.get(id)));
  }

  entries(): Iterable<[string, Decision]> {
    return this.#decisions;
  }

  /** Approves a device of another node; without a Client-Id, rejects it, also if it was not approved. */
  decide(id: string, clientId: string | undefined): void {
    if (clientId !== undefined) this.#approvals.set(id, clientId);
    else if (!this.#approvals.delete(id)) this.#add(id, undefined);
  }

  /** The clock is right: what was decided before this start, while it was far ahead, counts from now on. */
  restamp(): void {
    for (const id of this.#ahead.splice(0)) {
      const made = this.#decisions.get(id);
      if (made !== undefined && this.hybrid.isOfFuture(made)) this.#record(id, { ...made, ...this.hybrid.tick() });
    }
  }

  /** The one listener gets each new decision. Returns the function that removes it. */
  follow(listener: (id: string, made: Decision) => void): () => void {
    this.#notify = listener;
    return () => void (this.#notify = undefined);
  }

  /** The changes that `work` makes are decisions of another node. */
  applying(work: () => void): void {
    this.#isApplying = true;
    try {
      work();
    } finally {
      this.#isApplying = false;
    }
  }

  #add(id: string, clientId: string | undefined): void {
    if (this.#isApplying) return;
    this.#record(id, { ...this.hybrid.tick(), ...(clientId !== undefined && { clientId }) });
  }

  #record(id: string, made: Decision): void {
    this.#decisions.delete(id);
    this.#decisions.set(id, made);
    const [oldest] = this.#decisions.keys();
    if (this.#decisions.size > maxDecisions && oldest !== undefined) this.#decisions.delete(oldest);
    this.#store();
    this.#notify?.(id, made);
  }

  #store(): void {
    unlessStorageFails(() => this.#settings.set(key, JSON.parse(JSON.stringify([...this.#decisions])) as JsonValue));
  }
}
