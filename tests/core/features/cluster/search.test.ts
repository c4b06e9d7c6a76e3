/** The history of all nodes, searched from one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';

import type { CallPage } from '../../../../src-core/contract/types.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { builtCli } from '../../../helpers/builtCli.ts';
import { noNatsServer, natsServer, openNatsServer, type NatsServer } from '../../../helpers/natsServer.ts';
import { addDevice, call, dataFolder, openWorkbench, until } from '../../workbench/openWorkbench.ts';
import { memberOf, openPeer, type Peer } from './peer.ts';

const openNode = ({ url }: NatsServer, name: string): Promise<Workbench> =>
  openWorkbench({ cluster: memberOf({ url }, name) });
const names = ({ services }: Workbench) =>
  services.cluster
    .info()
    .nodes.map(({ name }) => name)
    .sort();
const sees = (node: Workbench, ...others: string[]) => expect.poll(() => names(node)).toEqual(others.sort());
const answered = ({ nodes }: CallPage) => nodes.map(({ name, answered: has }) => [name, has]).sort();

/** A node in a process of its own. */
async function startNode(nats: NatsServer, name: string): Promise<(signal: NodeJS.Signals) => void> {
  const flags = ['--port', '0', '--device-port', '0', '--no-open', '--json', '--data-dir', dataFolder()];
  const cluster = ['--cluster', nats.url, '--cluster-name', 'lab', '--node-name', name];
  const child = spawn(process.execPath, [builtCli, 'serve', ...flags, ...cluster], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  await once(createInterface({ input: child.stdout }), 'line');
  return (signal) => void child.kill(signal);
}

/** Makes calls of a device of this node. */
async function makeCalls(node: Workbench, count: number): Promise<string> {
  const device = await addDevice(node);
  for (let made = 0; made < count; made += 1) await call(node, device, 'self.get_device_status');
  return device.registryId!;
}

const found = (callId: string, seq: number, more: object = {}) => ({
  seq,
  callId,
  qualifiedName: 'lamp_set',
  source: { kind: 'device', id: 'lamp', label: 'Lamp' },
  origin: 'executor',
  startedAt: 1_000 + seq,
  durationMs: 1,
  status: 'success',
  args: '{}',
  result: 'ok',
  ...more,
});

describe.skipIf(natsServer === undefined)(`a search in a cluster (${natsServer ?? noNatsServer})`, () => {
  test('finds the calls of all nodes page by page, each once, and says where they ran', async () => {
    const nats = await openNatsServer();
    const [one, other] = [await openNode(nats, 'one'), await openNode(nats, 'other')];
    await sees(one, 'one', 'other');
    await makeCalls(one, 3);
    await makeCalls(other, 4);
    const pages: CallPage[] = [];
    for (let before: CallPage['next'] | undefined; pages.length === 0 || before !== undefined;) {
      const page = await one.services.calls.search({ limit: 2, ...(before && { before }) });
      pages.push(page);
      before = page.next;
    }
    expect(answered(pages[0]!)).toEqual([
      ['one', true],
      ['other', true],
    ]);
    const rows = pages.flatMap((page) => page.rows);
    expect(rows.map(({ node }) => node?.name ?? 'here').sort()).toEqual([
      ...Array.from({ length: 3 }, () => 'here'),
      ...Array.from({ length: 4 }, () => 'other'),
    ]);
    expect(new Set(rows.map(({ callId }) => callId)).size).toBe(7);
    expect(rows.map(({ startedAt }) => startedAt)).toEqual(
      rows
        .map(({ startedAt }) => startedAt)
        .sort()
        .reverse(),
    );
  });

  test('lists a call between two nodes once, for the node that ran it', async () => {
    const nats = await openNatsServer();
    const [one, other] = [await openNode(nats, 'one'), await openNode(nats, 'other')];
    const { deviceId } = await addDevice(other, { name: 'Lamp' });
    const lamp = () => one.services.devices.list().find((each) => each.deviceId === deviceId);
    await until(one, () => lamp()?.registryId !== undefined);
    await call(one, lamp()!, 'self.get_device_status');
    await expect.poll(async () => (await other.services.calls.history({ limit: 9 })).length).toBe(1);
    const { rows } = await one.services.calls.search({ limit: 9 });
    expect(rows).toMatchObject([{ origin: 'executor', node: { name: 'other', isHere: true } }]);
    const there = await other.services.calls.search({ limit: 9 });
    expect(there.rows).toMatchObject([{ origin: 'executor', node: { name: 'other', isHere: false } }]);
    // Also if its two records are not on the same page.
    const listed: string[] = [];
    for (let before: Record<string, number> | undefined = {}, isFirst = true; before !== undefined; isFirst = false) {
      const page = await one.services.calls.search({ limit: 1, ...(!isFirst && { before }) });
      for (const { callId } of page.rows) listed.push(callId);
      before = page.next;
    }
    expect(listed).toEqual(rows.map(({ callId }) => callId));
  });

  test('says which of three nodes is stopped or dead, and has the calls of the others', async () => {
    const nats = await openNatsServer();
    const [one, other] = [await openNode(nats, 'one'), await openNode(nats, 'other')];
    const signal = await startNode(nats, 'third');
    await sees(one, 'one', 'other', 'third');
    await makeCalls(other, 1);
    for (const name of ['SIGSTOP', 'SIGKILL'] as const) {
      signal(name);
      const page = await one.services.calls.search({ limit: 9 });
      expect(answered(page)).toEqual([
        ['one', true],
        ['other', true],
        ['third', false],
      ]);
      expect(page.rows).toMatchObject([{ node: { name: 'other', isHere: false } }]);
    }
  });

  test('ignores an answer that is invalid, too long or repeated', async () => {
    const nats = await openNatsServer();
    const one = await openNode(nats, 'one');
    const peer = await openPeer(nats);
    await peer.meet('one');
    peer.beat();
    await sees(one, 'one', 'peer');
    let next: unknown;
    peer.connection.subscribe(`tw.lab.n.${peer.node}.search`, {
      callback: (_, message) => void message.respond(typeof next === 'string' ? next : JSON.stringify(next)),
    });
    await peer.connection.flush();
    const search = async (answer: unknown, before?: Record<string, number>) => {
      next = answer;
      peer.beat();
      return one.services.calls.search({ limit: 3, ...(before && { before }) });
    };
    for (const bad of ['no JSON', { rows: 'none' }, { rows: Array.from({ length: 501 }, (_, at) => found('a', at)) }]) {
      const page = await search(bad);
      expect([page.rows, answered(page)]).toEqual([
        [],
        [
          ['one', true],
          ['peer', false],
        ],
      ]);
    }
    const rows = [
      found('good', 5, { more: 'of a newer node' }),
      found('x'.repeat(200), 4),
      found('long', 4, { args: 'x'.repeat(5_000) }),
      found('kind', 3, { origin: 'unknown' }),
      7,
    ];
    const page = await search({ rows: rows.slice(0, 3), next: 2 });
    expect(page.rows).toEqual([found('good', 5, { node: { name: 'peer', isHere: false } })]);
    expect(page.next).toEqual({ [peer.node]: 2 });
    expect((await search({ rows: rows.slice(3) })).rows).toEqual([]);
    // The first one ended last.
    const ended = await search({ rows: [found('long', 5, { startedAt: 1 }), found('short', 4)] });
    expect(ended.rows.map(({ callId }) => callId)).toEqual(['short', 'long']);
    // Pages that do not go on would have no end.
    const again = await search({ rows: [found('good', 5)], next: 2 }, page.next);
    expect([again.rows, again.next]).toEqual([[], undefined]);
  });

  test('lists each call once and leaves none out, with clocks that differ and a node that is silent for one page', async () => {
    const nats = await openNatsServer();
    const one = await openNode(nats, 'one');
    const peers = [await openPeer(nats), await openPeer(nats, 'bbbbbbbbbbbbbbbb')];
    const [caller, owner] = peers as [Peer, Peer];
    await caller.meet('one');
    const rowsOf = new Map([
      // It was killed before it had the outcome.
      [
        caller.node,
        [
          found('c', 3, { startedAt: 3_000, status: 'error', errorCode: 'interrupted' }),
          found('b', 2, { startedAt: 2_000 }),
        ],
      ],
      // Its clock is behind. The record with the greater number can be the older one.
      [
        owner.node,
        [
          found('c', 9, { startedAt: 2_999, origin: 'node', durationMs: 6 }),
          found('b', 8, { startedAt: 1_500, origin: 'node' }),
          found('d', 7, { startedAt: 1_800 }),
          found('a', 6, { startedAt: 1_000 }),
        ],
      ],
    ]);
    let isSilent = false;
    for (const { node, connection } of peers)
      connection.subscribe(`tw.lab.n.${node}.search`, {
        callback: (_, message) => {
          const { before, limit } = message.json<{ before: number; limit: number }>();
          const left = rowsOf.get(node)!.filter(({ seq }) => seq < before);
          const rows = left.slice(0, limit);
          const next = left.length > limit && { next: rows.at(-1)!.seq };
          if (!isSilent) message.respond(JSON.stringify({ rows, ...next }));
        },
      });
    for (const peer of peers) await peer.connection.flush();
    caller.beat();
    owner.beat();
    await sees(one, 'one', 'peer', 'peer');
    const listed: string[] = [];
    for (let before: CallPage['next'], isFirst = true; isFirst || before !== undefined; isFirst = false) {
      const page = await one.services.calls.search({ limit: 1, ...(before && { before }) });
      for (const { callId } of page.rows) listed.push(callId);
      const [shown] = page.rows;
      if (shown?.callId === 'c') {
        expect(shown).toMatchObject({ origin: 'executor', status: 'success', durationMs: 6 });
        expect(shown.errorCode).toBeUndefined();
      }
      isSilent = !isSilent && listed.at(-1) === 'b';
      before = page.next;
    }
    expect(listed).toEqual(['c', 'b', 'd', 'a']);
  });

  test('ends with the node that searches, and with the request', async () => {
    const nats = await openNatsServer();
    const one = await openNode(nats, 'one');
    const peer = await openPeer(nats);
    await peer.meet('one');
    peer.beat();
    await sees(one, 'one', 'peer');
    peer.connection.subscribe(`tw.lab.n.${peer.node}.search`, { callback: () => undefined });
    await peer.connection.flush();
    const stop = new AbortController();
    const cancelled = one.services.calls.search({ limit: 3 }, stop.signal);
    const ended = expect(cancelled).rejects.toThrow();
    stop.abort();
    await ended;
    const asked = one.services.calls.search({ limit: 3 });
    await one.close();
    expect(answered(await asked)).toContainEqual(['peer', false]);
  });

  test('refuses a question of another node that is no search', async () => {
    const nats = await openNatsServer();
    const one = await openNode(nats, 'one');
    const peer = await openPeer(nats);
    await peer.meet('one');
    await makeCalls(one, 1);
    const { id } = one.services.cluster.info().nodes[0]!;
    const good = { v: 1, query: {}, before: 9_999, limit: 5 };
    const bad = [{ ...good, limit: 501 }, { ...good, query: { text: 'x'.repeat(1_001) } }, { ...good, v: 9 }, []];
    const sent = bad.map((one_) => peer.send(`n.${id}.search`, one_));
    const last = peer.send(`n.${id}.search`, good);
    await expect.poll(() => last.answers.length).toBe(1);
    expect(last.answers[0]).toMatchObject({ rows: [{ qualifiedName: expect.stringContaining('get_device_status') }] });
    expect(sent.flatMap(({ answers }) => answers)).toEqual([]);
  });
});
