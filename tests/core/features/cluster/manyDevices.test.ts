/** Thousands of devices of another node: what is read of them, and how fast their rows are sent. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { defaultToolCallConfig } from '../../../../src-core/base/calls.ts';
import { systemClock } from '../../../../src-core/base/clock.ts';
import type { DeviceInfo } from '../../../../src-core/contract/deviceInfo.ts';
import type { Bus, BusMessage } from '../../../../src-core/features/cluster/bus.ts';
import { LocalRows } from '../../../../src-core/features/cluster/localRows.ts';
import { Pacing } from '../../../../src-core/features/cluster/pacing.ts';
import { createExportedTools } from '../../../../src-core/features/hosts/exportedTools.ts';
import { createToolRegistryManager } from '../../../../src-core/registry/toolRegistryManager.ts';
import { noNatsServer, natsServer, openNatsServer } from '../../../helpers/natsServer.ts';
import { addDevice, openWorkbench, until } from '../../workbench/openWorkbench.ts';
import { handClock } from '../calls/runs/handClock.ts';
import { memberOf, openPeer } from './peer.ts';

test('a tool that registers is read alone: the tools of all others are not listed for it', () => {
  const manager = createToolRegistryManager();
  let listed = 0;
  const toolRegistryManager = {
    ...manager,
    get revision() {
      return manager.revision;
    },
    getAllTools: () => {
      listed += 1;
      return manager.getAllTools();
    },
  };
  const exported = createExportedTools({
    toolRegistryManager,
    names: {
      fullName: ({ methodName }) => methodName,
      localName: ({ methodName }) => methodName,
      formerNames: () => [],
    },
    policy: () => ({ config: defaultToolCallConfig, dangerousTools: [] }),
    consumer: 'host',
    clock: systemClock,
  });
  listed = 0;
  for (let at = 0; at < 100; at += 1)
    manager.register({
      id: `tool-${at}`,
      name: 'Tool',
      source: { kind: 'device', id: `device-${at}`, label: 'Device' },
      getMetadata: () => ({
        methods: [{ name: `method-${at}`, description: '', agentCallable: true, inputSchema: { type: 'object' } }],
      }),
      invoke: () => Promise.reject(new Error('not called')),
    });
  expect(listed).toBe(0);
  expect(exported.list('all')).toHaveLength(100);
  exported.close();
});

/** A bus that collects what is sent, and whose receiver asks for more by hand. */
function openPacing(maxBytes = 1_048_576) {
  const sent: { subject: string; data: object }[] = [];
  let receive: (message: BusMessage) => void = () => undefined;
  const bus: Pick<Bus, 'publish' | 'subscribe' | 'maxBytes'> = {
    maxBytes,
    publish: (subject, data) => {
      sent.push({ subject, data });
      return 'sent';
    },
    subscribe: (_, onMessage) => {
      receive = onMessage;
      return () => undefined;
    },
  };
  const pacing = new Pacing({ bus: bus as Bus, node: 'a', clock: systemClock });
  const askForMore = (to: string) =>
    receive({
      topic: 'more',
      reply: undefined,
      data: { v: 1, to },
      bytes: 0,
      headers: undefined,
      isUndelivered: false,
    });
  return { bus, pacing, sent, askForMore };
}

test('pages are sent eight at a time, and further ones when the receiver asks', async () => {
  const { pacing, sent, askForMore } = openPacing();
  const done = pacing.send(
    'reply',
    Array.from({ length: 20 }, (_, at) => ({ at })),
  );
  await Promise.resolve();
  expect(sent).toHaveLength(8);
  askForMore('another');
  await Promise.resolve();
  expect(sent).toHaveLength(8);
  askForMore('reply');
  await expect.poll(() => sent.length).toBe(16);
  askForMore('reply');
  await done;
  expect(sent.map(({ data }) => data)).toEqual(Array.from({ length: 20 }, (_, at) => ({ at })));
});

test('what is too large is replaced, and the other messages follow', async () => {
  const { bus, pacing, sent } = openPacing();
  bus.publish = (subject, data) => {
    if ('text' in data) return 'large';
    sent.push({ subject, data });
    return 'sent';
  };
  await pacing.send('reply', [{ at: 0 }, { text: 'x' }, { at: 2 }], { instead: () => ({ error: 'large' }) });
  expect(sent.map(({ data }) => data)).toEqual([{ at: 0 }, { error: 'large' }, { at: 2 }]);
});

