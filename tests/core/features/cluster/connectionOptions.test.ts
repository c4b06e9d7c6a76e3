/** Which certificates of brokers a node accepts. */
import type { PeerCertificate } from 'node:tls';
import { expect, test } from 'vitest';

import { connectionOptions } from '../../../../src-core/features/cluster/connectionOptions.ts';

test.each([
  ['a broker of the settings', 'b1.example', 'b1.example', 'DNS:b1.example', true],
  ['a broker that another one names', 'b1.example', 'b2.example', 'DNS:b2.example', true],
  ['a broker that another one names, with the certificate of a third', 'b1.example', 'b2.example', 'DNS:b3', false],
  // Node checks `localhost` if the server has no name.
  ['a broker at an IP address', 'b1.example', 'localhost', 'DNS:b1.example', true],
  ['a broker at an IP address of the settings', '127.0.0.1', 'localhost', 'IP Address:127.0.0.1', true],
  ['a broker at an IP address, with a certificate for localhost', '127.0.0.1', 'localhost', 'DNS:localhost', false],
  ['a broker at localhost', 'localhost', 'localhost', 'DNS:localhost', true],
])('%s', (_, named, host, subjectaltname, isAccepted) => {
  const { tls } = connectionOptions({ url: `tls://${named}:4222`, caFile: 'ca.pem' }, 'node');
  const { checkServerIdentity } = tls as { checkServerIdentity: (host: string, of: PeerCertificate) => unknown };
  expect(checkServerIdentity(host, { subject: {}, subjectaltname } as PeerCertificate) === undefined).toBe(isAccepted);
});
