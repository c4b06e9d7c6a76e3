import * as z from 'zod';

import type { Clock } from '../../base/clock.ts';
import type { JsonValue } from '../../base/json.ts';
import { unlessStorageFails } from '../../store/storageError.ts';
import type { SettingsStore } from '../../store/types.ts';
import type { Devices } from '../devices/open.ts';
import { compareDecisions, decision, maxDecisions, type Decision, type OwnDecisions } from './ownDecisions.ts';
import { LostRaceError, NoJetStreamError, UnusableBucketError, type SharedStore, type Stored } from './sharedStore.ts';

/** ms until the store is tried again. */
const retryMs = 5_000;
/** ms until it is read again: its messages may not have arrived, and one of its replicas may have been behind. */
const refreshMs = 60_000;
/** Attempts to write before that, if other nodes write the same key. */
const maxRaces = 5;
/** ms in which changes are collected before they are stored and announced. */
const keepMs = 32;

const noJetStream =
  'Approvals of devices are not shared: the broker has no JetStream. Add "jetstream" to its configuration (docs/cluster.md).';

const kept = z.array(z.tuple([z.string().max(64), decision.extend({ isShared: z.boolean() })]));

interface Deps {
  store: SharedStore;
  settings: SettingsStore;
  /** The name of the cluster. */
  cluster: string;
  clock: Clock;
  /** Whether devices of the network reach this node: only they need approvals. */
  isOpen: () => boolean;
  own: OwnDecisions;
  hub: Pick<Devices['hub'], 'device' | 'approve' | 'refuse'>;
  approvals: Devices['approvals'];
  onChange: () => void;
  onError: (error: unknown, where: string) => void;
}

/**
 * The approvals of devices, the same at all nodes: the newest decision on a device counts. Without the store, those that are known hold,
 * and new ones are shared later.
 */
