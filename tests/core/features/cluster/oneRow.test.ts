/** Which rows of one Device-Id a node lists: its own, and those of other nodes. */
import { expect, test } from 'vitest';

import { withoutFormer } from '../../../../src-core/features/cluster/listed.ts';
import type { DeviceInfo } from '../../../../src-core/contract/deviceInfo.ts';

const deviceId = '02:00:00:00:00:07';

/** `node`: the one that has it, with `!` if that is lost; without, this one. */
function row(node: string, state: DeviceInfo['state'], connectedAt: number, more: object = {}): DeviceInfo {
  const name = node.replace('!', '');
  return {
    id: node === '' ? deviceId : `${deviceId}@${name}`,
    deviceId,
    clientId: 'c',
    state,
    connectedAt,
    ...(node !== '' && { node: { id: name, name, isLost: node.endsWith('!') } }),
    ...more,
  } as DeviceInfo;
}

const sameId = { error: { code: 'same-id', message: '' } };

test.each([
  ['connected elsewhere', [row('', 'closed', 9), row('a', 'ready', 5), row('b', 'announced', 9)], ['a']],
  ['connected here', [row('', 'ready', 5), row('a', 'closed', 9), row('b', 'failed', 9)], ['']],
  ['not connected', [row('', 'closed', 5), row('a', 'closed', 7), row('b', 'announced', 6)], ['a']],
  ['moving', [row('', 'ready', 5), row('a', 'ready', 6)], ['a']],
  ['of a lost node', [row('', 'closed', 5), row('a!', 'closed', 7)], ['a']],
  ['of a lost node, and connected', [row('', 'ready', 5), row('a!', 'closed', 7)], ['']],
  ['in conflict', [row('', 'failed', 9, sameId), row('a', 'ready', 5)], ['', 'a']],
  ['waiting, by an earlier OTA request elsewhere', [row('a', 'approval', 5), row('', 'announced', 7)], ['a']],
  ['waiting at two nodes', [row('a', 'approval', 5), row('b', 'approval', 7)], ['b']],
  ['waiting, and connected since', [row('a', 'approval', 5), row('b', 'ready', 7)], ['b']],
  ['waiting, with a lost connection elsewhere', [row('a', 'approval', 7), row('b', 'ready', 5)], ['a', 'b']],
  ['waiting with another Client-Id', [row('a', 'approval', 5, { clientId: 'd' }), row('b', 'ready', 7)], ['a', 'b']],
])('a device that is %s', (_, rows, nodes) => {
  expect(withoutFormer(rows).map(({ node }) => node?.id ?? '')).toEqual(nodes);
});

test('devices that send no Device-Id are not compared', () => {
  const unnamed = { deviceId: 'Unnamed-1' };
  expect(withoutFormer([row('', 'closed', 5, unnamed), row('a', 'ready', 7, unnamed)])).toHaveLength(2);
});
