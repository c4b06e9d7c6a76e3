import { describeThrown } from '../../base/describeThrown.ts';
import type { ClusterSettings } from '../../contract/cluster.ts';

const unreachable = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']);
const untrusted = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
]);

/** Why a node cannot join, and the remedy; in the words of NATS or the operating system if no remedy is known. */
export function brokerProblem(error: unknown, { url, hasNkey }: Pick<ClusterSettings, 'url'> & { hasNkey: boolean }) {
  const code = codeOf(error) ?? '';
  const hosts = url
    .split(',')
    .map((one) => new URL(one.trim()).host)
    .join(', ');
  if (unreachable.has(code))
    return `No broker answers at ${hosts} (${code}). Start nats-server there, or correct the address (--cluster).`;
  if (untrusted.has(code))
    return 'The certificate of the broker is not trusted. Name the certificate of the authority that signed it (--cluster-ca).';
  if (error instanceof Error && error.name === 'AuthorizationError')
    return hasNkey
      ? 'The broker refuses the nkey of this node. Add its public key to the users of the broker.'
      : 'The broker requires credentials. Name the file of an nkey (--cluster-nkey), or put a user and a password into the address.';
  return describeThrown(error);
}

/** What the broker did not let this node do, in the terms of its configuration; undefined if the error is another. */
export function deniedPermission(error: Error): string | undefined {
  if (error.name !== 'PermissionViolationError' || !('operation' in error && 'subject' in error)) return undefined;
  return `${error.operation === 'publish' ? 'publish' : 'subscribe'} "${String(error.subject)}"`;
}

/** The problem of a node that the broker denies these permissions, and maybe more. */
export function deniedText([first, ...others]: readonly string[], mayBeMore: boolean): string {
  const more = others.length;
  if (more === 0) return `The broker denies this node a permission: ${first}. Add it to its user (docs/cluster.md).`;
  return mayBeMore
    ? `The broker denies this node permissions: ${first} and at least ${more} more. Add them to its user (docs/cluster.md).`
    : `The broker denies this node permissions: ${first} and ${more} more. Add them to its user (docs/cluster.md).`;
}

/** The code of the error of Node that is the cause. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return 'code' in error && typeof error.code === 'string' ? error.code : codeOf(error.cause);
}
