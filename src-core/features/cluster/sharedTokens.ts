import { RequestError } from '../../base/requestError.ts';
import type { Clock } from '../../base/clock.ts';
import { compareStamps, type HybridClock } from './hybridClock.ts';
import { tokenSecrets, type OwnTokens } from './ownTokens.ts';
import { LostRaceError, type SharedStore } from './sharedStore.ts';

const key = 'deviceTokens';
/** ms until the store is tried again. */
const retryMs = 5_000;
/** Attempts before that, if other nodes write at once. */
const maxRaces = 5;

interface Deps {
  store: SharedStore;
  own: OwnTokens;
  hybrid: HybridClock;
  cluster: string;
  clock: Clock;
  /** Whether traffic to the broker is private: it uses TLS, or the broker is on this machine. */
  isPrivate: boolean;
  onError: (error: unknown, where: string) => void;
}

/**
 * The secret of devices' tokens, the same at all nodes, so that each accepts the tokens of all. It is in a bucket of its own, which only
 * the nodes of the cluster may read. Neither errors nor logs contain it.
 */
export class SharedTokens {
  readonly #deps: Deps;
  readonly #stop: () => void;
  #stopTimer: (() => void) | undefined;
  #working: Promise<void> | undefined;
  #isAgain = false;
  #hasReported = false;
  #isClosed = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    // What is published may have lost a race: only what the store has counts.
    this.#stop = deps.isPrivate ? deps.store.follow(() => this.#work()) : () => undefined;
  }

  /** The broker is connected, maybe after an outage. */
  connected(): void {
    if (this.#deps.isPrivate) this.#work();
    else
      this.#report('The tokens of devices are not shared: the broker is on another machine and reached without TLS.');
  }

  /** @throws {RequestError} If the other nodes cannot get the new secret now. */
  async rotate(keepMs: number): Promise<void> {
    if (!this.#deps.isPrivate)
      throw new RequestError('The tokens of devices are not shared without TLS. Use tls:// to replace their secret.');
    try {
      await this.#working;
      await this.#deps.store.open();
      await this.#replace(keepMs);
    } catch (cause) {
      // The new secret may have been stored, and only the answer was lost.
      this.#work();
      throw new RequestError('The secret of tokens was not replaced: JetStream does not answer.', { cause });
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#stopTimer?.();
    this.#stop();
  }

  /** One attempt after the other. */
  #work(): void {
    this.#stopTimer?.();
    if (this.#isClosed) return;
    this.#isAgain = this.#working !== undefined;
    this.#working ??= this.#share()
      .catch(() => {
        if (!this.#isClosed) this.#stopTimer = this.#deps.clock.after(retryMs, () => this.#work());
      })
      .finally(() => {
        this.#working = undefined;
        if (this.#isAgain) this.#work();
      });
  }

  async #replace(keepMs: number, races = 1): Promise<void> {
    const { store, own, hybrid, cluster } = this.#deps;
    const before = await store.get(key);
    const read = this.#read(before?.value);
    if (read !== undefined) this.#takeNewer(read);
    const next = own.next(hybrid.tick(), keepMs);
    try {
      await store.put(key, next, before?.seq ?? 0);
    } catch (error) {
      if (!(error instanceof LostRaceError) || races >= maxRaces) throw error;
      return this.#replace(keepMs, races + 1);
    }
    own.take(next, cluster);
  }

  async #share(): Promise<void> {
    const { store, own, hybrid, cluster } = this.#deps;
    await store.open();
    for (let races = 1; !this.#isClosed; races += 1) {
      const before = await store.get(key);
      if (this.#isClosed) return;
      const read = this.#read(before?.value);
      // It is left there: a newer node may have written it.
      if (before?.value !== undefined && read === undefined)
        return this.#report('The shared secret of tokens cannot be read or is of the future. This node keeps its own.');
      if (read !== undefined && this.#takeNewer(read)) return;
      try {
        const mine = own.offer(own.since(cluster) ?? hybrid.tick(), cluster);
        await store.put(key, mine, before?.seq ?? 0);
        return own.take(mine, cluster);
      } catch (error) {
        if (!(error instanceof LostRaceError) || races >= maxRaces) throw error;
      }
    }
  }

  /** Undefined if it is none, or not readable. */
  #read(value: unknown) {
    const { data } = tokenSecrets.safeParse(value);
    return data !== undefined && this.#deps.hybrid.observe(data) ? data : undefined;
  }

  /** False if this node has a newer one of this cluster. */
  #takeNewer(read: Parameters<OwnTokens['take']>[0]): boolean {
    const { own, cluster } = this.#deps;
    const since = own.since(cluster);
    const order = since === undefined ? 1 : compareStamps(read, since);
    if (order >= 0) own.take(read, cluster);
    return order >= 0;
  }

  #report(text: string): void {
    if (this.#hasReported) return;
    this.#hasReported = true;
    this.#deps.onError(new Error(text), 'the tokens of the cluster');
  }
}
