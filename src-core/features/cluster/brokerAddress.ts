import { describeThrown } from '../../base/describeThrown.ts';
import { readTextFile } from '../../base/readTextFile.ts';
import { RequestError } from '../../base/requestError.ts';
import type { ClusterSettings } from '../../contract/cluster.ts';
import type { BusAddress } from './bus.ts';

const maxFileBytes = 65_536;

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

/** @throws {RequestError} If it cannot be read, is not a regular file, or is larger than 64 kB. */
export function readOwnFile(file: string): string {
  try {
    return readTextFile(file, maxFileBytes);
  } catch (cause) {
    throw new RequestError(`"${file}" cannot be read: ${describeThrown(cause)}`, { field: 'cluster', cause });
  }
}
