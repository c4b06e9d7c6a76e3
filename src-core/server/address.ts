/** An address as `net.Socket` gives it, without the prefix of an IPv4 address on an IPv6 socket. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
}

/** Whether a plain address is of the machine's own loopback. */
export function isLoopback(address: string): boolean {
  return address === '::1' || /^127(\.\d{1,3}){3}$/.test(address);
}

/** An address as it stands in a URL: IPv6 in brackets, without a zone (`%eth0`). */
export function urlHost(address: string): string {
  const plain = plainAddress(address);
  return plain.includes(':') ? `[${plain.split('%')[0]}]` : plain;
}

/** The name in a `Host` header, lower case, without its port. `undefined` where it is no host. */
export function hostName(header: string): string | undefined {
  const match = /^(\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(?::\d{1,5})?$/.exec(header);
  return match?.[1]?.toLowerCase();
}
