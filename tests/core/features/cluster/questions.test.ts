/** Dangerous calls of another node's device: both nodes ask, and one answer counts. */
import { describe, expect, onTestFinished, test } from 'vitest';

import type { Workbench } from '../../../../src-core/workbench.ts';
import { noNatsServer, natsServer, openNatsServer } from '../../../helpers/natsServer.ts';
import { addDevice, openWorkbench, until } from '../../workbench/openWorkbench.ts';
import { memberOf, openPeer } from './peer.ts';

let made = 0;

/** Two nodes, a device at `other`, and a call of it that asks in a window of `one`. */
async function openAsked({ tool = 'self.get_device_status', args = {} } = {}) {
  const nats = await openNatsServer();
  const one = await openWorkbench({ cluster: memberOf(nats, 'one') });
  const other = await openWorkbench({ cluster: memberOf(nats, 'other') });
  await addDevice(other, { name: 'Lamp' });
  await other.services.settings.set({ dangerousTools: [`*_${tool}`] });
  const lamp = () => one.services.devices.list().find(({ name, registryId }) => name === 'Lamp' && registryId);
  const asks = () =>
    one.toolRegistryManager
      .getTool(lamp()?.registryId ?? '')
      ?.getMetadata()
      .methods.some(({ name, danger }) => name === tool && danger !== undefined);
  await until(one, () => asks() === true);
  const callId = `asked-${(made += 1)}`;
  const input = { callId, toolName: lamp()!.registryId!, command: tool, argsJson: JSON.stringify(args) };
  const events: object[] = [];
  const run = (async () => {
    for await (const event of one.services.calls.executeInPieces({ ...input, origin: 'executor' })) events.push(event);
  })();
  const questions = (workbench: Workbench) => workbench.services.cluster.questions();
  await until(other, () => questions(other).length === 1);
  return { one, other, callId, events, run, questions };
}

const ran = async ({ services }: Workbench) => (await services.calls.history({ limit: 10 })).length;

