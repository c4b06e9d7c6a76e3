/** Calls that a node sends, message by message: what their caller learns of them. */
import { describe, expect, onTestFinished, test } from 'vitest';

import { noNatsServer, natsServer, openNatsServer } from '../../../helpers/natsServer.ts';
import { call, openWorkbench, until } from '../../workbench/openWorkbench.ts';
import { piecesOf } from '../../../../src-core/features/cluster/messages.ts';
import { memberOf, openPeer, type Peer } from './peer.ts';

describe.skipIf(natsServer === undefined)(`the caller (${natsServer ?? noNatsServer})`, () => {
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
    const shownName = 'lamp_add';
    expect(got).toMatchObject([{ callId, args: text, connection: 7, hash: 'h', method: 'add', shownName }]);
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
    expect(got).toMatchObject([{ connection: 3 }]);
    movesOn = true;
    expect(await call(caller, device, 'add')).toMatchObject({
      status: 'error',
      error: {
        code: 'disconnected',
        details: { ran: false },
        message: expect.stringContaining('Nothing ran') as string,
      },
    });
    expect(last).toHaveLength(1);
  });

  test('reports that nothing ran if no node takes the call', async () => {
    const { peer, caller, device } = await openCaller();
    peer.stopReceiving();
    await peer.connection.flush();
    expect(await call(caller, device, 'add')).toMatchObject({
      error: { code: 'disconnected', message: 'The node "peer" cannot be reached. Nothing ran.' },
    });
  });

  test('refuses arguments that are longer than a message may be, and does not blame the device', async () => {
    const { caller, device } = await openCaller();
    expect(await call(caller, device, 'add', { text: 'x'.repeat(1_100_000) })).toMatchObject({
      error: {
        code: 'invalid-arguments',
        details: { ran: false },
        message: expect.stringMatching(/the 1,048,576 bytes that the broker accepts.* Nothing ran\.$/) as string,
      },
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

  test('says that an answer with broken structured content is unreadable', async () => {
    const { peer, caller, device } = await openCaller();
    const outcome = { durationMs: 1, text: '', structuredContent: '{' };
    answerCalls(peer, peer.node, () => [{ kind: 'accepted' }, { kind: 'outcome', outcome }]);
    await peer.connection.flush();
    expect(await call(caller, device, 'add')).toMatchObject({
      error: {
        code: 'protocol-error',
        message: 'The node "peer" sent an unreadable answer. The call may have run.',
      },
    });
  });

  test.each([
    [{ ran: false }, 'Nothing ran.', { ran: false, node: 'refused' }],
    [undefined, 'The call may have run.', { node: 'lost' }],
  ])(
    'says once what became of a call that was cancelled at the node of its device: %j',
    async (given, end, details) => {
      const { peer, caller, device } = await openCaller();
      const error = { code: 'cancelled', message: 'Cancelled by the user.', ...(given && { details: given }) };
      const outcome = { durationMs: 0, text: error.message, error };
      answerCalls(peer, peer.node, () => [{ kind: 'accepted' }, { kind: 'outcome', outcome }]);
      await peer.connection.flush();
      const message = `The call was cancelled at the node "peer". ${end}`;
      expect((await call(caller, device, 'add')).error).toEqual({ code: 'disconnected', message, details });
    },
  );

  test.each([
    [{ ran: false }, 'It did not run.'],
    [undefined, 'It had already started and may have taken effect.'],
  ])('cancels at the node of the device, which says whether it ran: %j', async (details, end) => {
    const { peer, caller, device } = await openCaller();
    const replies: string[] = [];
    peer.connection.subscribe(`tw.lab.n.${peer.node}.call`, { callback: (_, { reply }) => void replies.push(reply!) });
    const cancelled: unknown[] = [];
    peer.connection.subscribe(`tw.lab.n.${peer.node}.cancel`, {
      callback: (_, message) => {
        cancelled.push(message.json<{ n: unknown }>().n);
        const outcome = { durationMs: 0, text: '', error: { code: 'cancelled', message: 'Cancelled.', details } };
        peer.connection.publish(replies[0]!, JSON.stringify({ kind: 'outcome', outcome }));
      },
    });
    await peer.connection.flush();
    const { execute, cancel } = caller.services.calls;
    const input = { callId: 'to-cancel', toolName: device.registryId!, command: 'add', argsJson: '{}' };
    const result = execute({ ...input, origin: 'executor' });
    await expect.poll(() => replies.length).toBe(1);
    cancel({ callId: 'to-cancel' });
    const message = `The call was cancelled by the user. ${end}`;
    expect((await result).error).toEqual({ code: 'cancelled', message, ...(details && { details }) });
    expect(cancelled).toEqual([1]);
  });

  test('joins an answer of 5 MB from its pieces, and asks for a piece that is missing', async () => {
    const { peer, caller, device } = await openCaller();
    const text = 'é'.repeat(2_500_000);
    const bytes = Buffer.from(JSON.stringify({ durationMs: 1, text }));
    const pieces = [...piecesOf(bytes, 1_048_576)];
    let sent = pieces;
    answerCalls(peer, peer.node, () => [{ kind: 'accepted' }, ...sent]);
    await peer.connection.flush();
    expect((await call(caller, device, 'add')).result === text).toBe(true);
    await expect.poll(() => peer.received.filter(({ subject }) => subject.endsWith('.more')).length).toBe(9);
    sent = pieces.toSpliced(3, 1);
    const asked: unknown[] = [];
    peer.connection.subscribe(`tw.lab.n.${peer.node}.status`, {
      callback: (_, message) => {
        const { from } = message.json<{ from: number }>();
        asked.push(from);
        for (const piece of piecesOf(bytes, 1_048_576, from)) message.respond(JSON.stringify(piece));
      },
    });
    await peer.connection.flush();
    expect((await call(caller, device, 'add')).result === text).toBe(true);
    expect(asked).toEqual([pieces[3]!.at]);
  });
});
