import { X509Certificate } from 'node:crypto';

import { describeThrown } from '../../base/describeThrown.ts';
import { readTextFile } from '../../base/readTextFile.ts';
import { RequestError } from '../../base/requestError.ts';
import type { ClusterSettings } from '../../contract/cluster.ts';
import type { BusAddress } from './connectionOptions.ts';

const maxFileBytes = 65_536;

/** @throws {RequestError} If a file cannot be read, or has no nkey or no certificate. */
export function brokerAddress({ url, nkeyFile, caFile }: ClusterSettings): BusAddress {
  if (caFile !== '') requireCertificate(caFile);
  return {
    url,
    ...(nkeyFile !== '' && { nkeySeed: seedIn(nkeyFile) }),
    ...(caFile !== '' && { caFile }),
  };
}

function seedIn(file: string): string {
  const flag = '--cluster-nkey';
  const seed = /^SU[A-Z2-7]{56}$/m.exec(readOwnFile(file, flag))?.[0];
  if (seed !== undefined) return seed;
  throw new RequestError(`"${file}" (${flag}) has no line with the seed of an nkey (SU…, 58 characters).`, {
    field: 'cluster',
  });
}

function requireCertificate(file: string): void {
  const flag = '--cluster-ca';
  const text = readOwnFile(file, flag);
  try {
    new X509Certificate(text);
  } catch (cause) {
    throw new RequestError(`"${file}" (${flag}) has no certificate in the PEM format.`, { field: 'cluster', cause });
  }
}

/** `flag`: the option that names the file. @throws {RequestError} If it cannot be read, is not a regular file, or is larger than 64 kB. */
export function readOwnFile(file: string, flag: string): string {
  try {
    return readTextFile(file, maxFileBytes);
  } catch (cause) {
    throw new RequestError(`"${file}" (${flag}) cannot be read: ${describeThrown(cause)}`, { field: 'cluster', cause });
  }
}
