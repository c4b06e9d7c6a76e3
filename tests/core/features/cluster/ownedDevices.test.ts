/** Calls of other nodes at the node that has a device, by what reaches the device. */
import { describe, expect, onTestFinished, test } from 'vitest';

import { noNatsServer, natsServer, openNatsServer } from '../../../helpers/natsServer.ts';
import { openWorkbench, until } from '../../workbench/openWorkbench.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { connectScripted, standardAnswer, type WireRequest } from '../devices/support/scriptedDevice.ts';
import { memberOf, openPeer, type Peer } from './peer.ts';

const deviceId = '02:00:00:aa:bb:cc';
const big = '9007199254740993';

/** A board with one tool, which returns this JSON text, or nothing. */
async function connectBoard({ info }: Workbench, answer?: string) {
  const tool = {
    name: 'pick',
    description: '',
    inputSchema: { type: 'object', properties: { id: { type: 'integer' } } },
  };
  const results: Record<string, string | undefined> = {
    'tools/list': JSON.stringify({ tools: [tool] }),
    'tools/call': answer,
  };
  const device = await connectScripted(info().device.webSocketUrl, {
    headers: { 'Device-Id': deviceId },
    answer(request) {
      if (!(request.method in results)) return standardAnswer(request);
      const result = results[request.method];
      return (
        result && `{"session_id":"","type":"mcp","payload":{"jsonrpc":"2.0","id":${request.id},"result":${result}}}`
      );
    },
  });
  onTestFinished(() => device.socket.terminate());
  device.hello();
  return {
    ...device,
    calls: () => device.requests.filter(({ method }: WireRequest) => method === 'tools/call'),
  };
}

interface OwnedRow {
  id: string;
  tools?: { registryId: string; connection: number };
}

/** The device's row, once its connection is not this one. */
async function rowOf(peer: Peer, node: string, last?: number): Promise<OwnedRow> {
  const find = async () => {
    const { answers } = peer.send(`n.${node}.snap`, { v: 1 });
    await expect.poll(() => answers).toHaveLength(1);
    const rows = answers[0]!['rows'] as OwnedRow[];
    return rows.find(({ tools }) => tools !== undefined && tools.connection !== last);
  };
  let found: OwnedRow | undefined;
  await expect.poll(async () => (found = await find())).toBeDefined();
  return found!;
}

async function openOwner(answer?: string) {
  const nats = await openNatsServer();
  const peer = await openPeer(nats);
  const owner = await openWorkbench({ cluster: memberOf(nats, 'owner') });
  await peer.meet('owner');
  peer.beat();
  const node = String(peer.received.find(({ subject }) => subject === 'beat')!.data['node']);
  const board = await connectBoard(owner, answer);
  const { id: device, tools } = await rowOf(peer, node);
  return { nats, peer, owner, node, board, to: { device, connection: tools!.connection, method: 'pick' } };
}

const kinds = (answers: Record<string, unknown>[]) => answers.map(({ kind }) => kind);

describe.skipIf(natsServer === undefined)(`a device of a node (${natsServer ?? noNatsServer})`, () => {
  test('gets integers beyond 2^53 of a call of another node as they were written, and so does the caller', async () => {
    const nats = await openNatsServer();
    const owner = await openWorkbench({ cluster: memberOf(nats, 'owner') });
    const caller = await openWorkbench({ cluster: memberOf(nats, 'caller') });
    const board = await connectBoard(owner, `{"content":[],"structuredContent":{"id":${big}}}`);
    const remote = () => caller.services.devices.list().find(({ node, registryId }) => node && registryId);
    await until(caller, () => remote() !== undefined);
    const argsJson = `{"id":${big}}`;
    const input = { callId: 'exact', toolName: remote()!.registryId!, command: 'pick', argsJson };
    const result = await caller.services.calls.execute({ ...input, origin: 'executor' });
    expect(result).toMatchObject({ status: 'success', structuredContent: `{"id":${big}}` });
    expect(board.raw.at(-1)?.text).toContain(`"arguments":{"id":${big}}`);
  });

  test('gets a call once, however often its message arrives', async () => {
    const { peer, node, board, to } = await openOwner('{"content":[]}');
    const message = peer.call(to);
    const sent = Array.from({ length: 100 }, () => peer.send(`n.${node}.call`, message));
    await expect.poll(() => sent.every(({ answers }) => kinds(answers).includes('outcome'))).toBe(true);
    expect(board.calls()).toHaveLength(1);
  });

  test('gets no call for its earlier connection after it has connected again', async () => {
    const { peer, owner, node, board, to } = await openOwner('{"content":[]}');
    board.socket.terminate();
    const again = await connectBoard(owner, '{"content":[]}');
    const { tools } = await rowOf(peer, node, to.connection);
    const old = peer.send(`n.${node}.call`, peer.call(to)).answers;
    await expect.poll(() => old).toEqual([{ kind: 'refused', why: 'gone' }]);
    const now = peer.send(`n.${node}.call`, peer.call({ ...to, connection: tools!.connection })).answers;
    await expect.poll(() => kinds(now)).toContain('outcome');
    expect([board.calls().length, again.calls().length]).toEqual([0, 1]);
  });

  test('finishes a call that is cancelled while it runs, whose outcome does not say that nothing ran', async () => {
    const { peer, node, board, to } = await openOwner();
    const message = peer.call(to);
    const { answers } = peer.send(`n.${node}.call`, message);
    await board.request('tools/call');
    peer.connection.publish(`tw.lab.n.${node}.cancel`, JSON.stringify({ v: 1, node: peer.node, n: message['n'] }));
    await expect.poll(() => kinds(answers)).toContain('outcome');
    const { outcome } = answers.at(-1) as { outcome: { error: { code: string; details?: object } } };
    expect(outcome.error.code).toBe('cancelled');
    expect(outcome.error.details).not.toMatchObject({ ran: false });
    expect(board.calls()).toHaveLength(1);
  });
});