test('the tools of a device are sent in pages that the broker takes, eight at a time', async () => {
  const { bus, pacing, sent, askForMore } = openPacing(131_072);
  const clock = handClock();
  const toolRegistryManager = createToolRegistryManager();
  const description = 'x'.repeat(60_000);
  toolRegistryManager.register({
    id: 'lamp',
    name: 'Lamp',
    source: { kind: 'device', id: 'lamp', label: 'Lamp' },
    getMetadata: () => ({
      methods: Array.from({ length: 24 }, (_, at) => ({
        name: `method-${at}`,
        description,
        agentCallable: true,
        inputSchema: { type: 'object' },
      })),
    }),
    invoke: () => Promise.reject(new Error('not called')),
  });
  const asked = new Map<string, (message: BusMessage) => void>();
  bus.subscribe = (subject, onMessage) => {
    asked.set(subject, onMessage);
    return () => undefined;
  };
  const device = {
    id: 'lamp',
    deviceId: 'lamp',
    name: 'Lamp',
    state: 'ready',
    health: 'ready',
    doctor: { steps: [] },
  } as unknown as DeviceInfo;
  const rows = new LocalRows({
    bus: bus as Bus,
    node: 'a',
    clock,
    pacing,
    toolRegistryManager,
    claims: { touched: () => undefined, of: () => undefined, isGivenUp: () => false },
    devices: () => [device],
    device: () => device,
    registryId: () => 'lamp',
    followDevices: () => () => undefined,
    asksFirst: () => ({ dangerousTools: [], always: false }),
  });
  onTestFinished(() => rows.close());
  clock.move(1_000);
  const hash = rows.hash(toolRegistryManager.getTool('lamp')!);
  sent.length = 0;
  const message = { topic: 'tools', reply: 'reply', bytes: 0, headers: undefined, isUndelivered: false };
  asked.get('n.a.tools')!({ ...message, data: { v: 1, hash } });
  await expect.poll(() => sent.length).toBe(8);
  askForMore('reply');
  await expect.poll(() => sent.length).toBe(12);
  expect(sent.at(-1)!.data).toMatchObject({ isLast: true });
  expect(Math.max(...sent.map(({ data }) => JSON.stringify(data).length))).toBeLessThanOrEqual(131_072);
});

