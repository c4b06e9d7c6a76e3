/** The hosts that a sign-in may ask. */
import { expect, test } from 'vitest';

import { checkRequestUrl } from '../../../src-core/mcp/auth/checkUrls.ts';
import { urlHost } from '../../../src-core/server/address.ts';

test('asks no private host for a public server, and nothing over plain http', async () => {
  const server = new URL('https://1.1.1.1/mcp');
  const hosts = {
    private: ['10.0.0.1', '127.0.0.1', '169.254.169.254', '192.0.2.1', '224.0.0.1', '255.255.255.255'],
    'private, IPv6': ['::', '::1', 'fd00::1', 'fe80::1', 'fec0::1', 'ff02::1', '100::1', '2001:db8::1', '4000::1'],
    'IPv4 in IPv6': ['::ffff:10.0.0.1', '::10.0.0.1', '64:ff9b::10.0.0.1', '64:ff9b:1::10.0.0.1'],
    tunnels: ['2002:a00:1::1', '2001:0:a00:1::1'],
  };
  for (const host of Object.values(hosts).flat())
    await expect(checkRequestUrl(new URL(`https://${urlHost(host)}/x`), server), host).rejects.toMatchObject({
      code: 'private-address',
    });
  for (const host of ['1.0.0.1', '2606:4700:4700::1111', '::ffff:1.0.0.1', '64:ff9b::1.0.0.1'])
    await checkRequestUrl(new URL(`https://${urlHost(host)}/x`), server);
  // A server in a private network may refer to others there.
  await checkRequestUrl(new URL('https://10.0.0.2/x'), new URL('https://10.0.0.1/mcp'));
  await expect(checkRequestUrl(new URL('http://1.0.0.1/x'), server)).rejects.toMatchObject({ code: 'insecure-url' });
});