describe.skipIf(natsServer === undefined)('a node', () => {
  /** A node, and a peer that answers with one device. */
  async function openBeside() {
    const nats = await openNatsServer();
    const peer = await openPeer(nats);
    const one = await openWorkbench({ cluster: memberOf(nats, 'one') });
    const row = { id: 'lamp', deviceId: 'lamp', name: 'Lamp', state: 'ready', health: 'ready', virtual: false };
    const tools = { registryId: 'lamp', connection: 7, hash: 'h' };
    const rows = [{ ...row, connectedAt: 1, toolCount: 1, claim: { ms: Date.now(), count: 0 }, tools }];
    const methods = [{ name: 'pick', description: '', agentCallable: true, inputSchema: { type: 'object' } }];
    for (const [subject, answer] of [
      ['snap', { seq: 1, at: 0, rows, isLast: true }],
      ['tools', { methods, isLast: true }],
    ] as const)
      peer.connection.subscribe(`tw.lab.n.${peer.node}.${subject}`, {
        callback: (_, message) => void message.respond(JSON.stringify(answer)),
      });
    await peer.connection.flush();
    await peer.meet('one');
    const node = String(peer.received.find(({ subject }) => subject === 'beat')!.data['node']);
    return { peer, one, node, rows };
  }

  test('names the node that a device has moved to', async () => {
    const { peer, one, node } = await openBeside();
    peer.beat({ seq: 1 });
    await until(one, () => one.toolRegistryManager.getTool('lamp') !== undefined);
    const { answers } = peer.send(`n.${node}.call`, peer.call({ device: 'lamp', connection: 1, method: 'pick' }));
    const owner = { node: peer.node, connection: 7 };
    await expect.poll(() => answers).toEqual([{ kind: 'refused', why: 'moved', owner }]);
  });

  test('ignores beats that another node sends in its name', async () => {
    const { peer, one, node } = await openBeside();
    peer.beat({ node });
    // Its answer to this comes after it has read the beat.
    const { answers } = peer.send(`n.${node}.snap`, { v: 1 });
    await expect.poll(() => answers).toHaveLength(1);
    expect(one.services.cluster.info().nodes).toMatchObject([{ state: 'self' }]);
  });

  test('lists a node that is two versions apart as such, and none of its devices', async () => {
    const { peer, one, node, rows } = await openBeside();
    peer.beat({ v: 3, seq: 1 });
    const states = () => one.services.cluster.info().nodes.map(({ state }) => state);
    await until(one, () => states().length === 2);
    expect(states()).toEqual(['self', 'other-version']);
    const change = { v: 3, node: peer.node, seq: 1, set: rows, gone: [] };
    peer.connection.publish(`tw.lab.reg.${peer.node}`, JSON.stringify(change));
    // Its answer to this comes after it has read the change.
    const { answers } = peer.send(`n.${node}.snap`, { v: 1 });
    await expect.poll(() => answers).toHaveLength(1);
    expect(one.services.devices.list()).toEqual([]);
    expect(peer.received.filter(({ subject }) => subject === `n.${peer.node}.snap`)).toEqual([]);
  });
});
