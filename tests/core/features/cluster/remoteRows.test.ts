/** The devices of other nodes, from what these send. */
import { expect, onTestFinished, test } from 'vitest';

import { systemClock } from '../../../../src-core/base/clock.ts';
import { HybridClock } from '../../../../src-core/features/cluster/hybridClock.ts';
import { RemoteRows } from '../../../../src-core/features/cluster/remoteRows.ts';
import { createToolRegistryManager } from '../../../../src-core/registry/toolRegistryManager.ts';
import type { ToolMetadata, ToolRegistry } from '../../../../src-core/registry/types.ts';

const now = Date.UTC(2026, 10, 28);
const node = 'a'.repeat(16);
const row = {
  id: 'lamp',
  deviceId: 'lamp',
  name: 'Lamp',
  state: 'ready',
  health: 'ready',
  virtual: false,
  connectedAt: 1,
  toolCount: 0,
};
const method = { name: 'add', description: '', agentCallable: true, inputSchema: { type: 'object' } };

/** `answer` returns what a node answers to a question, each with its size. */
function openRows(answer: (subject: string) => { data: object; bytes?: number }[]) {
  const askedForMore: string[] = [];
  const errors: string[] = [];
  const claimed: string[] = [];
  let receive: (message: object) => void = () => undefined;
  const remote = new RemoteRows({
    hybrid: new HybridClock(() => now),
    clock: systemClock,
    toolRegistryManager: createToolRegistryManager(),
    bus: {
      subscribe: (_: string, onMessage: typeof receive) => {
        receive = onMessage;
        return () => undefined;
      },
    },
    inbox: {
      ask(subject: string, _: object, onAnswer: (message: object) => void) {
        let isOpen = true;
        queueMicrotask(() => {
          for (const { data, bytes = 0 } of answer(subject)) if (isOpen) onAnswer({ topic: subject, data, bytes });
        });
        return () => (isOpen = false);
      },
      askForMore: (_: string, topic: string) => askedForMore.push(topic),
    },
    moving: { keep: () => false, release: () => undefined, close: () => undefined },
    createRegistry: (id: string, _: object, list: ToolMetadata): ToolRegistry => ({
      id,
      name: id,
      source: { kind: 'device', id, label: id },
      getMetadata: () => list,
      invoke: () => Promise.reject(new Error('not called')),
    }),
    nameOf: (one: string) => one,
    onRow: (_: string, { id }: { id: string }) => claimed.push(id),
    onChange: () => undefined,
    onError: (error: unknown, where: string) => errors.push(`${where}: ${String(error)}`),
  } as unknown as ConstructorParameters<typeof RemoteRows>[0]);
  onTestFinished(() => remote.close());
  return { remote, askedForMore, errors, claimed, change: (data: object, bytes = 0) => receive({ data, bytes }) };
}

const snapshot = (rows: object[]) => [{ data: { seq: 1, at: 0, rows, isLast: true } }];

test('a claim of the future does not win, whatever a node sends', async () => {
  const claims = new Map([
    [node, now],
    ['b'.repeat(16), now + 400 * 86_400_000],
    ['c'.repeat(16), now - 1],
  ]);
  const { remote } = openRows((subject) =>
    snapshot([{ ...row, claim: { ms: claims.get(subject.split('.')[1]!)!, count: 0 } }]),
  );
  for (const one of claims.keys()) remote.follow(one, 1);
  await expect.poll(() => remote.list()).toHaveLength(3);
  expect(remote.holders('lamp').map(({ node: holder }) => holder[0])).toEqual(['a', 'c', 'b']);
});

test('no more than 128 MiB of rows of one node are kept, and removed ones make room', async () => {
  const long = 'x'.repeat(1_024);
  const rows = Array.from({ length: 30_000 }, (_, at) => ({
    ...row,
    id: `${at}`,
    deviceId: long,
    clientId: long,
    name: long,
    board: long,
    firmware: long,
    claim: { ms: now, count: 0 },
  }));
  const { remote, change, errors, claimed } = openRows(() => snapshot(rows));
  remote.follow(node, 1);
  await expect.poll(() => remote.list().length).toBeGreaterThan(0);
  const kept = remote.list().length;
  expect(kept * JSON.stringify(rows[0]).length).toBeLessThanOrEqual(134_217_728);
  expect(kept).toBeGreaterThan(20_000);
  // The log says so once, and a device that is not listed takes none from this node.
  expect(errors).toEqual([`the node "${node}": Error: Some devices are not listed here: there are too many.`]);
  expect(claimed).toHaveLength(kept);
  change({ v: 1, node, seq: 2, set: [], gone: rows.slice(0, 3).map(({ id }) => id) });
  change({ v: 1, node, seq: 3, set: rows.slice(-2), gone: [] });
  expect(remote.list()).toHaveLength(kept - 1);
});

test('a list of tools comes in pages that are asked for, and one that is too large says so', async () => {
  const devices = ['good', 'large', 'endless'].map((hash) => ({
    ...row,
    id: hash,
    tools: { registryId: hash, connection: 1, hash },
  }));
  const pages = (count: number, bytes: number, methods: object[] = [method]) =>
    Array.from({ length: count }, (_, at) => ({ data: { methods, isLast: at === count - 1 }, bytes }));
  const answers = [
    pages(20, 200_000),
    pages(200, 1_000_000),
    pages(
      20,
      1,
      Array.from({ length: 1_000 }, () => method),
    ),
  ];
  const { remote, askedForMore } = openRows((subject) =>
    subject.endsWith('.snap') ? snapshot(devices) : answers.shift()!,
  );
  remote.follow(node, 1);
  await expect.poll(() => remote.list().every(({ registry }) => registry !== undefined)).toBe(true);
  const [good, ...others] = remote.list().map(({ registry }) => registry!.getMetadata());
  expect(good?.methods).toHaveLength(20);
  for (const { methods, error } of others)
    expect([methods, error]).toEqual([[], 'The tools are too large to be listed at this node.']);
  expect(askedForMore.length).toBeGreaterThanOrEqual(2);
});

test('no more than 512 MiB of rows and tools of all nodes are kept, and a node that is forgotten makes room', async () => {
  const nodes = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(16));
  const { remote, change } = openRows((subject) => {
    const id = subject.split('.')[1]!;
    if (subject.endsWith('.tools')) return [{ data: { methods: [method], isLast: true }, bytes: 120_000_000 }];
    return snapshot([{ ...row, id, tools: { registryId: id, connection: 1, hash: 'h' } }]);
  });
  const toolsOf = (one: string) =>
    remote
      .list()
      .find((device) => device.node === one)
      ?.registry?.getMetadata().methods.length;
  for (const one of nodes) {
    remote.follow(one, 1);
    await expect.poll(() => toolsOf(one)).toBeDefined();
  }
  expect(nodes.map(toolsOf)).toEqual([1, 1, 1, 1, 0]);
  remote.forget(nodes[0]!);
  const [last = ''] = nodes.slice(-1);
  change({ v: 1, node: last, seq: 2, set: [], gone: [last] });
  const tools = { registryId: last, connection: 2, hash: 'h' };
  change({ v: 1, node: last, seq: 3, set: [{ ...row, id: last, tools }], gone: [] });
  await expect.poll(() => toolsOf(last)).toBe(1);
});
