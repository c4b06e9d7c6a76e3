import * as z from 'zod';

import type { Clock } from '../../base/clock.ts';
import type { JsonValue } from '../../base/json.ts';
import { unlessStorageFails } from '../../store/storageError.ts';
import type { SettingsStore } from '../../store/types.ts';
import type { Devices } from '../devices/open.ts';
import type { HybridClock, Stamp } from './hybridClock.ts';
import { compareStamps } from './hybridClock.ts';
import { LostRaceError, type SharedStore } from './sharedStore.ts';

/** ms until the store is tried again. */
const retryMs = 5_000;
/** Approvals that a node keeps; with more, one that is missing may have been dropped for its age. */
const maxKept = 1_000;

const decision = z.object({
  /** Undefined if the approval was removed. */
  clientId: z.string().max(64).optional(),
  ms: z.int().min(0),
  count: z.int().min(0),
});
type Decision = z.infer<typeof decision>;
const kept = z.array(z.tuple([z.string().max(64), decision.extend({ isShared: z.boolean() })]));
const key = /^[\w-]{1,90}$/;

interface Deps {
  store: SharedStore;
  settings: SettingsStore;
  /** Where this node keeps them. */
  name: string;
  clock: Clock;
  hybrid: HybridClock;
  hub: Pick<Devices['hub'], 'device' | 'approve' | 'refuse'>;
  approvals: Devices['approvals'];
  onChange: () => void;
}

/**
 * The approvals of devices, the same at all nodes: the newest decision on a device counts. Without the store, those that are known hold,
 * and new ones are shared later.
 */
export class SharedApprovals {
  readonly #deps: Deps;
  readonly #decisions = new Map<string, Decision & { isShared: boolean }>();
  readonly #ends: (() => void)[];
  /** A decision of another node is being applied. */
  #isApplying = false;
  #isSynced = false;
  #working: Promise<void> | undefined;
  #stopTimer: (() => void) | undefined;
  #isClosed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    const { approvals, settings, name, store, hybrid } = deps;
    const read = kept.safeParse(settings.get(name) ?? []);
    for (const [id, known] of read.data ?? []) this.#decisions.set(id, known);
    const present = new Map(approvals.entries());
    // What changed while this node did not belong to the cluster.
    for (const [id, clientId] of present)
      if (this.#decisions.get(id)?.clientId !== clientId)
        this.#decisions.set(id, { clientId, ms: 0, count: 0, isShared: false });
    for (const [id, { clientId }] of this.#decisions)
      if (clientId !== undefined && !present.has(id) && present.size < maxKept)
        this.#decisions.set(id, { ...hybrid.tick(), isShared: false });
    this.#ends = [
      approvals.onChange((id) => this.#decided(id)),
      store.follow((coded, value) => this.#take(coded, value)),
    ];
  }

  /** Whether other nodes do not know the approval of this device yet. */
  isUnshared(id: string): boolean {
    const known = this.#decisions.get(id);
    return known?.clientId !== undefined && !known.isShared;
  }

  /** The broker is connected, maybe after an outage in which decisions were missed. */
  connected(): void {
    this.#isSynced = false;
    this.#work();
  }

  close(): void {
    this.#isClosed = true;
    this.#stopTimer?.();
    for (const end of this.#ends) end();
  }

  #decided(id: string): void {
    if (this.#isApplying) return;
    const clientId = this.#deps.approvals.get(id);
    const { ms, count } = this.#deps.hybrid.tick();
    this.#decisions.set(id, { ...(clientId !== undefined && { clientId }), ms, count, isShared: false });
    this.#keep();
    this.#work();
  }

  /** One attempt after the other. */
  #work(): void {
    this.#stopTimer?.();
    this.#working ??= this.#share()
      .catch(() => {
        if (!this.#isClosed) this.#stopTimer = this.#deps.clock.after(retryMs, () => this.#work());
      })
      .finally(() => (this.#working = undefined));
  }

  async #share(): Promise<void> {
    const { store } = this.#deps;
    if (!this.#isSynced) {
      await store.open();
      for (const coded of await store.keys()) this.#take(coded, (await store.get(coded)).value);
      this.#isSynced = true;
    }
    for (;;) {
      const [id, mine] = [...this.#decisions].find(([, { isShared }]) => !isShared) ?? [];
      if (id === undefined || mine === undefined || this.#isClosed) return;
      await this.#put(id, mine);
    }
  }

  async #put(id: string, mine: Decision & { isShared: boolean }): Promise<void> {
    const { store } = this.#deps;
    const coded = Buffer.from(id).toString('base64url');
    const { clientId, ms, count } = mine;
    const keys = await store.keys();
    const before = keys.includes(coded) ? await store.get(coded) : undefined;
    if (before !== undefined) this.#take(coded, before.value);
    // A newer decision was taken meanwhile.
    if (this.#decisions.get(id) !== mine) return;
    try {
      await store.put(coded, { ...(clientId !== undefined && { clientId }), ms, count }, before?.seq ?? 0);
    } catch (error) {
      if (!(error instanceof LostRaceError)) throw error;
      return;
    }
    mine.isShared = true;
    this.#keep();
  }

  #take(coded: string, value: unknown): void {
    const read = decision.safeParse(value);
    if (!read.success || !key.test(coded)) return;
    const id = Buffer.from(coded, 'base64url').toString();
    const { clientId, ms, count } = read.data;
    const stamp: Stamp = { ms, count };
    this.#deps.hybrid.observe(stamp);
    const known = this.#decisions.get(id);
    const order = known === undefined ? 1 : compareStamps(stamp, known);
    if (order === 0 && known?.clientId === clientId && known !== undefined) known.isShared = true;
    // Of two decisions at one moment, the removal counts.
    if (order < 0 || (order === 0 && clientId !== undefined)) return;
    this.#decisions.set(id, { ...read.data, isShared: true });
    this.#apply(id, clientId);
    this.#keep();
  }

  #apply(id: string, clientId: string | undefined): void {
    const { hub, approvals } = this.#deps;
    const device = hub.device(id);
    this.#isApplying = true;
    try {
      if (clientId === undefined) {
        approvals.delete(id);
        if (device?.remote === true) hub.refuse(id);
      } else if (device?.state === 'approval' && (device.clientId ?? '') === clientId) hub.approve(id, clientId);
      else approvals.set(id, clientId);
    } finally {
      this.#isApplying = false;
    }
  }

  #keep(): void {
    const { settings, name, onChange } = this.#deps;
    unlessStorageFails(() => settings.set(name, JSON.parse(JSON.stringify([...this.#decisions])) as JsonValue));
    onChange();
  }
}
