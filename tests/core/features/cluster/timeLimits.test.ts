/** How long the nodes of a cluster wait, at a clock that a test moves. The real processes are in matrix.test.ts and failures.test.ts. */
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';

import { RemoteCalls } from '../../../../src-core/features/cluster/remoteCalls.ts';
import { Claims } from '../../../../src-core/features/cluster/claims.ts';
import { HybridClock } from '../../../../src-core/features/cluster/hybridClock.ts';
import { Members } from '../../../../src-core/features/cluster/members.ts';
import { wireVersion, type Answer } from '../../../../src-core/features/cluster/messages.ts';
import { NodeSearch } from '../../../../src-core/features/cluster/searchNodes.ts';
import { ServedCalls } from '../../../../src-core/features/cluster/servedCalls.ts';
import { createToolRegistryManager } from '../../../../src-core/registry/toolRegistryManager.ts';
import type { ToolRegistry } from '../../../../src-core/registry/types.ts';
import { createManualClock } from '../devices/support/manualClock.ts';

const [own, other, third] = ['a'.repeat(16), 'b'.repeat(16), 'c'.repeat(16)];
const beat = (node = other, at = 0) => ({
  v: wireVersion,
  node,
  name: `lab-${node[0]}`,
  version: '0.0.0',
  at,
  seq: 0,
  devices: 0,
  calls: 0,
  draining: false,
});

/** The other nodes; `onLost` is called once one counts as lost. */
function openMembers(onLost: (node: string) => void) {
  const clock = createManualClock();
  const members = new Members(clock, (node, state) => {
    if (state === 'lost') onLost(node);
  });
  onTestFinished(() => members.close());
  return { clock, members };
}

/** A node that has a device with one tool, whose calls wait in a queue for as long as `turn` does not resolve. */
function openOwner(clock: ReturnType<typeof createManualClock>, members: Members) {
  const receivers = new Map<string, (message: object) => void>();
  const answers: Answer[] = [];
  const ran: string[] = [];
  const turn = Promise.withResolvers<undefined>();
  const toolRegistryManager = createToolRegistryManager();
  const registry: ToolRegistry = {
    id: 'lamp',
    name: 'Lamp',
    source: { kind: 'device', id: 'lamp', label: 'Lamp' },
    queued: true,
    getMetadata: () => ({
      methods: [{ name: 'run', description: '', agentCallable: true, inputSchema: { type: 'object' } }],
    }),
    async invoke(method, _, { signal, onStart }) {
      await turn.promise;
      signal.throwIfAborted();
      onStart?.();
      ran.push(method);
      return { value: 'done' };
    },
  };
  toolRegistryManager.register(registry);
  const served = new ServedCalls({
    bus: {
      isConnected: true,
      maxBytes: 1_000_000,
      subscribe(subject: string, onMessage: (message: object) => void) {
        receivers.set(subject.split('.').at(-1)!, onMessage);
        return () => undefined;
      },
      publish(_: string, data: object) {
        answers.push((data instanceof Uint8Array ? JSON.parse(Buffer.from(data).toString()) : data) as Answer);
        return 'sent';
      },
    },
    node: own,
    clock,
    members,
    rows: { connection: () => ({ registry, number: 1 }), hash: () => 'h' },
    calls: { policy: () => ({ dangerousTools: [], config: {} }), follow: () => ({}), isKnown: () => false },
    toolRegistryManager,
    isDraining: () => false,
  } as unknown as ConstructorParameters<typeof ServedCalls>[0]);
  onTestFinished(() => served.close());
  const call = (n: number) => ({
    v: wireVersion,
    callId: `c${n}`,
    node: other,
    n,
    at: clock.now(),
    device: 'lamp',
    connection: 1,
    hash: 'h',
    method: 'run',
    args: '{}',
    timeoutMs: 30_000,
  });
  return {
    served,
    answers,
    ran,
    takeTurn: async () => {
      turn.resolve(undefined);
      await setImmediate();
    },
    receive: async (topic: string, data: object) => {
      receivers.get(topic)!({ data, reply: 'r' });
      await setImmediate();
    },
    call,
  };
}

