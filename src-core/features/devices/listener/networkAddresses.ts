import type { NetworkInterfaceInfo } from 'node:os';

/** An address at which this machine can be reached, and the interface that has it. */
export interface NetworkAddress {
  host: string;
  interface: string;
}

/** Bridges, containers, virtual machines and tunnels, by how Linux, macOS and Windows name them. */
const virtualNames =
  /^(docker|br-|veth|virbr|lxc|lxd|cni|flannel|cali|podman|vmnet|vboxnet|vmenet|bridge|tun|tap|utun|wg|ppp|tailscale|zt|ham|awdl|llw|anpi|vethernet)|virtual|vmware|hyper-v|wsl|loopback|vpn|tailscale|zerotier|wireguard/i;

/** MAC prefixes of VMware, VirtualBox host-only, Docker, Hyper-V and Parallels. */
const virtualMacs = /^(00:50:56|00:0c:29|00:05:69|0a:00:27|02:42|00:15:5d|00:1c:42)/i;

/**
 * This machine's addresses, one an interface, the likeliest for a device first: those of real interfaces before bridges
 * and tunnels, home networks before others; loopback last. IPv4 only: the firmware's URL reader takes the first colon
 * for a port (docs/protocols/xiaozhi.md#connecting). `interfaces` is the result of `os.networkInterfaces`.
 */
export function networkAddresses(interfaces: Record<string, NetworkInterfaceInfo[] | undefined>): {
  network: NetworkAddress[];
  loopback: NetworkAddress;
} {
  const found = Object.entries(interfaces).flatMap(([name, addresses = []]) => {
    const candidates = addresses.filter(({ family, internal }) => family === 'IPv4' && !internal);
    const [best] = candidates.map((info) => ({ info, rank: rankOf(name, info) })).sort(byRank);
    return best === undefined ? [] : [{ host: best.info.address, interface: name, rank: best.rank }];
  });
  const loopback = Object.entries(interfaces).find(([, addresses = []]) => addresses.some(isLoopback))?.[0] ?? 'lo';
  return {
    network: found.sort(byRank).map(({ host, interface: name }) => ({ host, interface: name })),
    loopback: { host: '127.0.0.1', interface: loopback },
  };
}

const byRank = (one: { rank: number }, other: { rank: number }): number => one.rank - other.rank;

function isLoopback({ internal, address }: NetworkInterfaceInfo): boolean {
  return internal && address === '127.0.0.1';
}

/** Home networks, those of offices, what Docker takes first, any other. */
const ranges = [/^192\.168\./, /^10\./, /^172\.(1[6-9]|2\d|3[01])\./, /^/];

/** Lower is likelier. */
function rankOf(name: string, { address, mac }: NetworkInterfaceInfo): number {
  const isVirtual = virtualNames.test(name) || virtualMacs.test(mac);
  // Such an address was not assigned: there is no router.
  const isLinkLocal = address.startsWith('169.254.');
  return (isLinkLocal ? 100 : 0) + (isVirtual ? 10 : 0) + ranges.findIndex((range) => range.test(address));
}
