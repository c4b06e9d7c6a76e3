/** What a node says if it cannot join, with real brokers. */
import { expect, test } from 'vitest';

import { brokerProblem } from '../../../../src-core/features/cluster/brokerProblem.ts';
import { freePort } from '../../../helpers/freePort.ts';
import { natsServer, openNatsServer } from '../../../helpers/natsServer.ts';
import { openWorkbench } from '../../workbench/openWorkbench.ts';
import { memberOf } from './peer.ts';

async function problemAt(url: string): Promise<string | undefined> {
  const node = await openWorkbench({ cluster: memberOf({ url }, 'one'), onError: () => undefined });
  const problem = () => node.services.cluster.info().joined?.problem;
  await expect.poll(problem).toBeDefined();
  return problem();
}

test('names the address if no broker answers there', async () => {
  const host = `127.0.0.1:${await freePort()}`;
  expect(await problemAt(`nats://${host}`)).toBe(
    `No broker answers at ${host} (ECONNREFUSED). Start nats-server there, or correct the address (--cluster).`,
  );
});

test.skipIf(natsServer === undefined)('names the option for the credentials that the broker requires', async () => {
  const nats = await openNatsServer({ config: 'authorization { user: "a", password: "b" }' });
  expect(await problemAt(nats.url)).toBe(
    'The broker requires credentials. Name the file of an nkey (--cluster-nkey), or put a user and a password into the address.',
  );
});

test('names the option for a certificate that is not trusted, and keeps what has no remedy', () => {
  const cause = Object.assign(new Error('unable to verify'), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
  const given = { url: 'tls://a.test, tls://b.test:4333', hasNkey: true };
  expect(brokerProblem(new Error('connection failed', { cause }), given)).toBe(
    'The certificate of the broker is not trusted. Name the certificate of the authority that signed it (--cluster-ca).',
  );
  const refused = Object.assign(new Error('Authorization Violation'), { name: 'AuthorizationError' });
  expect(brokerProblem(refused, given)).toBe(
    'The broker refuses the nkey of this node. Add its public key to the users of the broker.',
  );
  expect(brokerProblem(new Error('unknown protocol'), given)).toBe('unknown protocol');
});
