/** A node that restarts behind HAProxy, with the configuration of docs/cluster.md. */
import { describe, expect, onTestFinished, test } from 'vitest';

import { askOta } from '../../../../src-core/deviceSide/client/askOta.ts';
import { createVirtualDevice } from '../../../../src-core/features/devices/virtual/virtualDevice.ts';
import { haproxy } from '../../../helpers/findHaproxy.ts';
import { noHaproxy } from '../../../helpers/haproxy.ts';
import { natsServer, noNatsServer } from '../../../helpers/natsServer.ts';
import { call, until } from '../../workbench/openWorkbench.ts';
import { find, openNodes } from './balancedNodes.ts';
import { profileWith } from './profileWith.ts';

const tool = 'self.get_device_status';

describe.skipIf(natsServer === undefined || haproxy === undefined)(
  `a restart behind a load balancer (${natsServer ?? noNatsServer}, ${haproxy ?? noHaproxy})`,
  () => {
    test.each(['HTTP', 'TCP'] as const)(
      'a running call finishes, the next one runs at the other node, and no device is refused in %s mode',
      async (mode) => {
        const { publicUrl, nodes, stateOf } = await openNodes(mode);
        const url = `${publicUrl}/xiaozhi/ota/`;
        const ran: string[] = [];
        const released = Promise.withResolvers<undefined>();
        const profile = profileWith((name) => {
          ran.push(name);
          return released.promise;
        });
        const board = createVirtualDevice({ url, profile, name: 'Lamp', reconnect: true });
        onTestFinished(() => {
          released.resolve(undefined);
          return board.close();
        });
        const { deviceId } = board;
        const connecting = board.connect();
        const owner = await Promise.any(
          nodes.map(async (node) => {
            await until(node, () => find(node, deviceId)?.state === 'approval');
            return node;
          }),
        );
        const other = nodes.find((node) => node !== owner)!;
        const { clientId = '' } = find(owner, deviceId)!;
        await owner.services.devices.approve({ id: deviceId, clientId });
        await connecting;
        await until(other, () => find(other, deviceId)?.registryId !== undefined);
        const device = find(other, deviceId)!;
        const calls = [call(other, device, tool), call(other, device, tool)];
        await expect.poll(() => ran.length).toBe(1);
        const drained = owner.drain();
        const identity = { deviceId, clientId, board: 'b', version: '1' };
        // HAProxy does not know yet that the node restarts.
        if (mode === 'HTTP') await askOta({ url, identity, signal: AbortSignal.timeout(5_000) });
        await expect.poll(() => stateOf(owner)).toBe('DOWN');
        released.resolve(undefined);
        await drained;
        await owner.close();
        expect(await Promise.all(calls)).toMatchObject([{ status: 'success' }, { status: 'success' }]);
        expect(ran).toHaveLength(2);
      },
    );
  },
);