export class SharedApprovals {
  readonly #deps: Deps;
  readonly #decisions = new Map<string, Decision & { isShared: boolean }>();
  /** Decisions that are shared first, and what to do once one of them is. */
  readonly #awaited = new Map<string, PromiseWithResolvers<undefined>>();
  readonly #ends: (() => void)[];
  #isSynced = false;
  /** When the bucket was created, and the sequence number up to which it was read. */
  #bucket = { created: '', readTo: 0 };
  #working: Promise<void> | undefined;
  #stopTimer: (() => void) | undefined;
  #stopKeeping: (() => void) | undefined;
  readonly #reported = new Set<string>();
  #problem: string | undefined;
  #isClosed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    const { approvals, own, settings, store } = deps;
    const present = new Map(approvals.entries());
    const read = kept.safeParse(settings.get(this.#key) ?? []);
    for (const [id, known] of read.data ?? []) {
      if (!own.hybrid.observe(known)) continue;
      // An approval that this node has lost is taken from the store again: only a recorded removal is one.
      if (known.clientId === undefined || present.has(id)) this.#decisions.set(id, known);
    }
    // What changed while this node did not belong to the cluster.
    for (const [id, made] of own.entries()) {
      const known = this.#decisions.get(id);
      const isNewer = known === undefined || compareDecisions(made, known) > 0;
      if (isNewer && made.clientId === present.get(id)) this.#decisions.set(id, { ...made, isShared: false });
    }
    for (const [id, clientId] of present) {
      const known = this.#decisions.get(id);
      if (known === undefined) this.#decisions.set(id, { clientId, ms: 0, count: 0, isShared: false });
      else if (known.clientId !== clientId) this.#apply(id, known.clientId);
    }
    this.#ends = [
      own.follow((id, made) => this.#decided(id, made)),
      store.follow((coded, value) => this.#take(coded, value)),
    ];
  }

  /** Where this node keeps them. */
  get #key(): string {
    return `cluster.approvals.${this.#deps.cluster}`;
  }

  /** Whether other nodes do not know the approval of this device yet, with this Client-Id if one is given. */
  isUnshared(id: string, clientId?: string): boolean {
    const known = this.#decisions.get(id);
    return known?.clientId !== undefined && !known.isShared && (clientId ?? known.clientId) === known.clientId;
  }

  /** Resolves once the decision on a device is shared, or this has failed: with the reason then. */
  async untilShared(id: string): Promise<string | undefined> {
    if (this.#decisions.get(id)?.isShared !== false) return undefined;
    const awaited = this.#awaited.get(id) ?? Promise.withResolvers<undefined>();
    this.#awaited.set(id, awaited);
    await Promise.race([this.#working, awaited.promise]);
    this.#awaited.delete(id);
    if (this.#decisions.get(id)?.isShared !== false) return undefined;
    return this.#problem ?? 'Approvals cannot be shared now.';
  }

  /** Why decisions of this node are not shared, and the remedy. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Reads the decisions that were not read yet: their messages may have been missed. */
  refresh(): void {
    this.#isSynced = false;
    this.#work();
  }

  close(): void {
    this.#isClosed = true;
    this.#stopTimer?.();
    for (const end of this.#ends) end();
    if (this.#stopKeeping !== undefined) this.#keep();
  }

  #decided(id: string, made: Decision): void {
    this.#decisions.set(id, { ...made, isShared: false });
    this.#keepSoon();
    this.#work();
  }

  /** One attempt after the other. */
  #work(): void {
    this.#stopTimer?.();
    const { clock } = this.#deps;
    this.#working ??= this.#share()
      .then(() => {
        this.#setProblem(undefined);
        if (!this.#isClosed) this.#stopTimer = clock.after(refreshMs, () => this.refresh());
      })
      .catch((error: unknown) => {
        // The bucket may have been deleted: it is opened again.
        this.#isSynced &&= error instanceof LostRaceError;
        const isUnusable = error instanceof UnusableBucketError || error instanceof ClockBehindError;
        const needsJetStream =
          error instanceof NoJetStreamError && (this.#deps.isOpen() || this.#nextUnshared() !== undefined);
        this.#setProblem(isUnusable ? error.message : needsJetStream ? noJetStream : undefined);
        if (!this.#isClosed) this.#stopTimer = clock.after(retryMs, () => this.#work());
      })
      .finally(() => (this.#working = undefined));
  }

  #setProblem(problem: string | undefined): void {
    if (problem === this.#problem || this.#isClosed) return;
    this.#problem = problem;
    if (problem !== undefined) this.#report(problem);
    this.#deps.onChange();
  }

  async #share(): Promise<void> {
    for (let races = 0; !this.#isClosed;) {
      if (!this.#isSynced) {
        await this.#sync();
        continue;
      }
      const next = this.#nextUnshared();
      if (next === undefined) return;
      try {
        await this.#put(...next);
        this.#awaited.get(next[0])?.resolve(undefined);
        races = 0;
      } catch (error) {
        races += 1;
        if (!(error instanceof LostRaceError) || races >= maxRaces) throw error;
      }
    }
  }

  async #sync(): Promise<void> {
    const { store, approvals, own } = this.#deps;
    this.#isSynced = true;
    try {
      await store.open();
      const { created, seq: last, at } = await store.state();
      this.#checkClock(at);
      own.restamp();
      const isKnown = created === this.#bucket.created && last >= this.#bucket.readTo;
      let readTo = isKnown ? this.#bucket.readTo : 0;
      /** The last of each key. */
      const read = new Map<string, Stored>();
      while (readTo < last && read.size < maxDecisions) {
        const next = await store.next(readTo);
        if (this.#isClosed) return;
        if (next === undefined) break;
        readTo = next.seq;
        read.set(next.key, next);
      }
      approvals.together(() => read.forEach(({ key, value }) => this.#take(key, value)));
      if (!isKnown && readTo >= last) this.#shareMissing(read);
      const early = [...read.values()].filter(({ value }) => this.#isOfFuture(value)).map(({ seq }) => seq - 1);
      this.#bucket = { created, readTo: Math.min(readTo, ...early) };
    } catch (error) {
      this.#isSynced = false;
      throw error;
    }
  }

  /** Shares again the decisions that a new or emptied bucket lacks, or of which it has older ones. A deleted key is not restored. */
  #shareMissing(read: Map<string, Stored>): void {
    for (const [id, known] of this.#decisions) {
      const last = read.get(keyOf(id));
      const theirs = decision.safeParse(last?.value).data;
      if (last === undefined || (theirs !== undefined && compareDecisions(theirs, known) < 0)) known.isShared = false;
    }
  }

  /** What this node decides would count as older than it is, and what others have decided as of the future. */
  #checkClock(brokerAt: number): void {
    if (this.#deps.own.hybrid.isOfFuture({ ms: brokerAt })) throw new ClockBehindError();
  }

  /** It does not count yet. */
  #isOfFuture(value: unknown): boolean {
    const made = decision.safeParse(value).data;
    return made !== undefined && this.#deps.own.hybrid.isOfFuture(made);
  }

  #nextUnshared(): [string, Decision & { isShared: boolean }] | undefined {
    for (const id of [...this.#awaited.keys(), ...this.#decisions.keys()]) {
      const known = this.#decisions.get(id);
      if (known?.isShared === false) return [id, known];
    }
    return undefined;
  }

  async #put(id: string, mine: Decision & { isShared: boolean }): Promise<void> {
    const { store } = this.#deps;
    const coded = keyOf(id);
    const { clientId, ms, count } = mine;
    const before = await store.get(coded);
    if (before !== undefined) {
      this.#checkClock(before.at);
      this.#take(coded, before.value);
    }
    // The same decision or a newer one was there.
    if (this.#decisions.get(id) !== mine || mine.isShared) return;
    await store.put(coded, { ...(clientId !== undefined && { clientId }), ms, count }, before?.seq ?? 0);
    mine.isShared = true;
    this.#keepSoon();
  }

  #take(coded: string, value: unknown): void {
    // The key was deleted.
    if (value === undefined) return;
    const id = idOf(coded);
    const read = decision.safeParse(value);
    if (id === undefined || !read.success) return this.#unreadable(coded);
    const { own } = this.#deps;
    if (!own.hybrid.observe(read.data)) return this.#unreadable(coded);
    const known = this.#decisions.get(id);
    if (known === undefined && this.#decisions.size >= maxDecisions) return this.#tooMany();
    const order = known === undefined ? 1 : compareDecisions(read.data, { ...known, ...own.hybrid.countOf(known) });
    if (order < 0 || (order === 0 && known?.isShared === true)) return;
    this.#decisions.set(id, { ...read.data, isShared: true });
    if (order > 0) this.#apply(id, read.data.clientId);
    this.#keepSoon();
  }

  /** The other decisions count. */
  #unreadable(coded: string): void {
    this.#report(`The shared approval "${coded.slice(0, 100)}" cannot be read or is of the future.`, 'unreadable');
  }

  #tooMany(): void {
    this.#report(
      `More than ${maxDecisions} devices have shared approvals. Those of further devices do not count here.`,
    );
  }

  /** Each kind of problem is in the log once. */
  #report(text: string, kind = text): void {
    if (this.#reported.has(kind)) return;
    this.#reported.add(kind);
    const { onError, cluster } = this.#deps;
    onError(new Error(text), `the cluster "${cluster}"`);
  }

  #apply(id: string, clientId: string | undefined): void {
    const { hub, approvals, own, onError } = this.#deps;
    const device = hub.device(id);
    try {
      own.applying(() => {
        if (clientId === undefined) {
          try {
            approvals.delete(id);
          } finally {
            // Its connection is closed, whether or not the removal can be stored.
            if (device?.remote === true) hub.refuse(id);
          }
        } else if (device?.state === 'approval' && (device.clientId ?? '') === clientId) hub.approve(id, clientId);
        else if (approvals.get(id) !== clientId) approvals.set(id, clientId);
      });
    } catch (error) {
      onError(error, 'applying a decision of another node');
    }
  }

  #keepSoon(): void {
    this.#stopKeeping ??= this.#deps.clock.after(keepMs, () => this.#keep());
  }

  #keep(): void {
    const { settings, onChange } = this.#deps;
    this.#stopKeeping?.();
    this.#stopKeeping = undefined;
    unlessStorageFails(() => settings.set(this.#key, JSON.parse(JSON.stringify([...this.#decisions])) as JsonValue));
    onChange();
  }
}

class ClockBehindError extends Error {
  constructor() {
    super(
      'The clock of this machine is more than a day behind that of the broker. Correct it: until then, approvals are not shared.',
    );
  }
}

function keyOf(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/** The device of a key; undefined if this is no key of a device. */
function idOf(coded: string): string | undefined {
  const id = Buffer.from(coded, 'base64url').toString();
  return id.length > 0 && id.length <= 64 && keyOf(id) === coded ? id : undefined;
}
