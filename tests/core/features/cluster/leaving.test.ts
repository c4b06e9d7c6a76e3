/** A node leaves its cluster, or loses the owner of a device: the calls that it has sent end, at both nodes. */
import { describe, expect, test } from 'vitest';

import { wireVersion } from '../../../../src-core/features/cluster/messages.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { noNatsServer, natsServer, openNatsServer } from '../../../helpers/natsServer.ts';
import { addDevice, call, openWorkbench, until } from '../../workbench/openWorkbench.ts';
import { memberOf, openPeer } from './peer.ts';

const lamp = (workbench: Workbench) => workbench.services.devices.list().find(({ name }) => name === 'Lamp')!;

/** A caller that has joined by its settings, and a call of it that a peer with the device has answered so far. */
async function openCall(answers: object[]) {
  const nats = await openNatsServer();
  const peer = await openPeer(nats);
  const caller = await openWorkbench();
  const cluster = memberOf(nats, 'caller');
  await caller.services.settings.set({ cluster });
  const tools = { registryId: 'lamp', connection: 7, hash: 'h' };
  const row = { id: 'lamp', deviceId: 'lamp', name: 'Lamp', state: 'ready', health: 'ready', virtual: false };
  const rows = [{ ...row, connectedAt: 1, toolCount: 1, tools, claim: { ms: 1, count: 0 } }];
  const methods = [{ name: 'add', description: '', agentCallable: true, inputSchema: { type: 'object' } }];
  const answer = (subject: string, ...data: object[]) =>
    peer.connection.subscribe(`tw.lab.n.${peer.node}.${subject}`, {
      callback: (_, message) => data.forEach((one) => message.respond(JSON.stringify(one))),
    });
  answer('snap', { seq: 1, at: 0, rows, isLast: true });
  answer('tools', { methods, isLast: true });
  answer('call', ...answers);
  await peer.meet('caller');
  peer.beat({ seq: 1 });
  await until(caller, () => lamp(caller)?.registryId !== undefined);
  const result = call(caller, lamp(caller), 'add');
  const received = (topic: string) => peer.received.filter(({ subject }) => subject === `n.${peer.node}.${topic}`);
  await expect.poll(() => received('call').length).toBe(1);
  const leave = () => caller.services.settings.set({ cluster: { ...cluster, url: '' } });
  return { peer, caller, result, received, leave };
}

describe.skipIf(natsServer === undefined)(`leaving a cluster (${natsServer ?? noNatsServer})`, () => {
  test('cancels a sent call at its owner, and says that it may have run', async () => {
    const { result, received, leave } = await openCall([{ kind: 'accepted' }]);
    await leave();
    expect(await result).toMatchObject({
      error: { code: 'disconnected', message: 'This node has left the cluster. The call may have run.' },
    });
    await expect.poll(() => received('cancel').length).toBe(1);
  });

  test('ends a call that waits for its device to move, and says that nothing ran', async () => {
    const { result, leave } = await openCall([{ kind: 'refused', why: 'draining' }]);
    await leave();
    expect(await result).toMatchObject({
      error: { code: 'disconnected', message: 'This node has left the cluster. Nothing ran.' },
    });
  });

  test('ends the calls that others have sent to it, and says what became of each', async () => {
    const nats = await openNatsServer();
    const owner = await openWorkbench();
    const cluster = memberOf(nats, 'owner');
    await owner.services.settings.set({ cluster });
    await addDevice(owner, { name: 'Lamp', latencyMs: 60_000 });
    const caller = await openWorkbench({ cluster: memberOf(nats, 'caller') });
    await until(caller, () => lamp(caller)?.registryId !== undefined);
    const results = [1, 2].map(() => call(caller, lamp(caller), 'self.get_device_status'));
    await until(owner, () => owner.services.calls.running().length === 2);
    await owner.services.settings.set({ cluster: { ...cluster, url: '' } });
    expect((await Promise.all(results)).map(({ result }) => result)).toEqual([
      'The call was cancelled at the node "owner". The call may have run.',
      'The call was cancelled at the node "owner". Nothing ran.',
    ]);
    await expect.poll(() => owner.services.calls.history({ limit: 2 })).toHaveLength(2);
    expect((await owner.services.calls.history({ limit: 2 })).map(({ result }) => result?.result).toSorted()).toEqual([
      'This node has left the cluster. It did not run.',
      'This node has left the cluster. It had already started and may have taken effect.',
    ]);
  });

  test('cancels a call at an owner that counts as lost: it may only have been stopped', async () => {
    const { peer, result, received } = await openCall([{ kind: 'accepted' }]);
    peer.connection.publish('tw.lab.bye', JSON.stringify({ v: wireVersion, node: peer.node }));
    expect(await result).toMatchObject({
      error: { code: 'disconnected', message: expect.stringContaining('may have run') as string },
    });
    await expect.poll(() => received('cancel').length).toBe(1);
  });
});
