/** Calls between nodes, message by message: at most once, and with a truthful outcome. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { noNatsServer, natsServer, openNatsServer } from '../../../helpers/natsServer.ts';
import { addDevice, call, openWorkbench, until } from '../../workbench/openWorkbench.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { Bus } from '../../../../src-core/features/cluster/bus.ts';
import { memberOf, openPeer, type Peer } from './peer.ts';

interface OwnedRow {
  id: string;
  name: string;
  tools?: { registryId: string; connection: number; hash: string };
}

/** A workbench with one device, and a peer that knows the device's row. */
async function openOwner(device: Parameters<typeof addDevice>[1] = {}) {
  const nats = await openNatsServer();
  const peer = await openPeer(nats);
  const owner = await openWorkbench({ cluster: memberOf(nats, 'owner') });
  const info = await addDevice(owner, { name: 'Lamp', ...device });
  const node = await owned(peer);
  peer.beat();
  const row = await rowOf(peer, node, (one) => one.tools !== undefined);
  return { nats, peer, owner, info, node, row, to: { device: row.id, connection: row.tools!.connection } };
}

/** Resolves once the owner is connected, and receives beats. */
async function owned(peer: Peer): Promise<string> {
  const beat = () => peer.received.find(({ subject, data }) => subject === 'beat' && data['node'] !== peer.node);
  await expect.poll(beat).toBeDefined();
  return String(beat()!.data['node']);
}

async function rowOf(peer: Peer, node: string, fits: (row: OwnedRow) => boolean): Promise<OwnedRow> {
  const rows = () => {
    const { answers } = peer.send(`n.${node}.snap`, { v: 1 });
    return expect
      .poll(() => answers.length)
      .toBe(1)
      .then(() => (answers[0]!['rows'] as OwnedRow[]).find(fits));
  };
  await expect.poll(rows).toBeDefined();
  return (await rows())!;
}

const kinds = (answers: Record<string, unknown>[]) => answers.map(({ kind }) => kind);
const history = (workbench: Workbench) => workbench.services.calls.history({ limit: 200 });

