import { readFileSync } from 'node:fs';

import { describeThrown } from '../../base/describeThrown.ts';
import { RequestError } from '../../base/requestError.ts';
import type { ClusterSettings } from '../../contract/cluster.ts';
import type { BusAddress } from './bus.ts';

/** @throws {RequestError} If the file of the nkey cannot be read or has none, or the one of the certificate cannot be read. */
export function brokerAddress({ url, nkeyFile, caFile }: ClusterSettings): BusAddress {
  if (caFile !== '') readOwnFile(caFile);
  return {
    url,
    ...(nkeyFile !== '' && { nkeySeed: seedIn(nkeyFile) }),
    ...(caFile !== '' && { caFile }),
  };
}

function seedIn(file: string): string {
  const seed = /^SU[A-Z2-7]{56}$/m.exec(readOwnFile(file))?.[0];
  if (seed !== undefined) return seed;
  throw new RequestError(`"${file}" has no line with the seed of an nkey (SU…, 58 characters).`, { field: 'cluster' });
}

function readOwnFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new RequestError(`"${file}" cannot be read: ${describeThrown(cause)}`, { field: 'cluster', cause });
  }
}
