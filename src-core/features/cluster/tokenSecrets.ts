import { createHmac, randomBytes } from 'node:crypto';
import { unwatchFile, watchFile } from 'node:fs';
import * as z from 'zod';

import { RequestError } from '../../base/requestError.ts';
import type { ClusterSettings } from '../../contract/cluster.ts';
import { unlessStorageFails } from '../../store/storageError.ts';
import type { FeatureContext } from '../context.ts';
import { readOwnFile } from './brokerAddress.ts';

/** The secret of this node alone. */
const ownKey = 'devices.tokenSecret';
/** Epoch ms until which the tokens of that secret are accepted beside those of a cluster. */
const ownUntilKey = 'cluster.ownTokensUntil';
/** ms for which a node accepts its own tokens after it has got the secret of a cluster. */
const ownKeepMs = 86_400_000;
/** ms between two looks at the file. */
const checkMs = 1_000;
/** Contains the secrets if no file is named. */
const variable = 'TOOLWIRE_TOKEN_SECRET';
const maxSecrets = 5;
/** Not the text of a token: those have a NUL. */
const compared = 'toolwire: the same token secret';

const ownSecret = z.string().regex(/^[\w-]{43}$/);
const line = /^([\w+/=-]{32,256})(?: +(\S+))?$/;
const time = z.iso.datetime({ offset: true });

interface ClusterSecret {
  bytes: Uint8Array;
  /** Epoch ms until which its tokens are accepted; without it, as long as it is listed. */
  until: number | undefined;
}

type Deps = Pick<FeatureContext, 'clock' | 'store' | 'onError'>;

/**
 * The secrets that this node makes devices' tokens of and accepts tokens of. Those of a cluster come from a file or the environment,
 * never over the network. Neither errors nor logs contain them.
 */
export class TokenSecrets {
  readonly #deps: Deps;
  readonly #own: string;
  #ownUntil = 0;
  /** Empty if this node belongs to no cluster, or has none of its secrets. */
  #ofCluster: readonly ClusterSecret[] = [];
  #stop = (): void => undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    const { settings } = deps.store;
    const read = ownSecret.safeParse(settings.get(ownKey));
    this.#own = read.data ?? randomBytes(32).toString('base64url');
    // If it cannot be kept, boards fetch new tokens after the next start.
    if (!read.success) unlessStorageFails(() => settings.set(ownKey, this.#own));
  }

  /** The present one, then others whose tokens are accepted, too. */
  readonly list = (): [Uint8Array, ...Uint8Array[]] => {
    const own = Buffer.from(this.#own, 'base64url');
    const [current, ...others] = this.#ofCluster;
    if (current === undefined) return [own];
    const now = this.#deps.clock.wall();
    const accepted = others.filter(({ until }) => until === undefined || now < until).map(({ bytes }) => bytes);
    return [current.bytes, ...accepted, ...(now < this.#ownUntil ? [own] : [])];
  };

  /** Whether the tokens are those of a cluster. */
  get isOfCluster(): boolean {
    return this.#ofCluster.length > 0;
  }

  /** One for each secret of the list, by which nodes compare their secrets: a random one cannot be computed from it. */
  fingerprints(): string[] {
    return this.list().map((secret) => createHmac('sha256', secret).update(compared).digest('base64url').slice(0, 16));
  }

  /**
   * Uses the secrets of a cluster; undefined if this node belongs to none. `onChange`: the file has others now.
   * @throws {RequestError} If they cannot be read. The node uses its own then.
   */
  use(cluster: Pick<ClusterSettings, 'tokenFile'> | undefined, onChange: () => void): void {
    this.close();
    this.#ofCluster = [];
    const file = cluster?.tokenFile ?? '';
    const text = process.env[variable] ?? '';
    if (cluster !== undefined && file !== '') this.#ofCluster = this.#follow(file, onChange);
    else if (cluster !== undefined && text !== '') this.#ofCluster = secretsIn(text, variable);
    this.#limitOwn();
  }

  /** Ends the looks at the file. */
  close(): void {
    this.#stop();
  }

  #follow(file: string, onChange: () => void): ClusterSecret[] {
    const { onError } = this.#deps;
    const where = 'the token secrets of the cluster';
    let isRefused = false;
    const readAgain = (): void => {
      try {
        this.#ofCluster = secretsInFile(file);
        if (isRefused) onError(`"${file}" has been corrected. Its secrets are in use.`, where);
        isRefused = false;
        onChange();
      } catch (error) {
        // Those that were read before go on.
        isRefused = true;
        onError(error, where);
      }
    };
    const secrets = secretsInFile(file);
    watchFile(file, { interval: checkMs, persistent: false }, readAgain);
    this.#stop = () => unwatchFile(file, readAgain);
    return secrets;
  }

  /** The time begins when this node gets a secret of a cluster, not at each start. */
  #limitOwn(): void {
    const { clock, store } = this.#deps;
    const kept = z.number().safeParse(store.settings.get(ownUntilKey)).data;
    this.#ownUntil = this.isOfCluster ? (kept ?? Math.floor(clock.wall()) + ownKeepMs) : 0;
    const next = this.isOfCluster ? this.#ownUntil : undefined;
    if (next !== kept) unlessStorageFails(() => store.settings.set(ownUntilKey, next ?? null));
  }
}

/** @throws {RequestError} If the file cannot be used. */
export function secretsInFile(file: string): ClusterSecret[] {
  const flag = '--cluster-token-file';
  return secretsIn(readOwnFile(file, flag), `"${file}" (${flag})`);
}

/** One secret in each line: the present one, then those whose tokens are accepted, maybe with a time. `source`: for errors. */
function secretsIn(text: string, source: string): ClusterSecret[] {
  const secrets = text.split(/[\n,]/).flatMap((each, at): ClusterSecret[] => {
    const trimmed = each.trim();
    if (trimmed === '' || trimmed.startsWith('#')) return [];
    const [, secret, until] = line.exec(trimmed) ?? [];
    if (secret === undefined || (until !== undefined && !time.safeParse(until).success))
      throw invalid(
        `Entry ${at + 1} of ${source} must be a secret of 32 to 256 letters, digits and "+/=-_", and may end with a time such as 2026-12-01T12:00:00Z. "openssl rand -base64 32" makes one.`,
      );
    return [{ bytes: Buffer.from(secret), until: until === undefined ? undefined : Date.parse(until) }];
  });
  const [current] = secrets;
  if (current === undefined || secrets.length > maxSecrets)
    throw invalid(`${source} must contain 1 to ${maxSecrets} token secrets.`);
  if (current.until !== undefined) throw invalid(`The first secret in ${source} must not have a time.`);
  return secrets;
}

function invalid(text: string): RequestError {
  return new RequestError(text, { field: 'cluster' });
}