describe.skipIf(natsServer === undefined)(`calls between nodes (${natsServer ?? noNatsServer})`, () => {
  test('answers what a call came to, and earlier that it is accepted if it takes longer', async () => {
    const { peer, node, to } = await openOwner();
    const { answers } = peer.send(`n.${node}.call`, peer.call({ ...to, method: 'self.get_device_status' }));
    await expect.poll(() => kinds(answers)).toContain('outcome');
    expect(kinds(answers).filter((kind) => kind !== 'accepted')).toEqual(['outcome']);
    expect(answers.at(-1)).toMatchObject({ outcome: { text: expect.stringContaining('audio_speaker') as string } });
    const slow = await openOwner({ latencyMs: 500 });
    const later = slow.peer.send(
      `n.${slow.node}.call`,
      slow.peer.call({ ...slow.to, method: 'self.get_device_status' }),
    );
    await expect.poll(() => kinds(later.answers)).toEqual(['accepted', 'outcome']);
  });

  test('runs a call once however often its message arrives, with one outcome', async () => {
    const { peer, owner, node, to } = await openOwner();
    const message = peer.call({ ...to, method: 'self.get_device_status' });
    const sent = Array.from({ length: 100 }, () => peer.send(`n.${node}.call`, message));
    await expect.poll(() => sent.every(({ answers }) => kinds(answers).includes('outcome'))).toBe(true);
    const outcomes = new Set(sent.map(({ answers }) => JSON.stringify(answers.at(-1))));
    expect(outcomes.size).toBe(1);
    expect(await history(owner)).toHaveLength(1);
  });

  test('does not run a call if its caller cannot be told, and runs it when it arrives again', async () => {
    const { peer, owner, node, to } = await openOwner();
    const connected = vi.spyOn(Bus.prototype, 'isConnected', 'get').mockReturnValue(false);
    onTestFinished(() => connected.mockRestore());
    const message = peer.call({ ...to, method: 'self.get_device_status' });
    peer.send(`n.${node}.call`, message);
    // Its answer to this comes after it has read the call.
    const { answers: rows } = peer.send(`n.${node}.snap`, { v: 1 });
    await expect.poll(() => rows.length).toBe(1);
    expect(owner.services.calls.running()).toEqual([]);
    expect(await history(owner)).toEqual([]);
    connected.mockRestore();
    const { answers } = peer.send(`n.${node}.call`, message);
    await expect.poll(() => kinds(answers)).toContain('outcome');
    expect(await history(owner)).toHaveLength(1);
  });

  test('sends what comes of a call to its message and to the last question about it, not to each', async () => {
    const { peer, node, to } = await openOwner({ latencyMs: 1_000 });
    const message = peer.call({ ...to, method: 'self.get_device_status' });
    const sent = peer.send(`n.${node}.call`, message);
    await expect.poll(() => kinds(sent.answers)).toEqual(['accepted']);
    const about = { v: 1, node: peer.node, n: message['n'] };
    const asked = Array.from({ length: 5 }, () => peer.send(`n.${node}.status`, about));
    await expect.poll(() => kinds(asked.at(-1)!.answers)).toEqual(['accepted', 'outcome']);
    await expect.poll(() => kinds(sent.answers)).toEqual(['accepted', 'outcome']);
    expect(asked.slice(0, -1).map(({ answers }) => kinds(answers))).toEqual(Array(4).fill(['accepted']));
  });

  test('refuses a call for an earlier connection of the device', async () => {
    const { peer, owner, node, to } = await openOwner();
    const message = peer.call({ ...to, connection: to.connection + 1, method: 'self.get_device_status' });
    const { answers } = peer.send(`n.${node}.call`, message);
    await expect.poll(() => answers).toEqual([{ kind: 'refused', why: 'gone' }]);
    expect(await history(owner)).toEqual([]);
  });

  test('refuses a call that was under way for longer than its limit, whatever the clocks show', async () => {
    const { peer, owner, node, to } = await openOwner();
    const hour = 3_600_000;
    peer.beat({ node: 'bbbbbbbbbbbbbbbb', at: performance.now() - hour });
    await until(owner, () => owner.services.cluster.info().nodes.length === 3);
    const send = (msAgo: number) =>
      peer.send(
        `n.${node}.call`,
        peer.call({
          ...to,
          callId: `late-${msAgo}`,
          node: 'bbbbbbbbbbbbbbbb',
          at: performance.now() - hour - msAgo,
          method: 'self.get_device_status',
          timeoutMs: 500,
        }),
      ).answers;
    const late = send(600);
    await expect.poll(() => late).toEqual([{ kind: 'refused', why: 'late' }]);
    const inTime = send(0);
    await expect.poll(() => kinds(inTime)).toContain('outcome');
    expect(await history(owner)).toHaveLength(1);
  });

  test('refuses a call of a version that it does not understand, and takes one of the next', async () => {
    const { peer, node, to } = await openOwner();
    const send = (v: number) =>
      peer.send(`n.${node}.call`, peer.call({ ...to, callId: `v${v}`, v, method: 'self.get_device_status' })).answers;
    const far = send(3);
    await expect.poll(() => far).toEqual([{ kind: 'refused', why: 'version' }]);
    const next = send(2);
    await expect.poll(() => kinds(next)).toContain('outcome');
  });

  test('is busy at the 65th call that waits for a device, and drops none silently', async () => {
    const { peer, node, to } = await openOwner({ latencyMs: 60_000 });
    const sent = Array.from({ length: 65 }, (_, at) =>
      peer.send(`n.${node}.call`, peer.call({ ...to, callId: `wait-${at}`, method: 'self.get_device_status' })),
    );
    await expect.poll(() => sent.every(({ answers }) => answers.length > 0)).toBe(true);
    expect(kinds(sent.map(({ answers }) => answers[0]!)).filter((kind) => kind === 'accepted')).toHaveLength(64);
    expect(sent.at(-1)?.answers).toEqual([{ kind: 'refused', why: 'busy' }]);
  });

  test('removes a cancelled call that waits, and its device never gets it', async () => {
    const { peer, owner, node, to } = await openOwner({ latencyMs: 60_000 });
    const running = peer.send(
      `n.${node}.call`,
      peer.call({ ...to, callId: 'first', method: 'self.get_device_status' }),
    );
    await expect.poll(() => kinds(running.answers)).toEqual(['accepted']);
    const second = peer.call({ ...to, callId: 'second', method: 'self.get_device_status' });
    const waiting = peer.send(`n.${node}.call`, second);
    await expect.poll(() => kinds(waiting.answers)).toEqual(['accepted']);
    peer.connection.publish(`tw.lab.n.${node}.cancel`, JSON.stringify({ v: 1, node: peer.node, n: second['n'] }));
    await expect.poll(() => kinds(waiting.answers)).toEqual(['accepted', 'outcome']);
    expect(waiting.answers[1]).toMatchObject({
      outcome: { error: { code: 'cancelled', details: { ran: false } } },
    });
    expect((await history(owner)).map(({ callId }) => callId)).toEqual(['second']);
  });

  test('removes the waiting calls of a node that says goodbye, and not those at the device', async () => {
    const { peer, owner, node, to } = await openOwner({ latencyMs: 60_000 });
    for (const callId of ['first', 'second'])
      peer.send(`n.${node}.call`, peer.call({ ...to, callId, method: 'self.get_device_status' }));
    await until(owner, () => owner.services.calls.running().length === 2);
    peer.connection.publish('tw.lab.bye', JSON.stringify({ v: 1, node: peer.node }));
    await until(owner, () => owner.services.calls.running().length === 1);
    expect(owner.services.calls.running()[0]).toMatchObject({ callId: 'first' });
  });

  test('ignores messages that are no JSON, or break their form', async () => {
    const { peer, node, to } = await openOwner();
    for (const text of ['{', '[]', '{"v":1}', JSON.stringify(peer.call({ ...to, method: 5 }))])
      for (const subject of ['call', 'cancel', 'more', 'snap', 'tools'])
        peer.connection.publish(`tw.lab.n.${node}.${subject}`, text, { reply: `tw.lab.n.${peer.node}.r.0` });
    peer.connection.publish('tw.lab.beat', '{"node":"x"}');
    peer.connection.publish(`tw.lab.reg.${peer.node}`, '{"set":[{}]}');
    const { answers } = peer.send(`n.${node}.call`, peer.call({ ...to, method: 'self.get_device_status' }));
    await expect.poll(() => kinds(answers)).toContain('outcome');
  });
});

