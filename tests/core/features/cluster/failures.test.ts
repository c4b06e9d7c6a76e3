/** Nodes and brokers that end, stop and come back: every call has an outcome, and no device runs a call twice. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';

import { createVirtualDevice } from '../../../../src-core/features/devices/virtual/virtualDevice.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { memberOf, openPeer } from './peer.ts';
import { profileWith } from './profileWith.ts';
import { builtCli } from '../../../helpers/builtCli.ts';
import { noNatsServer, natsServer, openNatsServer, type NatsServer } from '../../../helpers/natsServer.ts';
import { addDevice, call, dataFolder, openWorkbench, until } from '../../workbench/openWorkbench.ts';

/** A node in a process of its own. */
interface NodeProcess {
  readonly child: ChildProcess;
  readonly otaUrl: string;
  signal(name: NodeJS.Signals): void;
  kill(): Promise<void>;
}

async function startNode(nats: NatsServer, name: string): Promise<NodeProcess> {
  const flags = ['--port', '0', '--device-port', '0', '--no-open', '--json', '--data-dir', dataFolder()];
  const cluster = ['--cluster', nats.url, '--cluster-name', 'lab', '--node-name', name];
  const child = spawn(process.execPath, [builtCli, 'serve', ...flags, ...cluster], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { device } = JSON.parse(line) as { device: { otaUrl: string } };
  return { child, otaUrl: device.otaUrl, signal: (signal) => void child.kill(signal), kill };
}

/** A board in this process, connected to a node, that counts the calls that it has run. If it `isHeld`, it does not finish them. */
async function connectBoard(otaUrl: string, { latencyMs = 0, takesMs = 0, isHeld = false, onCall = () => {} } = {}) {
  const ran: string[] = [];
  const released = Promise.withResolvers<undefined>();
  onTestFinished(() => released.resolve(undefined));
  const profile = profileWith(async (name) => {
    ran.push(name);
    onCall();
    if (takesMs > 0) await delay(takesMs);
    if (isHeld) await released.promise;
  });
  const board = createVirtualDevice({ url: otaUrl, profile, name: 'Lamp', latencyMs });
  onTestFinished(() => board.close());
  await board.connect();
  return { board, ran };
}

async function openCaller(nats: NatsServer): Promise<Workbench> {
  // A broker that ends is an error of no request.
  return openWorkbench({ cluster: memberOf(nats, 'caller'), onError: () => undefined });
}

const lamp = (workbench: Workbench) => workbench.services.devices.list().find(({ name }) => name === 'Lamp');
const untilCallable = (workbench: Workbench) => until(workbench, () => lamp(workbench)?.registryId !== undefined);
const isConnected = (workbench: Workbench) => workbench.services.cluster.info().joined?.isConnected;

/** A node whose log the test reads. */
async function openNode(nats: NatsServer, nodeName: string): Promise<{ node: Workbench; errors: string[] }> {
  const errors: string[] = [];
  const onError = (error: unknown): void => void errors.push((error as Error).message);
  return { node: await openWorkbench({ cluster: memberOf(nats, nodeName), onError }), errors };
}

describe.skipIf(natsServer === undefined)(`failures of a cluster (${natsServer ?? noNatsServer})`, () => {
  test('says that a call may have run if its owner is killed, and the device ran it once', async () => {
    const nats = await openNatsServer();
    const owner = await startNode(nats, 'owner');
    const { ran } = await connectBoard(owner.otaUrl, { isHeld: true });
    const caller = await openCaller(nats);
    await untilCallable(caller);
    const result = call(caller, lamp(caller)!, 'self.get_device_status');
    await expect.poll(() => ran.length).toBe(1);
    await owner.kill();
    expect(await result).toMatchObject({
      status: 'error',
      error: { code: 'disconnected', message: expect.stringContaining('may have run') as string },
    });
    expect(ran).toHaveLength(1);
    await until(caller, () => lamp(caller)?.node?.isLost === true);
    expect(await call(caller, { ...lamp(caller)!, registryId: 'lamp' }, 'self.get_device_status')).toMatchObject({
      error: { code: 'unknown-tool' },
    });
  });

  test('says so too if the owner is killed before it can say that it has accepted the call', async () => {
    const nats = await openNatsServer();
    const owner = await startNode(nats, 'owner');
    const { ran } = await connectBoard(owner.otaUrl, { onCall: () => owner.signal('SIGKILL') });
    const caller = await openCaller(nats);
    await untilCallable(caller);
    expect(await call(caller, lamp(caller)!, 'self.get_device_status')).toMatchObject({
      error: { code: 'disconnected', message: expect.stringContaining('may have run') as string },
    });
    expect(ran).toHaveLength(1);
  });

  test('never runs the waiting calls of a caller that was killed', async () => {
    const nats = await openNatsServer();
    const owner = await openWorkbench({ cluster: memberOf(nats, 'owner') });
    const { ran } = await connectBoard(owner.info().device.otaUrl, { latencyMs: 60_000 });
    await until(owner, () => lamp(owner)?.registryId !== undefined);
    const caller = await startNode(nats, 'caller');
    await until(owner, () => owner.services.cluster.info().nodes.length === 2);
    const dataDir = caller.child.spawnargs[caller.child.spawnargs.indexOf('--data-dir') + 1]!;
    const calls = [1, 2, 3].map(() =>
      spawn(
        process.execPath,
        [builtCli, 'call', `${lamp(owner)!.registryId}_self.get_device_status`, '--data-dir', dataDir],
        { stdio: 'ignore' },
      ),
    );
    await until(owner, () => owner.services.calls.running().length === 3);
    await caller.kill();
    for (const one of calls) one.kill();
    await until(owner, () => owner.services.calls.running().length === 1);
    const cancelled = await owner.services.calls.history({ limit: 10 });
    expect(cancelled.map(({ result }) => result?.error)).toMatchObject([
      { code: 'cancelled', details: { ran: false } },
      { code: 'cancelled', details: { ran: false } },
    ]);
    expect(ran).toHaveLength(0);
  });

  test('goes on with its own devices while the broker is away, and finds the others when it is back', async () => {
    const nats = await openNatsServer();
    const owner = await openCaller(nats);
    const caller = await openCaller(nats);
    await addDevice(owner, { name: 'Lamp' });
    await untilCallable(caller);
    const remote = lamp(caller)!;
    await nats.kill();
    await until(caller, () => isConnected(caller) === false);
    expect(await call(caller, remote, 'self.get_device_status')).toMatchObject({
      error: { code: 'disconnected', message: expect.stringContaining('Nothing ran') as string },
    });
    await until(caller, () => lamp(caller)?.node?.isLost === true);
    expect(await call(caller, remote, 'self.get_device_status')).toMatchObject({
      error: { message: expect.stringContaining('the connection to its node "caller" was lost') as string },
    });
    expect(await call(owner, lamp(owner)!, 'self.get_device_status')).toMatchObject({ status: 'success' });
    await nats.start();
    await until(caller, () => isConnected(caller) === true);
    await untilCallable(caller);
    await expect
      .poll(() => call(caller, lamp(caller)!, 'self.get_device_status').then(({ status }) => status))
      .toBe('success');
  });

  test('gives running and waiting calls their outcomes after a short outage of the broker', async () => {
    const nats = await openNatsServer();
    const owner = await openCaller(nats);
    const caller = await openCaller(nats);
    await connectBoard(owner.info().device.otaUrl, { latencyMs: 1_500 });
    await untilCallable(caller);
    const results = [1, 2].map(() => call(caller, lamp(caller)!, 'self.get_device_status'));
    await until(owner, () => owner.services.calls.running().length === 2);
    await nats.kill();
    await until(owner, async () => (await owner.services.calls.history({ limit: 5 })).length > 0);
    await nats.start();
    expect(await Promise.all(results)).toMatchObject([{ status: 'success' }, { status: 'success' }]);
  });

  test('goes on after messages that break a handler', async () => {
    const nats = await openNatsServer();
    const peer = await openPeer(nats);
    const { node, errors } = await openNode(nats, 'node');
    peer.connection.subscribe(`tw.lab.n.${peer.node}.snap`, {
      callback: (_, message) => {
        const tools = { registryId: ' ', connection: 1, hash: 'h' };
        const row = {
          id: 'x',
          deviceId: 'x',
          name: 'x',
          state: 'new-state',
          health: 'new',
          virtual: false,
          connectedAt: 1,
        };
        message.respond(JSON.stringify({ seq: 1, at: 0, rows: [{ ...row, toolCount: 0, tools }], isLast: true }));
      },
    });
    peer.connection.subscribe(`tw.lab.n.${peer.node}.tools`, {
      callback: (_, message) => void message.respond(JSON.stringify({ methods: [], isLast: true })),
    });
    await until(node, () => isConnected(node) === true);
    await peer.connection.flush();
    peer.beat({ seq: 1 });
    await expect.poll(() => errors).toEqual([expect.stringContaining('A tool id is text')]);
    expect(node.services.devices.list()).toMatchObject([{ name: 'x', state: 'closed', health: 'closed' }]);
    peer.beat({ seq: 1, node: 'bbbbbbbbbbbbbbbb' });
    await until(node, () => node.services.cluster.info().nodes.length === 3);
  });

  test('serves its own devices without a broker, says why it is alone, and joins when the broker comes', async () => {
    const nats = await openNatsServer();
    await nats.kill();
    const alone = await openCaller(nats);
    await addDevice(alone, { name: 'Lamp' });
    expect(await call(alone, lamp(alone)!, 'self.get_device_status')).toMatchObject({ status: 'success' });
    await until(alone, () => alone.services.cluster.info().joined?.problem !== undefined);
    expect(alone.services.cluster.info().joined).toEqual({
      name: 'lab',
      isConnected: false,
      problem: expect.stringContaining('No broker answers at 127.0.0.1') as string,
      isFixed: true,
      settings: memberOf(nats, 'caller'),
      hasTokenSecret: false,
    });
    await nats.start();
    await until(alone, () => isConnected(alone) === true);
    const other = await openCaller(nats);
    await untilCallable(other);
    expect(lamp(other)?.node?.isLost).toBe(false);
  });

  test('lists a stopped node as lost, and calls its device again once it goes on', async () => {
    const nats = await openNatsServer();
    const owner = await startNode(nats, 'owner');
    const { ran } = await connectBoard(owner.otaUrl);
    const caller = await openCaller(nats);
    await untilCallable(caller);
    owner.signal('SIGSTOP');
    const stopped = await call(caller, lamp(caller)!, 'self.get_device_status');
    expect(stopped).toMatchObject({
      error: { code: 'disconnected', message: expect.stringContaining('may have run') as string },
    });
    await until(caller, () => lamp(caller)?.node?.isLost === true);
    owner.signal('SIGCONT');
    await untilCallable(caller);
    await expect
      .poll(() => call(caller, lamp(caller)!, 'self.get_device_status').then(({ status }) => status))
      .toBe('success');
    // The call that arrived too late did not run.
    expect(ran).toHaveLength(1);
  });

  test('goes on between two nodes while a third is stopped', async () => {
    const nats = await openNatsServer({ config: 'write_deadline: "2s"\nmax_pending: 4MB' });
    const stopped = await startNode(nats, 'stopped');
    const owner = await openCaller(nats);
    const { ran } = await connectBoard(owner.info().device.otaUrl);
    const caller = await openCaller(nats);
    await untilCallable(caller);
    await until(caller, () => caller.services.cluster.info().nodes.length === 3);
    stopped.signal('SIGSTOP');
    const isLost = () => caller.services.cluster.info().nodes.some(({ state }) => state === 'lost');
    let made = 0;
    for (; !isLost() || made < 100; made += 1)
      expect(await call(caller, lamp(caller)!, 'self.get_device_status')).toMatchObject({ status: 'success' });
    expect(ran).toHaveLength(made);
    stopped.signal('SIGCONT');
    await until(caller, () => !isLost());
  });

  test('ends at SIGTERM once the running call has its result', async () => {
    const nats = await openNatsServer();
    const owner = await startNode(nats, 'owner');
    const { ran } = await connectBoard(owner.otaUrl, { takesMs: 1_500 });
    const caller = await openCaller(nats);
    await untilCallable(caller);
    const result = call(caller, lamp(caller)!, 'self.get_device_status');
    // A call that its owner has not begun would wait for the device at another node.
    await expect.poll(() => ran.length).toBe(1);
    const ended = once(owner.child, 'exit');
    owner.signal('SIGTERM');
    expect(await result).toMatchObject({ status: 'success' });
    expect(await ended).toEqual([0, null]);
  });
});
