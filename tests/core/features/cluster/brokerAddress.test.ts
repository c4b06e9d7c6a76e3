/** What a node says of files that it cannot use to join. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { brokerAddress } from '../../../../src-core/features/cluster/brokerAddress.ts';
import { dataFolder } from '../../workbench/openWorkbench.ts';
import { memberOf } from './peer.ts';

test.each([
  ['nkeyFile', 'UABC', '(--cluster-nkey) has no line with the seed of an nkey (SU…, 58 characters).'],
  ['caFile', 'not a certificate', '(--cluster-ca) has no certificate in the PEM format.'],
  [
    'caFile',
    '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
    '(--cluster-ca) has no certificate in the PEM format.',
  ],
])('names the option and what is wrong with the %s %j', (option, text, reason) => {
  const file = join(dataFolder(), 'file');
  writeFileSync(file, text);
  expect(() => brokerAddress({ ...memberOf({ url: 'nats://h' }, 'one'), [option]: file })).toThrow(
    `"${file}" ${reason}`,
  );
});

test.each([
  ['nkeyFile', '--cluster-nkey'],
  ['caFile', '--cluster-ca'],
])('names the option of a file that cannot be read: %s', (option, flag) => {
  const settings = { ...memberOf({ url: 'nats://h' }, 'one'), [option]: '/nowhere' };
  expect(() => brokerAddress(settings)).toThrow(`"/nowhere" (${flag}) cannot be read: ENOENT`);
});
