/** Links that go down and up: a broker and two nodes on machines of their own, which are network namespaces. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

import type { ServedAddresses } from '../../../../src-core/cli/addresses.ts';
import type { ClusterInfo } from '../../../../src-core/contract/cluster.ts';
import type { DeviceInfo } from '../../../../src-core/contract/deviceInfo.ts';
import type { ToolExecutionResult } from '../../../../src-core/contract/types.ts';
import { builtCli } from '../../../helpers/builtCli.ts';
import { natsServer, noNatsServer } from '../../../helpers/natsServer.ts';
import { noNamespaces, openNetwork, type Machine } from '../../../helpers/networkNamespaces.ts';
import { dataFolder } from '../../workbench/openWorkbench.ts';

const boardScript = fileURLToPath(new URL('../../../helpers/countingBoard.ts', import.meta.url));
/** Each test starts about 50 processes. */
const timeout = 180_000;
/** Each look at a node starts a process. */
const patient = { timeout: 60_000, interval: 500 };

/** A node with a board, used from the terminal of its machine. */
async function startNode(machine: Machine, broker: Machine, { name, board }: { name: string; board: string }) {
  const dir = dataFolder();
  const toolwire = (...args: string[]) => machine.spawn(process.execPath, [builtCli, ...args, '--data-dir', dir]);
  const ask = async <Answer>(...args: string[]) => (await json(toolwire(...args, '--json').stdout)) as Answer;
  const cluster = ['--cluster', `nats://${broker.address}`, '--cluster-name', 'lab', '--node-name', name];
  const served = toolwire('serve', '--port', '0', '--device-port', '0', '--no-open', '--json', ...cluster);
  const [line] = (await once(createInterface({ input: served.stdout }), 'line')) as [string];
  const { otaUrl } = (JSON.parse(line) as ServedAddresses).device;
  /** The ids of the calls that the board has run. */
  const ran: string[] = [];
  const { stdout } = machine.spawn(process.execPath, [boardScript, otaUrl, board]);
  createInterface({ input: stdout }).on('line', (id) => void ran.push(id));

  const devices = () => ask<DeviceInfo[]>('devices');
  const info = () => ask<ClusterInfo>('nodes');
  return {
    ran,
    cut: machine.cut,
    mend: machine.mend,
    devices,
    device: async (wanted: string) => (await devices()).find((device) => device.name === wanted),
    isConnected: async () => (await info()).joined?.isConnected,
    /** The state of the other node. */
    otherState: async () => (await info()).nodes[1]?.state,
    /** Calls the device whose tools have this id. */
    call: (toolId: string, id: string) =>
      ask<ToolExecutionResult>('call', `${toolId}_self.run`, '--args', JSON.stringify({ id })),
  };
}

type Node = Awaited<ReturnType<typeof startNode>>;

async function openPair() {
  const network = openNetwork();
  const broker = network.add();
  broker.spawn(natsServer!, ['--addr', '0.0.0.0', '--port', '4222']);
  const one = await startNode(network.add(), broker, { name: 'one', board: 'Lamp' });
  const other = await startNode(network.add(), broker, { name: 'other', board: 'Fan' });
  /** The ids of their boards' tools, once both nodes can call both. */
  const untilEqual = async (): Promise<{ lamp: string; fan: string }> => {
    const idsAt = async (node: Node) => [
      (await node.device('Lamp'))?.registryId,
      (await node.device('Fan'))?.registryId,
    ];
    let ids: (string | undefined)[] = [];
    const areEqual = async (): Promise<boolean> => {
      ids = await idsAt(one);
      return !ids.includes(undefined) && isDeepStrictEqual(ids, await idsAt(other));
    };
    await expect.poll(areEqual, patient).toBe(true);
    const [lamp, fan] = ids;
    return { lamp: lamp!, fan: fan! };
  };
  return { broker, one, other, untilEqual, ...(await untilEqual()) };
}

/** Whether a call that ended so may have run so many times. */
function isTruthful({ status, result }: ToolExecutionResult, times: number): boolean {
  if (status === 'success') return times === 1;
  if (result.endsWith('Nothing ran.')) return times === 0;
  return result.endsWith('The call may have run.') && times <= 1;
}

async function expectOwnCalls({ one, other, lamp, fan }: Awaited<ReturnType<typeof openPair>>, id: string) {
  expect(await one.call(lamp, id)).toMatchObject({ status: 'success' });
  expect(await other.call(fan, id)).toMatchObject({ status: 'success' });
}

describe.skipIf(natsServer === undefined || noNamespaces !== undefined)(
  `links of machines (${natsServer ?? noNatsServer}, ${noNamespaces ?? 'network namespaces'})`,
  () => {
    test(
      'a link that is down until its node is silent removes no device, and each call meanwhile ends truthfully',
      async () => {
        const { one, other, fan, untilEqual } = await openPair();
        one.cut();
        const ids = ['1', '2', '3'];
        const calls = ids.map((id) => one.call(fan, id));
        // At short intervals: after two more seconds, the node counts as lost.
        await expect.poll(other.otherState, { timeout: 60_000 }).not.toBe('live');
        for (const node of [one, other])
          expect((await node.devices()).map(({ name }) => name).sort()).toEqual(['Fan', 'Lamp']);
        one.mend();
        const results = await Promise.all(calls);
        for (const node of [one, other]) await expect.poll(node.otherState, patient).toBe('live');
        await untilEqual();
        expect(await one.call(fan, 'after')).toMatchObject({ status: 'success' });
        const times = (id: string) => other.ran.filter((each) => each === id).length;
        const wrong = results.filter((result, at) => !isTruthful(result, times(ids[at]!)));
        expect(wrong).toEqual([]);
        expect(times('after')).toBe(1);
      },
      timeout,
    );

    test(
      'a link that is down for long leaves each side its own devices, and both are equal again once it is up',
      async () => {
        const pair = await openPair();
        const { one, other, lamp, fan, untilEqual } = pair;
        one.cut();
        await expectOwnCalls(pair, 'at once');
        await expect.poll(async () => (await one.device('Fan'))?.node?.isLost, patient).toBe(true);
        await expect.poll(async () => (await other.device('Lamp'))?.node?.isLost, patient).toBe(true);
        await expect.poll(one.isConnected, patient).toBe(false);
        await expectOwnCalls(pair, 'later');
        const refused = await one.call(fan, 'refused');
        expect(refused.status).toBe('error');
        one.mend();
        expect(await untilEqual()).toEqual({ lamp, fan });
        expect(await one.call(fan, 'after')).toMatchObject({ status: 'success' });
        expect(await other.call(lamp, 'after')).toMatchObject({ status: 'success' });
        expect(one.ran).toEqual(['at once', 'later', 'after']);
        expect(other.ran).toEqual(['at once', 'later', 'after']);
      },
      timeout,
    );

    test(
      'while the link of the broker is down, each node has its own devices, and both are equal again once it is up',
      async () => {
        const pair = await openPair();
        const { broker, one, other, lamp, fan, untilEqual } = pair;
        broker.cut();
        for (const node of [one, other]) await expect.poll(node.isConnected, patient).toBe(false);
        await expectOwnCalls(pair, 'own');
        broker.mend();
        expect(await untilEqual()).toEqual({ lamp, fan });
        expect(await one.call(fan, 'after')).toMatchObject({ status: 'success' });
        expect(one.ran).toEqual(['own']);
        expect(other.ran).toEqual(['own', 'after']);
      },
      timeout,
    );
  },
);