describe.skipIf(natsServer === undefined)(`the rows of another node (${natsServer ?? noNatsServer})`, () => {
  test('devices that register do not have the tools of all others listed for each', async () => {
    const nats = await openNatsServer();
    const peer = await openPeer(nats);
    const caller = await openWorkbench({ cluster: memberOf(nats, 'caller') });
    const rows = Array.from({ length: 200 }, (_, at) => ({
      id: `d${at}`,
      deviceId: `d${at}`,
      name: `Board ${at}`,
      state: 'ready',
      health: 'ready',
      virtual: false,
      connectedAt: 1,
      toolCount: 1,
      tools: { registryId: `board-${at}`, connection: at, hash: 'h' },
    }));
    const methods = [{ name: 'add', description: '', agentCallable: true, inputSchema: { type: 'object' } }];
    for (const [subject, answer] of [
      ['snap', { seq: 1, at: 0, rows, isLast: true }],
      ['tools', { methods, isLast: true }],
    ] as const)
      peer.connection.subscribe(`tw.lab.n.${peer.node}.${subject}`, {
        callback: (_, message) => void message.respond(JSON.stringify(answer)),
      });
    await peer.connection.flush();
    await peer.meet('caller');
    const listed = vi.spyOn(caller.toolRegistryManager, 'getAllTools');
    peer.beat({ seq: 1 });
    await expect.poll(() => caller.toolRegistryManager.getTool('board-199')).toBeDefined();
    expect(listed.mock.calls.length).toBeLessThan(20);
  });

  test('a node that sends no beat has no rows, and its tools do not count for another node', async () => {
    const nats = await openNatsServer();
    const peer = await openPeer(nats);
    const caller = await openWorkbench({ cluster: memberOf(nats, 'caller') });
    const second = 'bbbbbbbbbbbbbbbb';
    const row = (name: string) => ({
      id: name,
      deviceId: name,
      name,
      state: 'ready',
      health: 'ready',
      virtual: false,
      connectedAt: 1,
      toolCount: 1,
      tools: { registryId: name, connection: 1, hash: 'h' },
    });
    const change = (node: string, facts: object) =>
      peer.connection.publish(
        `tw.lab.reg.${node}`,
        JSON.stringify({ v: 1, node, seq: 1, set: [], gone: [], ...facts }),
      );
    let asked = 0;
    for (const [node, name] of [
      [peer.node, 'add'],
      [second, 'remove'],
    ] as const) {
      const methods = [{ name, description: '', agentCallable: true, inputSchema: { type: 'object' } }];
      peer.connection.subscribe(`tw.lab.n.${node}.snap`, {
        callback: (_, message) =>
          void message.respond(JSON.stringify({ seq: 1, at: 0, rows: [row(`of-${name}`)], isLast: true })),
      });
      peer.connection.subscribe(`tw.lab.n.${node}.tools`, {
        callback: (_, message) => {
          asked += 1;
          message.respond(JSON.stringify({ methods, isLast: true }));
        },
      });
    }
    await peer.connection.flush();
    await peer.meet('caller');
    change(second, { set: [row('of-nobody')] });
    peer.beat({ seq: 1 });
    const toolsOf = (id: string) =>
      caller.toolRegistryManager
        .getTool(id)
        ?.getMetadata()
        .methods.map(({ name }) => name);
    await expect.poll(() => toolsOf('of-add')).toEqual(['add']);
    expect(caller.services.devices.list().map(({ name }) => name)).toEqual(['of-add']);
    peer.beat({ seq: 1, node: second });
    await expect.poll(() => toolsOf('of-remove')).toEqual(['remove']);
    expect(asked).toBe(2);
    // A list that no device has is dropped: it is asked for again.
    change(second, { seq: 2, gone: ['of-remove'] });
    change(second, { seq: 3, set: [row('of-remove')] });
    await expect.poll(() => asked).toBe(3);
  });

  test('changes that arrive between the pages of a list count, and the list is asked for once', async () => {
    const nats = await openNatsServer();
    const peer = await openPeer(nats);
    const caller = await openWorkbench({ cluster: memberOf(nats, 'caller') });
    const row = (id: string, name: string) => ({
      id,
      deviceId: id,
      name,
      state: 'ready',
      health: 'ready',
      virtual: false,
      connectedAt: 1,
      toolCount: 0,
    });
    let asked = 0;
    peer.connection.subscribe(`tw.lab.n.${peer.node}.snap`, {
      callback: (_, message) => {
        asked += 1;
        message.respond(JSON.stringify({ seq: 4, at: 0, rows: [row('a', 'Lamp')], isLast: false }));
        const change = { v: 1, node: peer.node, gone: [] };
        for (const [seq, name] of [
          [4, 'Old'],
          [5, 'New'],
          [6, 'Newest'],
        ] as const)
          peer.connection.publish(`tw.lab.reg.${peer.node}`, JSON.stringify({ ...change, seq, set: [row('a', name)] }));
        message.respond(JSON.stringify({ seq: 4, at: 1, rows: [row('b', 'Fan')], isLast: true }));
      },
    });
    await peer.connection.flush();
    await peer.meet('caller');
    peer.beat({ seq: 4 });
    const names = () => caller.services.devices.list().map(({ name }) => name);
    await until(caller, () => names().includes('Fan'));
    expect(names()).toEqual(['Newest', 'Fan']);
    peer.beat({ seq: 6 });
    // Its answer to this comes after it has read the beat.
    const node = peer.received.find(({ subject, data }) => subject === 'beat' && data['name'] === 'caller')?.data[
      'node'
    ];
    const { answers } = peer.send(`n.${String(node)}.snap`, { v: 1 });
    await expect.poll(() => answers.length).toBe(1);
    expect(asked).toBe(1);
  });
});

test.skipIf(natsServer === undefined)('a node is busy at the 2,001st call, and drops none silently', async () => {
  const nats = await openNatsServer();
  const peer = await openPeer(nats);
  const owner = await openWorkbench({ cluster: memberOf(nats, 'owner') });
  await peer.meet('owner');
  peer.beat();
  const node = String(peer.received.find(({ subject }) => subject === 'beat')!.data['node']);
  // Each device takes 64.
  const boards = Array.from({ length: 32 }, (_, at) => addDevice(owner, { name: `Board ${at}`, latencyMs: 60_000 }));
  for (const board of boards) await board;
  let rows: { id: string; tools?: { connection: number } }[] = [];
  const untilListed = async () => {
    const { answers } = peer.send(`n.${node}.snap`, { v: 1 });
    await expect.poll(() => answers).toHaveLength(1);
    rows = (answers[0]!['rows'] as typeof rows).filter(({ tools }) => tools !== undefined);
    return rows.length;
  };
  await expect.poll(untilListed).toBe(32);
  const sent = Array.from({ length: 2_001 }, (_, at) => {
    const { id, tools } = rows[at % rows.length]!;
    const method = 'self.get_device_status';
    const facts = { callId: `call-${at}`, device: id, connection: tools!.connection, method };
    // Not late, however slow the machine is.
    return peer.send(`n.${node}.call`, peer.call({ ...facts, at: performance.now() + 60_000 })).answers;
  });
  await expect.poll(() => sent.every((answers) => answers.length === 1)).toBe(true);
  expect(sent.filter(([answer]) => answer?.['kind'] === 'accepted')).toHaveLength(2_000);
  expect(sent.at(-1)).toEqual([{ kind: 'refused', why: 'busy' }]);
});
