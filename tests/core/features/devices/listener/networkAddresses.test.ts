import type { NetworkInterfaceInfo } from 'node:os';
import { expect, test } from 'vitest';

import { networkAddresses } from '../../../../../src-core/features/devices/listener/networkAddresses.ts';

const at = (address: string, more: Partial<NetworkInterfaceInfo> = {}): NetworkInterfaceInfo =>
  ({
    address,
    netmask: '255.255.255.0',
    family: 'IPv4',
    mac: 'a4:83:e7:11:22:33',
    internal: false,
    cidr: null,
    ...more,
  }) as NetworkInterfaceInfo;
const six = (address: string, more: Partial<NetworkInterfaceInfo> = {}) => at(address, { ...more, family: 'IPv6' });
const lo = [at('127.0.0.1', { internal: true }), six('::1', { internal: true })];

test.each<[string, Record<string, NetworkInterfaceInfo[]>, string[]]>([
  [
    'Linux with containers and a tunnel',
    {
      lo,
      docker0: [at('172.17.0.1', { mac: '02:42:ac:11:00:02' })],
      'br-1a2b3c': [at('172.18.0.1')],
      tailscale0: [at('100.101.102.103')],
      tun0: [at('10.8.0.2')],
      enp3s0: [at('192.168.1.7'), six('fe80::1')],
      wlp2s0: [at('10.0.0.9')],
    },
    [
      'enp3s0 192.168.1.7',
      'wlp2s0 10.0.0.9',
      'tun0 10.8.0.2',
      'docker0 172.17.0.1',
      'br-1a2b3c 172.18.0.1',
      'tailscale0 100.101.102.103',
    ],
  ],
  [
    'macOS',
    {
      lo0: lo,
      utun3: [at('10.9.9.9')],
      bridge100: [at('192.168.64.1')],
      en0: [at('10.20.30.40')],
      awdl0: [six('fe80::2')],
    },
    ['en0 10.20.30.40', 'bridge100 192.168.64.1', 'utun3 10.9.9.9'],
  ],
  [
    'Windows in another language',
    {
      'Loopback Pseudo-Interface 1': lo,
      'vEthernet (WSL)': [at('172.28.0.1', { mac: '00:15:5d:00:00:01' })],
      'VMware Network Adapter VMnet8': [at('192.168.80.1', { mac: '00:50:56:c0:00:08' })],
      'Ethernet 3': [at('192.168.56.1', { mac: '0a:00:27:00:00:0c' })],
      以太网: [at('169.254.10.10')],
      WLAN: [at('192.168.31.5')],
    },
    [
      'WLAN 192.168.31.5',
      'VMware Network Adapter VMnet8 192.168.80.1',
      'Ethernet 3 192.168.56.1',
      'vEthernet (WSL) 172.28.0.1',
      '以太网 169.254.10.10',
    ],
  ],
  ['an interface with several', { lo, eth0: [at('203.0.113.5'), at('192.168.1.2')] }, ['eth0 192.168.1.2']],
  ['none', { lo }, []],
])('addresses on %s: one an interface, the likeliest first', (_where, interfaces, expected) => {
  const { network, loopback } = networkAddresses(interfaces);
  expect(network.map((address) => `${address.interface} ${address.host}`)).toEqual(expected);
  expect(loopback).toEqual({ host: '127.0.0.1', interface: Object.keys(interfaces)[0] });
});

test('a machine that lists no loopback has one all the same', () => {
  expect(networkAddresses({}).loopback).toEqual({ host: '127.0.0.1', interface: 'lo' });
});