describe.skipIf(natsServer === undefined)('the caller', () => {
  /** A workbench that sees one device of the peer. */
  async function openCaller() {
    const nats = await openNatsServer();
    const peer = await openPeer(nats);
    // A broker that ends is an error of no request.
    const caller = await openWorkbench({ cluster: memberOf(nats, 'caller'), onError: () => undefined });
    const row = {
      id: 'lamp',
      deviceId: 'lamp',
      name: 'Lamp',
      state: 'ready',
      health: 'ready',
      virtual: false,
      connectedAt: 1,
      toolCount: 1,
      tools: { registryId: 'lamp', connection: 7, hash: 'h' },
    };
    const methods = [{ name: 'add', description: '', agentCallable: true, inputSchema: { type: 'object' } }];
    peer.connection.subscribe(`tw.lab.n.${peer.node}.snap`, {
      callback: (_, message) => void message.respond(JSON.stringify({ seq: 1, at: 0, rows: [row], isLast: true })),
    });
    peer.connection.subscribe(`tw.lab.n.${peer.node}.tools`, {
      callback: (_, message) => void message.respond(JSON.stringify({ methods, isLast: true })),
    });
    peer.beat({ seq: 1 });
    await peer.connection.flush();
    const find = () => caller.services.devices.list().find(({ registryId }) => registryId === 'lamp');
    const beats = setInterval(() => peer.beat({ seq: 1 }), 1_000);
    await until(caller, () => find() !== undefined);
    clearInterval(beats);
    return { nats, peer, caller, device: find()!, row };
  }

  /** Answers each call message of the caller. */
  function answerCalls(peer: Peer, node: string, answersTo: (message: Record<string, unknown>) => object[]) {
    const got: Record<string, unknown>[] = [];
    peer.connection.subscribe(`tw.lab.n.${node}.call`, {
      callback: (_, message) => {
        const data = message.json<Record<string, unknown>>();
        got.push(data);
        for (const answer of answersTo(data)) message.respond(JSON.stringify(answer));
      },
    });
    return got;
  }

  test('sends arguments as text, with integers beyond 2^53 as they were written', async () => {
    const { peer, caller, device } = await openCaller();
    const text = '{"id":9007199254740993}';
    const got = answerCalls(peer, peer.node, () => [
      { kind: 'accepted' },
      { kind: 'outcome', outcome: { durationMs: 1.5, text, structuredContent: text, content: [] } },
    ]);
    await peer.connection.flush();
    const callId = 'exact';
    const input = { callId, toolName: 'lamp', command: 'add', argsJson: text, origin: 'executor' as const };
    const result = await caller.services.calls.execute(input);
    expect(got).toMatchObject([{ callId, args: text, connection: 7, hash: 'h', method: 'add' }]);
    expect(result).toMatchObject({ status: 'success', result: text, structuredContent: text, durationMs: 1.5 });
    expect(device.node).toMatchObject({ name: 'peer', isLost: false });
  });

  test('follows a device to its new node once, and gives up after two redirects', async () => {
    const { peer, caller, device } = await openCaller();
    const [second, third] = ['bbbbbbbbbbbbbbbb', 'cccccccccccccccc'];
    const moved = (node: string) => [{ kind: 'refused', why: 'moved', owner: { node, connection: 3 } }];
    answerCalls(peer, peer.node, () => moved(second));
    let movesOn = false;
    const got = answerCalls(peer, second, () =>
      movesOn ? moved(third) : [{ kind: 'accepted' }, { kind: 'outcome', outcome: { durationMs: 1, text: 'there' } }],
    );
    const last = answerCalls(peer, third, () => moved(second));
    await peer.connection.flush();
    expect(await call(caller, device, 'add')).toMatchObject({ status: 'success', result: 'there' });
    expect(got).toMatchObject([{ hops: 1, connection: 3 }]);
    movesOn = true;
    expect(await call(caller, device, 'add')).toMatchObject({
      status: 'error',
      error: {
        code: 'disconnected',
        details: { ran: false },
        message: expect.stringContaining('Nothing ran') as string,
      },
    });
    expect(last).toMatchObject([{ hops: 2 }]);
  });

  test('says that nothing ran if nobody takes the call', async () => {
    const { peer, caller, device } = await openCaller();
    peer.stopReceiving();
    await peer.connection.flush();
    expect(await call(caller, device, 'add')).toMatchObject({
      error: { code: 'disconnected', message: 'The node "peer" cannot be reached. Nothing ran.' },
    });
  });

  test.each([
    ['', [{ kind: 'accepted' }]],
    [', even if no answer of it arrived', []],
  ])('says that the call may have run if its node says goodbye%s', async (_, answers) => {
    const { peer, caller, device } = await openCaller();
    const got = answerCalls(peer, peer.node, () => answers);
    await peer.connection.flush();
    const result = call(caller, device, 'add');
    await expect.poll(() => got.length).toBe(1);
    peer.connection.publish('tw.lab.bye', JSON.stringify({ v: 1, node: peer.node }));
    expect(await result).toMatchObject({
      error: { code: 'disconnected', message: expect.stringContaining('may have run') as string },
    });
  });

  test('says that the call may have run if its node does not say that it has it, and cancels it there', async () => {
    const { peer, caller, device } = await openCaller();
    const got = answerCalls(peer, peer.node, () => []);
    await peer.connection.flush();
    const message = 'The node "peer", which has the device, does not answer. The call may have run.';
    expect(await call(caller, device, 'add')).toMatchObject({ error: { code: 'disconnected', message } });
    const cancelled = () =>
      peer.received.filter(({ subject }) => subject.endsWith('.cancel')).map(({ data }) => data['n']);
    await expect.poll(cancelled).toEqual(got.map(({ n }) => n));
  });

  test('asks how far a call is if the broker was away before its node could say that it has it', async () => {
    const { nats, peer, caller, device } = await openCaller();
    const got = answerCalls(peer, peer.node, () => []);
    const beats = setInterval(() => peer.beat({ seq: 1 }), 1_000);
    onTestFinished(() => clearInterval(beats));
    peer.connection.subscribe(`tw.lab.n.${peer.node}.status`, {
      callback: (_, message) =>
        void message.respond(JSON.stringify({ kind: 'outcome', outcome: { durationMs: 1, text: 'kept' } })),
    });
    await peer.connection.flush();
    const result = call(caller, device, 'add');
    await expect.poll(() => got.length).toBe(1);
    await nats.kill();
    await until(caller, () => caller.services.cluster.info().joined?.isConnected === false);
    await nats.start();
    expect(await result).toMatchObject({ status: 'success', result: 'kept' });
    expect(got).toHaveLength(1);
  });

  test('takes the outcome of a silent call only from the answer to its newest status question', async () => {
    const { peer, caller, device } = await openCaller();
    answerCalls(peer, peer.node, () => [{ kind: 'accepted' }]);
    const asked: string[] = [];
    const answer = (at: number, text: string) =>
      peer.connection.publish(asked[at]!, JSON.stringify({ kind: 'outcome', outcome: { durationMs: 1, text } }));
    peer.connection.subscribe(`tw.lab.n.${peer.node}.status`, {
      callback: (_, { reply }) => {
        if (asked.push(reply!) !== 2) return;
        answer(0, 'earlier');
        answer(1, 'last');
      },
    });
    await peer.connection.flush();
    const beats = setInterval(() => peer.beat({ seq: 1 }), 1_000);
    onTestFinished(() => clearInterval(beats));
    expect(await call(caller, device, 'add')).toMatchObject({ status: 'success', result: 'last' });
  });

  test('cancels at the node of the device', async () => {
    const { peer, caller, device } = await openCaller();
    answerCalls(peer, peer.node, () => [{ kind: 'accepted' }]);
    await peer.connection.flush();
    const result = caller.services.calls.execute({
      callId: 'to-cancel',
      toolName: device.registryId!,
      command: 'add',
      argsJson: '{}',
      origin: 'executor',
    });
    await expect.poll(() => peer.received.some(({ subject }) => subject.endsWith('.call'))).toBe(true);
    caller.services.calls.cancel({ callId: 'to-cancel' });
    // It may have gone out to the device already.
    expect(await result).toMatchObject({ error: { code: 'cancelled' } });
    expect((await result).error?.details).not.toMatchObject({ ran: false });
    await expect
      .poll(() => peer.received.filter(({ subject }) => subject.endsWith('.cancel')).map(({ data }) => data['n']))
      .toEqual([1]);
  });

  test('joins an answer of 5 MB from its pieces, and reports a piece that is missing', async () => {
    const { peer, caller, device } = await openCaller();
    const text = 'é'.repeat(2_500_000);
    const bytes = Buffer.from(JSON.stringify({ durationMs: 1, text }));
    const pieces = Array.from({ length: Math.ceil(bytes.length / 262_144) }, (_, at) => ({
      kind: 'piece',
      at,
      text: bytes.toString('base64', at * 262_144, (at + 1) * 262_144),
      isLast: (at + 1) * 262_144 >= bytes.length,
    }));
    let sent = pieces;
    answerCalls(peer, peer.node, () => [{ kind: 'accepted' }, ...sent]);
    await peer.connection.flush();
    expect((await call(caller, device, 'add')).result === text).toBe(true);
    await expect.poll(() => peer.received.filter(({ subject }) => subject.endsWith('.more')).length).toBe(2);
    sent = pieces.toSpliced(3, 1);
    expect(await call(caller, device, 'add')).toMatchObject({
      error: { code: 'protocol-error', message: 'A part of the answer is missing. The call has run.' },
    });
  });
});
