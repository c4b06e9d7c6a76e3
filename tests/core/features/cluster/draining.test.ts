/** Nodes that restart one after the other: running calls finish, devices move, and no call that had not begun fails. */
import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';

import { defaultToolCallConfig } from '../../../../src-core/base/calls.ts';
import { ToolError } from '../../../../src-core/base/errors.ts';
import { ServedCalls } from '../../../../src-core/features/cluster/servedCalls.ts';
import { firmwareProfile } from '../../../../src-core/features/devices/virtual/firmware/firmwareProfile.ts';
import type { VirtualHost } from '../../../../src-core/features/devices/virtual/profile.ts';
import { createVirtualDevice } from '../../../../src-core/features/devices/virtual/virtualDevice.ts';
import { createToolRegistryManager } from '../../../../src-core/registry/toolRegistryManager.ts';
import type { ToolRegistry } from '../../../../src-core/registry/types.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { noNatsServer, natsServer, openNatsServer, type NatsServer } from '../../../helpers/natsServer.ts';
import { call, openWorkbench, until } from '../../workbench/openWorkbench.ts';
import { handClock } from '../calls/runs/handClock.ts';
import { memberOf, openPeer } from './peer.ts';

/** An OTA address in front of nodes, which sends each question to the first that answers with 200, as a load balancer does. */
async function openBalancer(nodes: () => Workbench[]): Promise<string> {
  const ask = async (request: IncomingMessage, body: Buffer): Promise<Response | undefined> => {
    for (const node of nodes()) {
      const headers = { 'device-id': String(request.headers['device-id']) };
      const answer = await fetch(node.info().device.otaUrl, {
        method: 'POST',
        headers,
        body: new Uint8Array(body),
      }).catch(() => undefined);
      if (answer?.status === 200) return answer;
    }
    return undefined;
  };
  const server = createServer((request, response) => {
    void buffer(request)
      .then((body) => ask(request, body))
      .then(async (answer) => response.writeHead(answer?.status ?? 503).end(await answer?.text()));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/xiaozhi/ota/`;
}

async function connectBoard(url: string, name: string, { latencyMs = 0, reconnect = true } = {}) {
  const board = createVirtualDevice({ url, profile: firmwareProfile, name, latencyMs, reconnect });
  onTestFinished(() => board.close());
  await board.connect();
  return board;
}

const openNode = (nats: NatsServer, name: string) => openWorkbench({ cluster: memberOf(nats, name) });
const deviceOf = (workbench: Workbench, name: string) =>
  workbench.services.devices
    .list()
    .find((device) => device.name === name && device.registryId !== undefined && device.state === 'ready');
const stateOf = (workbench: Workbench, name: string) =>
  workbench.services.cluster.info().nodes.find((node) => node.name === name);

/** A node that serves calls of one device, which never take their turn unless it answers or fails. */
function openServed({
  answer,
  fails,
  isDraining = false,
}: { answer?: string; fails?: Error; isDraining?: boolean } = {}) {
  let drains = false;
  const clock = handClock();
  const toolRegistryManager = createToolRegistryManager();
  const registry: ToolRegistry = {
    id: 'lamp',
    name: 'Lamp',
    source: { kind: 'device', id: 'lamp', label: 'Lamp' },
    queued: true,
    getMetadata: () => ({
      methods: [{ name: 'add', description: '', agentCallable: true, inputSchema: { type: 'object' } }],
    }),
    invoke: (_, __, { signal }) =>
      answer !== undefined
        ? Promise.resolve({ value: answer })
        : new Promise((___, reject) => {
            if (fails === undefined) return signal.addEventListener('abort', () => reject(signal.reason as Error));
            drains = isDraining;
            reject(fails);
          }),
  };
  toolRegistryManager.register(registry);
  const asked = new Map<string, (message: object) => void>();
  const answers: object[] = [];
  const served = new ServedCalls({
    bus: {
      isConnected: true,
      subscribe: (subject: string, onMessage: (message: object) => void) => {
        asked.set(subject, onMessage);
        return () => undefined;
      },
      maxBytes: 1_048_576,
      publish: (_: string, data: object) =>
        answers.push(Buffer.isBuffer(data) ? (JSON.parse(data.toString()) as object) : data),
    },
    node: 'owner',
    clock,
    rows: { connection: () => ({ registry, number: 1 }), hash: () => 'h' },
    members: { delayOf: () => 0, get: () => undefined },
    calls: {
      policy: () => ({ config: defaultToolCallConfig, dangerousTools: [] }),
      follow: () => ({}),
      isKnown: () => false,
    },
    toolRegistryManager,
    isDraining: () => drains,
    onError: (error: unknown) => expect.fail(String(error)),
  } as unknown as ConstructorParameters<typeof ServedCalls>[0]);
  onTestFinished(() => served.close());
  const about = { v: 1, node: 'a'.repeat(16), n: 1 };
  const facts = { callId: 'c', at: 1, device: 'lamp', connection: 1, hash: 'h', method: 'add' };
  return {
    served,
    clock,
    answers,
    call: () =>
      asked.get('n.owner.call')!({
        reply: 'r',
        data: { ...about, ...facts, args: '{}', timeoutMs: 9_000_000 },
      }),
    askStatus: () => asked.get('n.owner.status')!({ reply: 'r', data: about }),
  };
}

test('a call that was returned to its caller is still refused if the caller asks for it', async () => {
  const { served, call: take, answers, askStatus } = openServed();
  const refused = { kind: 'refused', why: 'draining' };
  take();
  served.returnWaiting();
  await expect.poll(() => answers).toEqual([refused]);
  askStatus();
  expect(answers).toEqual([refused, refused]);
});

test.each(['draining', 'gone'])('a call whose device leaves before its turn is refused as %s', async (why) => {
  const fails = new ToolError(
    'disconnected',
    'The connection to Lamp ended without a close frame (1006), before the request was sent.',
  );
  const { call: take, answers } = openServed({ fails, isDraining: why === 'draining' });
  take();
  await expect.poll(() => answers).toEqual([{ kind: 'refused', why }]);
});

test('an outcome is forgotten after five minutes, also if no other call arrives', async () => {
  const { clock, call: take, answers, askStatus } = openServed({ answer: 'done' });
  take();
  await expect.poll(() => answers).toMatchObject([{ kind: 'outcome' }]);
  clock.move(10);
  askStatus();
  expect(answers.at(-1)).toMatchObject({ kind: 'outcome' });
  clock.move(300_000);
  askStatus();
  expect(answers.at(-1)).toEqual({ kind: 'unknown' });
  expect(clock.pending()).toBe(0);
});

describe.skipIf(natsServer === undefined)(`draining (${natsServer ?? noNatsServer})`, () => {
  test('finishes the running call, refuses the next, lets no device in, and is shown at the others', async () => {
    const nats = await openNatsServer();
    const one = await openNode(nats, 'one');
    const other = await openNode(nats, 'other');
    await until(other, () => other.services.cluster.info().nodes.length === 2);
    await connectBoard(one.info().device.otaUrl, 'Lamp', { latencyMs: 1_000 });
    await until(other, () => deviceOf(other, 'Lamp') !== undefined);
    const { speaking } = one.features.devices.hub;
    const { id } = deviceOf(one, 'Lamp')!;
    expect(speaking(id)).toBeDefined();
    const running = call(other, deviceOf(other, 'Lamp')!, 'self.get_device_status');
    await until(one, () => one.services.calls.running().some(({ wentOutAt }) => wentOutAt !== undefined));
    const drained = one.drain();
    await until(other, () => stateOf(other, 'one')?.isDraining === true);
    expect((await fetch(one.info().device.otaUrl)).status).toBe(503);
    await expect(connectBoard(one.info().device.otaUrl, 'Second', { reconnect: false })).rejects.toThrow();
    expect(await running).toMatchObject({ status: 'success' });
    await drained;
    expect(speaking(id)).toBeUndefined();
    expect(one.services.calls.running()).toEqual([]);
    await one.close();
    await until(other, () => stateOf(other, 'one')?.state === 'lost');
    expect(stateOf(other, 'one')).toMatchObject({ isDraining: false, hasLeft: true });
  });

  test('keeps a call that had not begun until its device is at another node, or at this one', async () => {
    const nats = await openNatsServer();
    const nodes = [await openNode(nats, 'one'), await openNode(nats, 'other'), await openNode(nats, 'third')];
    const [one, other, third] = nodes as [Workbench, Workbench, Workbench];
    const url = await openBalancer(() => nodes);
    for (const node of nodes) await until(node, () => node.services.cluster.info().nodes.length === 3);
    await connectBoard(url, 'Lamp', { latencyMs: 300 });
    await until(third, () => deviceOf(third, 'Lamp') !== undefined);
    await until(other, () => deviceOf(other, 'Lamp') !== undefined);
    const device = deviceOf(third, 'Lamp')!;
    const { id } = deviceOf(one, 'Lamp')!;
    const calls = [third, other, third].map((from) => call(from, device, 'self.get_device_status'));
    await until(one, () => one.services.calls.running().length === 3);
    await one.drain();
    calls.push(call(third, device, 'self.get_device_status'), call(other, device, 'self.get_device_status'));
    await one.close();
    expect((await Promise.all(calls)).map(({ status, result }) => (status === 'success' ? status : result))).toEqual(
      calls.map(() => 'success'),
    );
    expect([other, third].filter(({ features }) => features.devices.hub.speaking(id) !== undefined)).toHaveLength(1);
    expect(deviceOf(other, 'Lamp')).toBeDefined();
  });

  test('says what ran if the connection of the device is lost meanwhile', async () => {
    const nats = await openNatsServer();
    const [one, other] = [await openNode(nats, 'one'), await openNode(nats, 'other')];
    const url = await openBalancer(() => [one, other]);
    const cuts: (() => void)[] = [];
    const profile = {
      ...firmwareProfile,
      createTools: (host: VirtualHost) => {
        cuts.push(host.pullPlug);
        return firmwareProfile.createTools(host);
      },
    };
    const board = createVirtualDevice({ url, profile, name: 'Lamp', latencyMs: 1_000, reconnect: true });
    onTestFinished(() => board.close());
    await board.connect();
    await until(other, () => deviceOf(other, 'Lamp') !== undefined);
    const lamp = deviceOf(other, 'Lamp')!;
    const calls = [call(other, lamp, 'self.get_device_status'), call(other, lamp, 'self.get_device_status')];
    await until(one, () => one.services.calls.running().some(({ wentOutAt }) => wentOutAt !== undefined));
    const drained = one.drain();
    await until(other, () => stateOf(other, 'one')?.isDraining === true);
    cuts.forEach((cut) => cut());
    const [first, second] = await Promise.all(calls);
    expect(first!.error?.message).toBe(
      'The connection to "Lamp" was lost while its node "one" was restarting. The call may have run.',
    );
    expect(second).toMatchObject({ status: 'success' });
    await drained;
  });

  test('a rolling restart of three nodes fails no call', async () => {
    const nats = await openNatsServer();
    const names = ['one', 'two', 'three'];
    const nodes: Workbench[] = [];
    for (const name of names) nodes.push(await openNode(nats, name));
    let order = [...nodes];
    const url = await openBalancer(() => order);
    for (const node of nodes) await until(node, () => node.services.cluster.info().nodes.length === 3);
    const boards = ['Lamp', 'Fan', 'Door'];
    for (const board of boards) await connectBoard(url, board);
    const failures: string[] = [];
    for (const [at, name] of names.entries()) {
      const leaving = nodes[at]!;
      const caller = nodes[(at + 1) % nodes.length]!;
      await until(caller, () => boards.every((board) => deviceOf(caller, board) !== undefined));
      const targets = boards.map((board) => deviceOf(caller, board)!);
      let isOver = false;
      const lanes = targets.map(async (target) => {
        while (!isOver) {
          const { status, result } = await call(caller, target, 'self.get_device_status');
          if (status !== 'success') failures.push(result);
        }
      });
      await leaving.drain();
      await leaving.close();
      nodes[at] = await openNode(nats, name);
      order = [...nodes.toSpliced(at, 1), nodes[at]];
      await until(caller, () => boards.every((board) => deviceOf(caller, board) !== undefined));
      isOver = true;
      await Promise.all(lanes);
    }
    expect(failures).toEqual([]);
  });

  test('did not run a call that is cancelled while it waits for its device to move', async () => {
    const nats = await openNatsServer();
    const [caller, owner] = [await openNode(nats, 'caller'), await openNode(nats, 'owner')];
    await connectBoard(owner.info().device.otaUrl, 'Lamp', { latencyMs: 500, reconnect: false });
    await until(caller, () => deviceOf(caller, 'Lamp') !== undefined);
    const lamp = deviceOf(caller, 'Lamp')!;
    const running = call(caller, lamp, 'self.get_device_status');
    await until(owner, () => owner.services.calls.running().some(({ wentOutAt }) => wentOutAt !== undefined));
    const drained = owner.drain();
    await until(caller, () => stateOf(caller, 'owner')?.isDraining === true);
    const waiting = caller.services.calls.execute({
      callId: 'waiting',
      toolName: lamp.registryId!,
      command: 'self.get_device_status',
      argsJson: '{}',
      origin: 'executor',
    });
    caller.services.calls.cancel({ callId: 'waiting' });
    expect((await waiting).error).toMatchObject({ code: 'cancelled', details: { ran: false } });
    expect((await running).status).toBe('success');
    await drained;
  });

  /** A node that sees a device of a peer, which takes each call and returns it. */
  async function openReturning() {
    const nats = await openNatsServer();
    const peer = await openPeer(nats);
    const caller = await openNode(nats, 'caller');
    const row = { id: 'lamp', deviceId: 'lamp', name: 'Lamp', state: 'ready', health: 'ready', virtual: false };
    const tools = { registryId: 'lamp', connection: 7, hash: 'h' };
    const full = { ...row, connectedAt: 1, toolCount: 1, tools };
    const methods = [{ name: 'add', description: '', agentCallable: true, inputSchema: { type: 'object' } }];
    const answer = (subject: string, data: object) =>
      peer.connection.subscribe(`tw.lab.${subject}`, {
        callback: (_, message) => void message.respond(JSON.stringify(data)),
      });
    const has = (node: string, ms: number): void => {
      answer(`n.${node}.snap`, { seq: 1, at: 0, rows: [{ ...full, claim: { ms, count: 0 } }], isLast: true });
      answer(`n.${node}.tools`, { methods, isLast: true });
    };
    has(peer.node, 1);
    const taken: string[] = [];
    peer.connection.subscribe(`tw.lab.n.${peer.node}.call`, {
      callback: (_, message) => {
        taken.push(message.json<{ callId: string }>().callId);
        message.respond(JSON.stringify({ kind: 'accepted' }));
        message.respond(JSON.stringify({ kind: 'refused', why: 'draining' }));
      },
    });
    await peer.meet('caller');
    peer.beat({ seq: 1 });
    await peer.connection.flush();
    await until(caller, () => deviceOf(caller, 'Lamp') !== undefined);
    return { peer, caller, taken, has };
  }

  test('takes a call back that the owner had accepted and not begun, and sends it to the new owner', async () => {
    const { peer, caller, taken, has } = await openReturning();
    const second = 'bbbbbbbbbbbbbbbb';
    has(second, 2);
    const got: string[] = [];
    peer.connection.subscribe(`tw.lab.n.${second}.call`, {
      callback: (_, message) => {
        got.push(message.json<{ callId: string }>().callId);
        message.respond(JSON.stringify({ kind: 'accepted' }));
        message.respond(JSON.stringify({ kind: 'outcome', outcome: { durationMs: 1, text: 'there' } }));
      },
    });
    const result = call(caller, deviceOf(caller, 'Lamp')!, 'add');
    await expect.poll(() => taken.length).toBe(1);
    peer.beat({ seq: 1, node: second });
    expect(await result).toMatchObject({ status: 'success', result: 'there' });
    expect(got).toEqual(taken);
  });

  test('did not run a call that was returned and is cancelled before it is sent again', async () => {
    const { peer, caller, taken } = await openReturning();
    const input = { callId: 'c', toolName: 'lamp', command: 'add', argsJson: '{}', origin: 'executor' as const };
    const result = caller.services.calls.execute(input);
    await expect.poll(() => taken.length).toBe(1);
    // It arrives after the answers to the call.
    peer.beat({ seq: 1, name: 'later' });
    await until(caller, () => stateOf(caller, 'later') !== undefined);
    caller.services.calls.cancel({ callId: 'c' });
    expect((await result).error).toMatchObject({ code: 'cancelled', details: { ran: false } });
  });
});