describe.skipIf(natsServer === undefined)(`questions in a cluster (${natsServer ?? noNatsServer})`, () => {
  test('an answer at the node of the device lets the call run, and ends the question in the window of the caller', async () => {
    const { other, callId, events, run, questions } = await openAsked();
    expect(questions(other)).toMatchObject([
      { callId, methodName: 'self.get_device_status', argsJson: '{}', host: 'one' },
    ]);
    await other.services.cluster.decide({ callId, allowed: true });
    await run;
    expect(events).toContainEqual(expect.objectContaining({ allowed: true }));
    await until(other, () => questions(other).length === 0);
    await expect.poll(() => ran(other)).toBe(1);
  });

  test('an answer of the caller ends the question at the other node', async () => {
    const { one, other, callId, run, questions } = await openAsked();
    one.services.runs.decide({ callId, allowed: false });
    await run;
    await until(other, () => questions(other).length === 0);
    await expect(other.services.cluster.decide({ callId, allowed: true })).rejects.toThrow('no longer waits');
    expect(await ran(other)).toBe(0);
  });

  test('a refusal at the other node names it, with the reason', async () => {
    const { one, other, callId, run } = await openAsked();
    await other.services.cluster.decide({ callId, allowed: false, reason: 'class is running' });
    await run;
    const message = 'The user refused this call at the node "other": class is running';
    expect((await one.services.calls.history({ limit: 1 }))[0]?.result?.error?.message).toBe(message);
  });

  test('of two answers at once one counts, and the other is told so', async () => {
    const { one, other, callId, events, run } = await openAsked();
    const answers = await Promise.allSettled([
      other.services.cluster.decide({ callId, allowed: false, reason: 'not now' }),
      Promise.resolve().then(() => one.services.runs.decide({ callId, allowed: true })),
    ]);
    await run;
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(events.filter((event) => 'allowed' in event)).toHaveLength(1);
    await expect.poll(() => ran(other)).toBe(answers[1].status === 'fulfilled' ? 1 : 0);
  });

  /** A node, and a peer that asks there. */
  async function openAsking() {
    const nats = await openNatsServer();
    const peer = await openPeer(nats);
    const node = await openWorkbench({ cluster: memberOf(nats, 'node') });
    await peer.meet('node');
    const to = String(peer.received.find(({ data }) => data['name'] === 'node')!.data['node']);
    const question = (callId: string, facts = {}) => ({
      callId,
      toolId: 't',
      methodName: 'm',
      argsJson: '{}',
      ...facts,
    });
    const ask = (facts: object) =>
      peer.connection.publish(`tw.lab.n.${to}.asks`, JSON.stringify({ v: 1, node: peer.node, ...facts }));
    /** Resolves once the node has read what was sent before. */
    const read = async () => {
      const { answers } = peer.send(`n.${to}.snap`, { v: 1 });
      await expect.poll(() => answers.length).toBe(1);
    };
    const ids = () => node.services.cluster.questions().map(({ callId }) => callId);
    return { peer, node, question, ask, read, ids };
  }

  test('only nodes that are there and understood ask', async () => {
    const { peer, question, ask, read, ids } = await openAsking();
    ask({ questions: [question('early')] });
    await read();
    expect(ids()).toEqual([]);
    peer.beat();
    ask({ v: 9, questions: [question('newer')] });
    await read();
    expect(ids()).toEqual([]);
    ask({ questions: [question('asked')] });
    await read();
    expect(ids()).toEqual(['asked']);
  });

  test('only nodes that are there and understood decide', async () => {
    const { peer, read } = await openAsking();
    const to = String(peer.received.find(({ data }) => data['name'] === 'node')!.data['node']);
    const decide = (v: number) =>
      peer.send(`n.${to}.decide`, { v, node: peer.node, kind: 'decide', callId: 'none', allowed: true });
    const early = decide(1);
    await read();
    peer.beat();
    const newer = decide(9);
    await read();
    const known = decide(1);
    await expect.poll(() => known.answers).toHaveLength(1);
    expect([early.answers, newer.answers]).toEqual([[], []]);
  });

  test('a list arrives in pages, a question that waits longer is seen to, and one whose time is over is not listed', async () => {
    const { peer, node, question, ask, read, ids } = await openAsking();
    peer.beat();
    ask({ at: 0, isLast: false, questions: [question('first', { leftMs: 60_000 })] });
    ask({ at: 1, isLast: true, questions: [question('second', { leftMs: 1 })] });
    await read();
    await expect.poll(ids).toEqual(['first']);
    const [before] = node.services.cluster.questions();
    ask({ questions: [question('first', { leftMs: 120_000 })] });
    await read();
    const [after] = node.services.cluster.questions();
    expect(after!.expiresAt - before!.expiresAt).toBeGreaterThan(50_000);
    expect(after!.askedAt).toBe(before!.askedAt);
  });

  test('a question that is not repeated ends', async () => {
    const { peer, question, ask, read, ids } = await openAsking();
    peer.beat();
    ask({ questions: [question('lost')] });
    await read();
    expect(ids()).toEqual(['lost']);
    await expect.poll(ids).toEqual([]);
  });

  test('arguments that are longer than a message arrive whole, and the first answer counts', async () => {
    const args = { question: 'ä\u{1F600}"'.repeat(400_000) };
    const { one, other, callId, events, run, questions } = await openAsked({ tool: 'self.camera.take_photo', args });
    const [question] = questions(other);
    expect(question).toMatchObject({ callId, host: 'one' });
    expect(question!.argsJson).toBe(JSON.stringify(args));
    const tooLong = JSON.stringify({ question: 'x'.repeat(1_100_000) });
    await expect(other.services.cluster.decide({ callId, allowed: true, argsJson: tooLong })).rejects.toThrow(
      'longer than the 1,048,576 bytes that the broker accepts',
    );
    const shorter = JSON.stringify({ question: 'What is it?' });
    await other.services.cluster.decide({ callId, allowed: true, argsJson: shorter });
    await run;
    expect(events).toContainEqual(expect.objectContaining({ allowed: true }));
    await until(other, () => questions(other).length === 0);
    await expect.poll(() => other.services.calls.history({ limit: 10 })).toMatchObject([{ argsJson: shorter }]);
    expect(await ran(one)).toBe(1);
  });

  test('arguments in other pieces than were announced are not listed, and are fetched again', async () => {
    const { peer, node, question, ask, read, ids } = await openAsking();
    const piece = (at: number, text: string, isLast: boolean) => ({
      kind: 'piece',
      at,
      text: Buffer.from(text).toString('base64'),
      isLast,
    });
    let pieces: object[] = [];
    let fetched = 0;
    peer.connection.subscribe(`tw.lab.n.${peer.node}.args`, {
      callback: (_, message) => {
        fetched += 1;
        for (const one of pieces) message.respond(JSON.stringify(one));
      },
    });
    await peer.connection.flush();
    const questions = [question('short'), question('long', { argsJson: '', argsBytes: 8 })];
    for (const bad of [
      [{}],
      [piece(1, '{"a": 1}', true)],
      [piece(0, '{"a": ', false), piece(0, '1}', true)],
      [piece(0, '{"a": 12}', true)],
      [piece(0, '{"a":1}', true)],
      [piece(0, '{"a": 1}', false), piece(1, ' ', true)],
    ]) {
      pieces = bad;
      const before = fetched;
      peer.beat();
      ask({ questions });
      await expect.poll(() => fetched).toBe(before + 1);
      await read();
      expect(ids()).toEqual(['short']);
    }
    pieces = [piece(0, '{"a": ', false), piece(1, '1}', true)];
    await expect
      .poll(() => {
        ask({ questions });
        return node.services.cluster.questions().map(({ argsJson }) => argsJson);
      })
      .toEqual(['{}', '{"a": 1}']);
    const before = fetched;
    ask({ questions: [question('long', { argsJson: '', argsBytes: 4_194_305 })] });
    ask({ at: 8, questions: [] });
    await read();
    expect(ids()).toEqual(['short', 'long']);
    ask({ questions: [] });
    await read();
    expect([ids(), fetched]).toEqual([[], before]);
  });

  test('questions are repeated, and long arguments are fetched by the node of the device only', async () => {
    const nats = await openNatsServer();
    const peer = await openPeer(nats);
    const caller = await openWorkbench({ cluster: memberOf(nats, 'caller') });
    const tools = { registryId: 'lamp', connection: 1, hash: 'h' };
    const row = { id: 'lamp', deviceId: 'lamp', name: 'Lamp', state: 'ready', health: 'ready', virtual: false, tools };
    const inputSchema = { type: 'object' };
    const methods = [{ name: 'erase', description: '', agentCallable: true, danger: 'Erases.', inputSchema }];
    for (const [subject, answer] of [
      ['snap', { seq: 1, at: 0, rows: [{ ...row, connectedAt: 1, toolCount: 1 }], isLast: true }],
      ['tools', { methods, isLast: true }],
    ] as const)
      peer.connection.subscribe(`tw.lab.n.${peer.node}.${subject}`, {
        callback: (_, message) => void message.respond(JSON.stringify(answer)),
      });
    await peer.connection.flush();
    await peer.meet('caller');
    const beats = setInterval(() => peer.beat({ seq: 1 }), 1_000);
    onTestFinished(() => clearInterval(beats));
    await expect.poll(() => caller.toolRegistryManager.getTool('lamp')).toBeDefined();
    const argsJson = JSON.stringify({ text: 'x'.repeat(100_000) });
    const ids = ['one', 'two'];
    const runs = ids.map(async (callId) => {
      const input = { callId, toolName: 'lamp', command: 'erase', argsJson, origin: 'executor' as const };
      for await (const event of caller.services.calls.executeInPieces(input)) void event;
    });
    const asked = () =>
      peer.received
        .filter(({ subject }) => subject === `n.${peer.node}.asks`)
        .flatMap(({ data }) => (data['questions'] as { callId: string }[]).map(({ callId }) => callId));
    await expect.poll(() => ids.every((id) => asked().filter((one) => one === id).length > 1)).toBe(true);
    const to = String(peer.received.find(({ data }) => data['name'] === 'caller')!.data['node']);
    const fetch = (facts: object) => peer.send(`n.${to}.args`, { v: 1, node: peer.node, callId: 'one', ...facts });
    const fetched = fetch({});
    const others = [fetch({ callId: 'three' }), fetch({ node: 'b'.repeat(16) }), fetch({ v: 9 })];
    await expect.poll(() => fetched.answers.at(-1)?.['isLast']).toBe(true);
    expect(fetched.answers.map(({ text }) => Buffer.from(String(text), 'base64').toString()).join('')).toBe(argsJson);
    expect(others.map(({ answers }) => answers)).toEqual([[{}], [], []]);
    for (const callId of ids) caller.services.runs.decide({ callId, allowed: false });
    await Promise.all(runs);
  });

  test('the question ends with the node that asks', async () => {
    const { one, other, questions } = await openAsked();
    await one.close();
    await until(other, () => questions(other).length === 0);
  });
});
