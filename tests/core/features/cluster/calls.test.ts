/** Calls between nodes, message by message: at most once, and with a truthful outcome. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { noNatsServer, natsServer, openNatsServer } from '../../../helpers/natsServer.ts';
import { addDevice, openWorkbench, until } from '../../workbench/openWorkbench.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { Bus } from '../../../../src-core/features/cluster/bus.ts';
import { pagesAhead } from '../../../../src-core/features/cluster/messages.ts';
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

/** As `openOwner`, with a device whose call ends when the test says so. */
async function openHeldOwner() {
  const opened = await openOwner();
  const { owner, row } = opened;
  const ended = Promise.withResolvers<{ value: string }>();
  vi.spyOn(owner.toolRegistryManager.getTool(row.tools!.registryId)!, 'invoke').mockReturnValue(ended.promise);
  return { ...opened, end: () => ended.resolve({ value: 'done' }) };
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

  test('names the tool in errors as the caller did', async () => {
    const { peer, node, to } = await openOwner({ latencyMs: 5_000 });
    const call = peer.call({ ...to, method: 'self.get_device_status', timeoutMs: 50, shownName: 'lamp_lab_status' });
    const { answers } = peer.send(`n.${node}.call`, call);
    await expect.poll(() => kinds(answers)).toContain('outcome');
    const message = expect.stringContaining('"lamp_lab_status" did not answer within 50 ms.') as string;
    expect(answers.at(-1)).toMatchObject({ outcome: { error: { code: 'timeout', message } } });
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
    const { peer, node, to, end } = await openHeldOwner();
    const message = peer.call({ ...to, method: 'self.get_device_status' });
    const sent = peer.send(`n.${node}.call`, message);
    await expect.poll(() => kinds(sent.answers)).toEqual(['accepted']);
    const about = { v: 1, node: peer.node, n: message['n'] };
    const asked = Array.from({ length: 5 }, () => peer.send(`n.${node}.status`, about));
    await expect.poll(() => asked.map(({ answers }) => kinds(answers))).toEqual(Array(5).fill(['accepted']));
    end();
    await expect.poll(() => kinds(asked.at(-1)!.answers)).toEqual(['accepted', 'outcome']);
    await expect.poll(() => kinds(sent.answers)).toEqual(['accepted', 'outcome']);
    expect(asked.slice(0, -1).map(({ answers }) => kinds(answers))).toEqual(Array(4).fill(['accepted']));
  });

  test('sends what comes of a call to 100 of its messages, and still to the last question about it', async () => {
    const { peer, node, to, end } = await openHeldOwner();
    const message = peer.call({ ...to, method: 'self.get_device_status' });
    const sent = Array.from({ length: 101 }, () => peer.send(`n.${node}.call`, message));
    await expect.poll(() => sent.at(-1)!.answers).toEqual([{ kind: 'accepted' }]);
    const asked = peer.send(`n.${node}.status`, { v: 1, node: peer.node, n: message['n'] });
    await expect.poll(() => kinds(asked.answers)).toEqual(['accepted']);
    end();
    await expect.poll(() => kinds(asked.answers)).toEqual(['accepted', 'outcome']);
    expect(sent.filter(({ answers }) => kinds(answers).includes('outcome'))).toHaveLength(100);
  });

  test('sends the pieces of an outcome only to the last question about it, from the byte that it names', async () => {
    const { peer, owner, node, to, row } = await openOwner();
    const value = 'x'.repeat(2_000_000);
    vi.spyOn(owner.toolRegistryManager.getTool(row.tools!.registryId)!, 'invoke').mockResolvedValue({ value });
    const message = peer.call({ ...to, method: 'self.get_device_status' });
    const more = (subject: string) =>
      peer.connection.publish(`tw.lab.n.${node}.more`, JSON.stringify({ v: 1, to: subject }));
    const places = () => peer.received.filter(({ data }) => data['kind'] === 'piece').map(({ subject }) => subject);
    peer.send(`n.${node}.call`, message);
    await expect.poll(() => places().length).toBe(pagesAhead);
    const [first = ''] = places();
    const { answers } = peer.send(`n.${node}.status`, { v: 1, node: peer.node, n: message['n'], from: 100_000 });
    await expect.poll(() => answers.length).toBe(pagesAhead);
    expect(answers[0]).toMatchObject({ kind: 'piece', at: 100_000 });
    more(first);
    more(places().at(-1)!);
    await expect.poll(() => answers.length).toBe(2 * pagesAhead);
    expect(places().filter((subject) => subject === first)).toHaveLength(pagesAhead);
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
          timeoutMs: 60_000,
        }),
      ).answers;
    const late = send(60_100);
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

  test('refuses a call that it cannot read as such, not as one of another version', async () => {
    const { peer, node, to } = await openOwner();
    const answersTo = (facts: object) =>
      peer.send(`n.${node}.call`, peer.call({ ...to, method: 'self.get_device_status', ...facts })).answers;
    const long = answersTo({ callId: 'x'.repeat(129) });
    await expect.poll(() => long).toEqual([{ kind: 'refused', why: 'invalid' }]);
    const newer = answersTo({ v: 3, method: undefined });
    await expect.poll(() => newer).toEqual([{ kind: 'refused', why: 'version' }]);
  });

  test('refuses a call with the id of one that runs or has run here, whose record stays', async () => {
    const { peer, owner, node, to, info } = await openOwner({ latencyMs: 60_000 });
    const { execute, cancel, running } = owner.services.calls;
    const own = { callId: 'mine', toolName: info.registryId!, argsJson: '{}', origin: 'executor' as const };
    const result = execute({ ...own, command: 'self.get_device_status' });
    await expect.poll(() => running().length).toBe(1);
    const send = () =>
      peer.send(`n.${node}.call`, peer.call({ ...to, callId: 'mine', method: 'self.get_device_status' })).answers;
    const early = send();
    await expect.poll(() => early).toEqual([{ kind: 'refused', why: 'known' }]);
    cancel({ callId: 'mine' });
    expect(await result).toMatchObject({ error: { code: 'cancelled' } });
    const late = send();
    await expect.poll(() => late).toEqual([{ kind: 'refused', why: 'known' }]);
    expect(await history(owner)).toMatchObject([{ callId: 'mine', origin: 'executor' }]);
  });

  test('takes a call again that did not run here, as after a restart', async () => {
    const { peer, owner, node, to } = await openOwner({ latencyMs: 60_000 });
    const send = (callId: string) => {
      const message = peer.call({ ...to, callId, method: 'self.get_device_status' });
      return { ...peer.send(`n.${node}.call`, message), n: message['n'] };
    };
    const running = send('first');
    await expect.poll(() => kinds(running.answers)).toEqual(['accepted']);
    const waiting = send('second');
    await expect.poll(() => kinds(waiting.answers)).toEqual(['accepted']);
    peer.connection.publish(`tw.lab.n.${node}.cancel`, JSON.stringify({ v: 1, node: peer.node, n: waiting.n }));
    await expect.poll(() => history(owner)).toMatchObject([{ callId: 'second' }]);
    const again = send('second');
    await expect.poll(() => kinds(again.answers)).toEqual(['accepted']);
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
