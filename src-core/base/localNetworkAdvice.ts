import { BlockList, isIP } from 'node:net';

const privateAddresses = new BlockList();
privateAddresses.addSubnet('10.0.0.0', 8);
privateAddresses.addSubnet('172.16.0.0', 12);
privateAddresses.addSubnet('192.168.0.0', 16);
privateAddresses.addSubnet('169.254.0.0', 16);
privateAddresses.addSubnet('fc00::', 7, 'ipv6');
privateAddresses.addSubnet('fe80::', 10, 'ipv6');

/**
 * The remedy if macOS may have refused a connection to the local network, as one English sentence; undefined for any other
 * failure. macOS 15 and later report the refusal as EHOSTUNREACH, like a machine that is switched off (Apple TN3179).
 * `hostname` is used if the error has no address; an IPv6 address may be in brackets.
 */
export function localNetworkAdvice(
  error: unknown,
  { hostname, platform = process.platform }: { hostname: string; platform?: NodeJS.Platform | undefined },
): string | undefined {
  if (platform !== 'darwin') return undefined;
  const isRefused = flatten(error).some(
    (each) =>
      'code' in each &&
      each.code === 'EHOSTUNREACH' &&
      isLocal('address' in each && typeof each.address === 'string' ? each.address : hostname),
  );
  if (!isRefused) return undefined;
  return 'If it runs, macOS may have refused the connection: allow Toolwire in System Settings → Privacy & Security → Local Network.';
}

/** The error, its causes, and what Node gathers of the addresses that it tried. */
function flatten(error: unknown, depth = 0): Error[] {
  if (!(error instanceof Error) || depth > 8) return [];
  const gathered: unknown[] = error instanceof AggregateError ? error.errors : [];
  return [error, ...[error.cause, ...gathered].flatMap((each) => flatten(each, depth + 1))];
}

function isLocal(host: string): boolean {
  // `[fe80::1%eth0]` without its brackets and its zone.
  const plain = host.replace(/^\[/, '').split(/[\]%]/, 1).join('');
  const version = isIP(plain);
  if (version === 0) return plain.toLowerCase().endsWith('.local');
  return privateAddresses.check(plain, version === 6 ? 'ipv6' : 'ipv4');
}