test('a call to a node that ends without a word fails at most 5.5 s after its last beat', async () => {
  const { clock, members } = openMembers((node) => calls.failNode(node));
  const calls = new RemoteCalls({
    bus: { outages: 0, publish: () => 'sent' },
    inbox: {
      ask(subject: string, _: object, onAnswer: (message: object) => void) {
        // It accepts the call, says that it goes on, and ends later.
        const isAlive = clock.now() < 2_000;
        if (isAlive) queueMicrotask(() => onAnswer({ data: { kind: 'accepted' }, topic: subject }));
        return () => undefined;
      },
    },
    node: own,
    clock,
    nameOf: () => 'lab-2',
    isDraining: () => false,
    locate: () => undefined,
  } as unknown as ConstructorParameters<typeof RemoteCalls>[0]);
  // Right after a look at the beats: the worst case.
  clock.advance(1);
  members.add(beat());
  const device = { node: other, row: { id: 'lamp', name: 'Lamp', tools: { hash: 'h', connection: 1 } } };
  const options = { callId: 'c', timeoutMs: 60_000, signal: new AbortController().signal };
  let failed: unknown;
  const given = [device, 'run', {}, options] as unknown as Parameters<RemoteCalls['invoke']>;
  calls.invoke(...given).catch((error: unknown) => (failed = error));
  for (const ms of [1_999, 2_000, 1_000]) {
    await setImmediate();
    clock.advance(ms);
  }
  await setImmediate();
  expect(failed).toBeUndefined();
  clock.advance(500);
  await setImmediate();
  expect(failed).toMatchObject({
    message: 'The connection to the node "lab-2", which has the device, was lost. The call may have run.',
  });
});

test('the waiting calls of a node that ends without a word are removed at most 5.5 s after its last beat', async () => {
  const { clock, members } = openMembers((node) => owner.served.callerLost(node));
  const owner = openOwner(clock, members);
  clock.advance(1);
  members.add(beat(other, 1));
  await owner.receive('call', owner.call(1));
  clock.advance(5_500);
  await setImmediate();
  expect(owner.served.count).toBe(0);
  await owner.takeTurn();
  expect(owner.ran).toEqual([]);
});

test('a cancelled call that waits is removed at once', async () => {
  const { clock, members } = openMembers(() => undefined);
  const owner = openOwner(clock, members);
  members.add(beat());
  await owner.receive('call', owner.call(1));
  expect(owner.served.count).toBe(1);
  await owner.receive('cancel', { v: wireVersion, node: other, n: 1 });
  expect(owner.served.count).toBe(0);
  expect(owner.answers).toMatchObject([
    { kind: 'outcome', outcome: { error: { code: 'cancelled', details: { ran: false } } } },
  ]);
  await owner.takeTurn();
  expect(owner.ran).toEqual([]);
});

test('the devices of a node that is cut off are unreachable at most 5.5 s after its last beat, and back with the next', () => {
  const lost: string[] = [];
  const { clock, members } = openMembers((node) => lost.push(node));
  clock.advance(1);
  members.add(beat());
  clock.advance(4_999);
  expect(lost).toEqual([]);
  clock.advance(500);
  expect(lost).toEqual([other]);
  members.add(beat());
  expect(members.get(other)?.state).toBe('live');
});

test('the older connection of a device that connects to another node ends as soon as its row arrives', () => {
  const clock = createManualClock();
  const replace = vi.fn<(reason: string) => void>();
  const connection = { progress: {}, replace };
  const claims = new Claims({
    node: own,
    clock,
    hybrid: new HybridClock(clock.wall),
    speaking: () => connection,
    remote: { holders: () => [] },
    nameOf: () => 'lab-2',
  } as unknown as ConstructorParameters<typeof Claims>[0]);
  claims.touched('lamp');
  claims.claimed(other, { id: 'lamp', claim: { ms: clock.wall() + 1, count: 0 } } as Parameters<Claims['claimed']>[1]);
  expect(replace).toHaveBeenCalledExactlyOnceWith('the device connected to the node "lab-2"');
  expect(claims.isGivenUp('lamp')).toBe(true);
});

test('a search of three nodes, one of which does not answer, ends after 2 s and names it', async () => {
  const { clock, members } = openMembers(() => undefined);
  for (const node of [other, third]) members.add(beat(node));
  const search = new NodeSearch({
    bus: { subscribe: () => () => undefined },
    inbox: {
      ask(subject: string, _: object, onAnswer: (message: object) => void) {
        if (subject.includes(other)) queueMicrotask(() => onAnswer({ data: { rows: [] }, topic: '1' }));
        return () => undefined;
      },
    },
    node: own,
    name: 'lab-a',
    clock,
    members,
    history: { search: () => Promise.resolve({ found: [] }) },
  } as unknown as ConstructorParameters<typeof NodeSearch>[0]);
  onTestFinished(() => search.close());
  let page: unknown;
  void search.search({ limit: 10 }).then((found) => (page = found));
  await setImmediate();
  clock.advance(1_999);
  await setImmediate();
  expect(page).toBeUndefined();
  clock.advance(1);
  await setImmediate();
  expect(page).toMatchObject({
    nodes: [
      { name: 'lab-a', answered: true },
      { name: 'lab-b', answered: true },
      { name: 'lab-c', answered: false },
    ],
  });
});
