import { randomBytes } from 'node:crypto';
import * as z from 'zod';

import type { JsonValue } from '../../base/json.ts';
import { unlessStorageFails } from '../../store/storageError.ts';
import type { FeatureContext } from '../context.ts';
import { stamp } from './messages.ts';

const key = 'cluster.tokenSecrets';
/** The one that tokens are made of. */
const currentKey = 'devices.tokenSecret';
/** Earlier secrets that are kept. */
const maxEarlier = 4;
/** ms for which the tokens of a secret may be accepted after it was replaced. */
const maxKeepMs = 30 * 86_400_000;
/** ms for which a node accepts the tokens that it issued before it took the secret of a cluster. */
const joinKeepMs = 86_400_000;

const secret = z.string().regex(/^[\w-]{43}$/);
const earlier = z.array(z.strictObject({ secret, until: z.int().min(0) })).max(maxEarlier);
/** The secret of a cluster. `earlier`: those before it, and the epoch ms until which their tokens are accepted. */
export const tokenSecrets = stamp.extend({ secret, earlier });
export type TokenSecrets = z.infer<typeof tokenSecrets>;

const stored = z.object({
  /** Of which cluster the secret is, and since when. */
  shared: stamp.extend({ cluster: z.string() }).optional(),
  earlier,
});

const newSecret = (): string => randomBytes(32).toString('base64url');
const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'base64url');

/** The secrets that this node makes tokens of and accepts tokens of, also while it belongs to no cluster. */
export class OwnTokens {
  readonly #deps: Pick<FeatureContext, 'clock' | 'store'>;
  #current: string;
  #kept: z.infer<typeof stored>;

  constructor(deps: Pick<FeatureContext, 'clock' | 'store'>) {
    this.#deps = deps;
    const { settings } = deps.store;
    this.#kept = stored.safeParse(settings.get(key)).data ?? { earlier: [] };
    const read = secret.safeParse(settings.get(currentKey));
    this.#current = read.data ?? newSecret();
    if (!read.success) this.#keepCurrent();
  }

  /** The present one, then those before it whose tokens are accepted for some time yet. */
  readonly secrets = (): [Uint8Array, ...Uint8Array[]] => {
    const now = this.#deps.clock.wall();
    const earlierOnes = this.#kept.earlier.filter(({ until }) => now < until);
    return [bytesOf(this.#current), ...earlierOnes.map((each) => bytesOf(each.secret))];
  };

  /** If it cannot be kept, boards fetch new tokens after the next start. */
  #keepCurrent(): void {
    unlessStorageFails(() => this.#deps.store.settings.set(currentKey, this.#current));
  }

  /** When the cluster got the secret that this node has; undefined if that is not of this cluster. */
  since(cluster: string): z.infer<typeof stamp> | undefined {
    return this.#kept.shared?.cluster === cluster ? this.#kept.shared : undefined;
  }

  /** What a cluster without a secret gets: this node's own, or a new one if that is of another cluster. */
  offer(made: z.infer<typeof stamp>, cluster: string): TokenSecrets {
    const known = this.#kept.shared === undefined || this.#kept.shared.cluster === cluster;
    return { ...made, secret: known ? this.#current : newSecret(), earlier: known ? this.#kept.earlier : [] };
  }

  /** A new secret. The tokens of the present one are accepted for `keepMs` more. */
  next(made: z.infer<typeof stamp>, keepMs: number): TokenSecrets {
    const replaced = {
      secret: this.#current,
      until: Math.floor(this.#deps.clock.wall()) + Math.min(keepMs, maxKeepMs),
    };
    const before = this.#kept.earlier.map((each) => ({ ...each, until: Math.min(each.until, replaced.until) }));
    return { ...made, secret: newSecret(), earlier: [replaced, ...before].slice(0, maxEarlier) };
  }

  /** Uses the secrets of a cluster, or those of a node that belongs to none. */
  take(given: TokenSecrets, cluster?: string): void {
    const { clock, store } = this.#deps;
    const now = Math.floor(clock.wall());
    const before = this.#current;
    const bounded = given.earlier.map((each) => ({ ...each, until: Math.min(each.until, now + maxKeepMs) }));
    const isListed = given.secret === before || bounded.some((each) => each.secret === before);
    // The tokens that this node issued before it joined. A secret that was replaced in the cluster is listed, or long gone.
    const own =
      cluster !== undefined && this.since(cluster) === undefined && !isListed
        ? [{ secret: before, until: now + joinKeepMs }, ...this.#kept.earlier]
        : [];
    const { ms, count } = given;
    this.#kept = {
      ...(cluster !== undefined && { shared: { cluster, ms, count } }),
      earlier: [...bounded, ...own].filter(({ until }) => until > now).slice(0, maxEarlier),
    };
    unlessStorageFails(() => store.settings.set(key, JSON.parse(JSON.stringify(this.#kept)) as JsonValue));
    this.#current = given.secret;
    if (given.secret !== before) this.#keepCurrent();
  }
}
