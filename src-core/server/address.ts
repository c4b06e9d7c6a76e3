/** An address as `net.Socket` returns it, without the prefix of an IPv4 address on an IPv6 socket. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
}

/**
 * What counts as one machine in limits, for a plain address: an IPv4 address, or the first 64 bits of an IPv6 address, since
 * one machine can use every address that begins with them.
 */
export function machineOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':').toLowerCase();
}

/** Every IPv4 address of this machine. */
export const anyAddress = '0.0.0.0';

/** Whether a plain address is of the machine's own loopback. */
export function isLoopback(address: string): boolean {
  return address === '::1' || /^127(\.\d{1,3}){3}$/.test(address);
}

/** An address as written in a URL: IPv6 in brackets, without a zone (`%eth0`). */
export function urlHost(address: string): string {
  const plain = plainAddress(address);
  return plain.includes(':') ? `[${plain.split('%')[0]}]` : plain;
}

/** The name in a `Host` header, lower case, without its port. `undefined` if it is not a host. */
export function hostName(header: string): string | undefined {
  const match = /^(\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(?::\d{1,5})?$/.exec(header);
  return match?.[1]?.toLowerCase();
}
