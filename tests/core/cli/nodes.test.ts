/** `toolwire nodes` and `toolwire devices` in a cluster: which node has which devices. */
import { describe, expect, onTestFinished, test } from 'vitest';

import type { ServedAddresses } from '../../../src-core/cli/addresses.ts';
import { createVirtualDeviceOf } from '../../../src-core/features/devices/virtual/profiles.ts';
import { natsServer, noNatsServer, openNatsServer, type NatsServer } from '../../helpers/natsServer.ts';
import { ownAddress } from '../features/cluster/approvalNodes.ts';
import { dataDirWith, runCli, startCli } from './cliProcess.ts';

async function startNode({ url }: Pick<NatsServer, 'url'>, name: string, ...more: string[]) {
  const dir = dataDirWith();
  const flags = ['--port', '0', '--device-port', '0', '--no-open', '--json', '--data-dir', dir];
  const { child, firstLine, noted } = startCli(['serve', ...flags, '--cluster', url, '--node-name', name, ...more]);
  const { device } = JSON.parse(await firstLine()) as ServedAddresses;
  return {
    child,
    device,
    /** What `serve` has noted. */
    said: noted,
    connect: async (name: string) => {
      const board = createVirtualDeviceOf('firmware', { url: device.otaUrl, name });
      onTestFinished(() => board.close());
      await board.connect();
      return board;
    },
    toolwire: async (...args: string[]) => (await runCli([...args, '--data-dir', dir])).out,
    noted: async (...args: string[]) => (await runCli([...args, '--data-dir', dir])).err,
  };
}

