/** Decisions on a device of the network that waits at another node, or is at it. */
import { describe, expect, test } from 'vitest';

import { jetStream, noNatsServer, natsServer, openNatsServer } from '../../../helpers/natsServer.ts';
import { until } from '../../workbench/openWorkbench.ts';
import { approvalAt, approve, connectBoard, elsewhere, id, isIn, openNode, own, ownAddress } from './approvalNodes.ts';

describe.skipIf(natsServer === undefined || ownAddress === undefined)(
  `approvals of devices of other nodes (${natsServer ?? noNatsServer})`,
  () => {
    test('are decided at any node on a device that waits at another one', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const [one, other] = [await openNode(nats.url, 'one'), await openNode(nats.url, 'other')];
      const there = () => elsewhere(one);
      const first = await connectBoard(other);
      await until(one, () => there()?.state === 'approval');
      expect(there()).toMatchObject({ node: { name: 'other' }, clientId: 'c-1' });
      await one.services.devices.refuse({ id: there()!.id });
      expect((await first.closed).code).toBe(1008);
      expect(there()?.wasRejected).toBeUndefined();
      const second = await connectBoard(other);
      await until(one, () => there()?.wasRejected === true);
      expect(() => one.services.devices.approve({ id: there()!.id, clientId: 'c-2' })).toThrow(
        'its Client-Id is different now',
      );
      await one.services.devices.approve({ id: there()!.id, clientId: 'c-1' });
      await until(one, () => there()?.state === 'ready');
      expect(() => one.services.devices.approve({ id: there()!.id, clientId: 'c-1' })).toThrow('belongs to the node');
      await one.services.devices.refuse({ id: there()!.id });
      expect((await second.closed).code).toBe(1008);
      expect(approvalAt(one)).toBeUndefined();
      await connectBoard(other, 'c-2');
      await until(one, () => there()?.state === 'approval');
      expect(there()?.wasRejected).toBeUndefined();
    });

    test('stay if another device with the same Device-Id is rejected', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const [one, other] = [await openNode(nats.url, 'one'), await openNode(nats.url, 'other')];
      await connectBoard(one);
      await isIn(one, 'approval');
      await approve(one);
      await isIn(one, 'ready');
      await until(other, () => approvalAt(other) === 'c-1');
      const impostor = await connectBoard(other, 'c-2');
      await until(one, () => elsewhere(one)?.state === 'approval');
      expect(() => one.services.devices.refuse({ id: elsewhere(one)!.id })).toThrow('belongs to the node "other"');
      await other.services.devices.refuse({ id });
      expect((await impostor.closed).code).toBe(1008);
      // A removal would be shared before this.
      other.features.devices.approvals.set('another board', 'c-1');
      await until(one, () => one.features.devices.approvals.get('another board') === 'c-1');
      expect([approvalAt(one), approvalAt(other), own(one)?.state]).toEqual(['c-1', 'c-1', 'ready']);
    });

    test('stay if a node without the broker forgets a device that has moved', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const [one, other] = [await openNode(nats.url, 'one'), await openNode(nats.url, 'other')];
      await connectBoard(one);
      await isIn(one, 'approval');
      await approve(one);
      await until(other, () => approvalAt(other) === 'c-1');
      await connectBoard(other);
      await until(
        one,
        () => elsewhere(one)?.state === 'ready' && one.features.devices.hub.device(id)?.state === 'closed',
      );
      await nats.kill();
      await until(one, () => elsewhere(one)?.node?.isLost === true);
      const cannot = /belongs to the node "other", which cannot be reached now\.$/;
      expect(() => one.services.devices.disconnect({ id: elsewhere(one)!.id })).toThrow(cannot);
      await one.services.devices.forget({ id });
      expect(approvalAt(one)).toBe('c-1');
    });

    test('on a device of this node say whether the other nodes know them', async () => {
      const nats = await openNatsServer({ config: jetStream() });
      const one = await openNode(nats.url, 'one');
      await connectBoard(one);
      await isIn(one, 'approval');
      expect(await approve(one)).toEqual({});
      await nats.kill();
      await until(one, () => one.services.cluster.info().joined?.isConnected === false);
      expect(await one.services.devices.refuse({ id })).toEqual({ isUnshared: true });
      await connectBoard(one);
      await isIn(one, 'approval');
      expect(await approve(one)).toEqual({ isUnshared: true });
    });

    test('that cannot be shared are an error for a device of another node, and mark only the device they are for', async () => {
      const nats = await openNatsServer();
      const [one, other] = [await openNode(nats.url, 'one'), await openNode(nats.url, 'other')];
      one.features.devices.approvals.set(id, 'c-1');
      await connectBoard(other, 'c-2');
      await until(one, () => elsewhere(one)?.state === 'approval');
      expect(elsewhere(one)?.isUnshared).toBeUndefined();
      one.features.devices.approvals.delete(id);
      const unknown =
        /^The node "other" does not know your decision on ".+" yet\. .+ no JetStream\. .+ Your decision is kept, and counts there/;
      await expect(one.services.devices.refuse({ id: elsewhere(one)!.id })).rejects.toThrow(unknown);
      await expect(one.services.devices.approve({ id: elsewhere(one)!.id, clientId: 'c-2' })).rejects.toThrow(unknown);
      expect(elsewhere(one)).toMatchObject({ state: 'approval', isUnshared: true });
    });
  },
);