describe.skipIf(natsServer === undefined)(`the terminal of a node (${natsServer ?? noNatsServer})`, () => {
  test('lists the nodes with the devices that each has', async () => {
    const nats = await openNatsServer();
    const [lab, bench] = [await startNode(nats, 'lab'), await startNode(nats, 'bench')];
    const lamp = await lab.connect('Lamp');
    const fan = await bench.connect('Fan');
    const gone = await bench.connect('Gone');
    await gone.close();
    await expect.poll(() => lab.toolwire('nodes')).toMatch(/^Fan +bench +Live/m);
    await expect.poll(() => lab.toolwire('nodes')).toMatch(/^bench +live +1 +\d+ /m);
    const listed = await lab.toolwire('nodes');
    const lines = listed.split('\n').map((line) => line.split(/ {2,}/));
    expect(lines).toEqual([
      ['Cluster "main": connected'],
      [''],
      ['NODE', 'STATE', 'DEVICES', 'TOOLS', 'CALLS', 'TOOLWIRE', 'ID'],
      ['lab', 'this node', '1', expect.stringMatching(/^\d\d$/), '0', expect.stringMatching(/^\d/), expect.any(String)],
      ['bench', 'live', '1', expect.stringMatching(/^\d\d$/), '0', expect.stringMatching(/^\d/), expect.any(String)],
      [''],
      ['DEVICE', 'NODE', 'STATE', 'TOOLS', 'ID'],
      ['Lamp', 'lab', 'Live', expect.stringMatching(/^\d\d$/), lamp.deviceId],
      ['Fan', 'bench', 'Live', expect.stringMatching(/^\d\d$/), `${fan.deviceId}@${lines[4]?.at(-1)}`],
      [''],
    ]);
    const { nodes } = JSON.parse(await lab.toolwire('nodes', '--json')) as { nodes: object[] };
    expect(nodes).toMatchObject([
      { name: 'lab', devices: 1, owns: [{ name: 'Lamp', deviceId: lamp.deviceId, state: 'ready' }] },
      { name: 'bench', devices: 1, owns: [{ name: 'Fan', tools: expect.arrayContaining(['self.get_device_status']) }] },
    ]);
    expect(await lab.toolwire('devices')).toMatch(/ {2}at bench {2,}Fan$/m);

    bench.child.kill('SIGKILL');
    await expect.poll(() => lab.toolwire('nodes')).toMatch(/^Fan +bench +Node not reachable/m);
    // Its last beat may have counted calls.
    expect(await lab.toolwire('nodes')).toMatch(/^bench +lost +– +– +– /m);
    expect(await lab.toolwire('devices')).toMatch(/ {2}Node not reachable .* at bench {2,}Fan$/m);
  });

  test('says that it has joined, with its address without the password, how a node has left, and that the broker is back', async () => {
    const nats = await openNatsServer({ config: 'authorization { user: "me", password: "secret" }' });
    const { port } = nats;
    const open = (name: string) => startNode({ url: `nats://me:secret@127.0.0.1:${port}` }, name);
    const lab = await open('lab');
    const joinedAs = (name: string, others: string) =>
      `toolwire: Joined the cluster "main" at nats://127.0.0.1:${port} as "${name}", with ${others}.\n`;
    await expect.poll(lab.said).toBe(joinedAs('lab', 'no other nodes'));
    const bench = await open('bench');
    await expect.poll(bench.said).toBe(joinedAs('bench', '1 other node'));
    bench.child.kill('SIGTERM');
    await expect.poll(() => lab.toolwire('nodes'), { timeout: 15_000 }).toMatch(/^bench +left /m);
    expect(bench.said()).toContain('\ntoolwire: Draining: running calls finish, and devices move to the other nodes');
    expect(lab.said()).toBe(joinedAs('lab', 'no other nodes'));
    await nats.kill();
    await expect.poll(lab.said).toContain('The connection to the broker was lost.');
    await nats.start();
    await expect.poll(lab.said).toMatch(/\ntoolwire: The broker of the cluster "main" is connected again\.\n$/);
  });

  test('does not say that it has joined while the broker denies it a permission', async () => {
    const config = (subscribe: string) => ({
      config: `authorization { users: [{ user: me, password: secret, permissions: { publish: ">", subscribe: "${subscribe}" } }] }`,
    });
    const nats = await openNatsServer(config('tw.main.n.>'));
    const lab = await startNode({ url: `nats://me:secret@127.0.0.1:${nats.port}` }, 'lab');
    await expect.poll(lab.said).toContain('The broker denies this node permissions: subscribe "tw.main.');
    await nats.kill();
    await nats.start(config('>'));
    await expect.poll(lab.said).toContain('toolwire: Joined the cluster "main" at ');
    expect(lab.said().match(/.+: (?:Joined|The connection)/g)).toEqual([
      expect.stringContaining('The connection'),
      expect.stringContaining('Joined'),
    ]);
  });

  test.skipIf(ownAddress === undefined)('says how many devices wait for approval', async () => {
    const lab = await startNode(await openNatsServer(), 'lab', '--device-host', ownAddress ?? '');
    const url = `http://${ownAddress}:${lab.device.port}/xiaozhi/ota/`;
    const board = createVirtualDeviceOf('firmware', { url, name: 'Porch' });
    onTestFinished(() => board.close());
    board.connect().catch(() => undefined);
    const waits = 'Waiting for approval: 1 at lab. Approve them with: toolwire approve --all-waiting\n';
    await expect.poll(() => lab.noted('nodes')).toContain(waits);
    expect(await lab.noted('reject', 'Porch')).toContain('Porch is rejected.');
    await expect.poll(() => lab.noted('nodes')).not.toContain('Waiting');
  });

  test('lists the first 20 devices of a node, and all with --all', async () => {
    const lab = await startNode(await openNatsServer(), 'lab');
    await Promise.all(Array.from({ length: 21 }, (_, at) => lab.connect(`Board ${at}`)));
    const listed = (text: string) => text.match(/^Board /gm)?.length;
    expect(listed(await lab.toolwire('nodes'))).toBe(20);
    expect(await lab.noted('nodes')).toContain('Not listed: 1 at lab. --all lists all devices.\n');
    expect(listed(await lab.toolwire('nodes', '--all'))).toBe(21);
    expect(await lab.noted('nodes', '--all')).not.toContain('Not listed');
  });
});
