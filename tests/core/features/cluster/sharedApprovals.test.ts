/** When approvals are read again, with a store whose messages do not arrive. */
import { expect, onTestFinished, test } from 'vitest';

import { HybridClock } from '../../../../src-core/features/cluster/hybridClock.ts';
import { NoJetStreamError } from '../../../../src-core/features/cluster/sharedStore.ts';
import { SharedApprovals } from '../../../../src-core/features/cluster/sharedApprovals.ts';
import { handClock } from '../calls/runs/handClock.ts';

const id = '02:00:00:aa:bb:cc';

function openApprovals({
  stored,
  approved = new Map<string, string>(),
  isOpen = false,
}: { stored?: unknown; approved?: Map<string, string>; isOpen?: boolean } = {}) {
  const clock = handClock();
  const values: { key: string; value: object | undefined; seq: number }[] = [];
  let created = '1';
  const reads: number[] = [];
  const errors: string[] = [];
  /** Why the store does not open, and how far the clock of the broker is ahead, ms. */
  const broker: { problem?: Error | undefined; aheadMs: number } = { aheadMs: 0 };
  /** What is put is stored once each of these has resolved. */
  const holding: Promise<undefined>[] = [];
  const lastOf = (key: string) => values.findLast((each) => each.key === key);
  const add = (key: string, value: object | undefined) =>
    values.push({ key, value, seq: (values.at(-1)?.seq ?? 0) + 1 });
  const keyOf = (device: string) => Buffer.from(device).toString('base64url');
  let decide: (id: string, made: { clientId?: string; ms: number; count: number }) => void = () => undefined;
  const shared = new SharedApprovals({
    clock,
    isOpen: () => isOpen,
    store: {
      follow: () => () => undefined,
      open: () => (broker.problem === undefined ? Promise.resolve() : Promise.reject(broker.problem)),
      state: () => {
        reads.push(0);
        return Promise.resolve({ created, seq: values.at(-1)?.seq ?? 0, at: clock.wall() + broker.aheadMs });
      },
      next: (after: number) => {
        reads.push(reads.pop()! + 1);
        return Promise.resolve(values.find(({ seq }) => seq > after));
      },
      get: (key: string) => Promise.resolve(lastOf(key)),
      put: async (key: string, value: object) => {
        await holding.shift();
        return add(key, value);
      },
    },
    settings: { get: () => stored, set: () => undefined },
    own: {
      hybrid: new HybridClock(() => clock.wall()),
      entries: () => [],
      restamp: () => undefined,
      follow: (listener: typeof decide) => {
        decide = listener;
        return () => undefined;
      },
      applying: (work: () => void) => work(),
    },
    hub: { device: () => undefined },
    approvals: Object.assign(approved, { together: (work: () => void) => work() }),
    onChange: () => undefined,
    onError: (error: Error) => errors.push(error.message),
  } as unknown as ConstructorParameters<typeof SharedApprovals>[0]);
  onTestFinished(() => shared.close());
  return {
    clock,
    shared,
    approved,
    errors,
    broker,
    holding,
    decide: (device: string, clientId: string) => decide(device, { clientId, ms: 1, count: 0 }),
    /** For each time that the store was looked at: how many values were read. */
    reads,
    put: (value: object | undefined, device = id) => add(keyOf(device), value),
    /** The last value of a device. */
    last: (device = id) => lastOf(keyOf(device))?.value,
    /** As a purge of the stream does. */
    empty: () => void values.splice(0),
    /** As if another bucket had been made. */
    replace: () => {
      values.length = 0;
      created = '2';
    },
  };
}

test('decisions of other nodes are read each minute, also if no message of them arrived', async () => {
  const { clock, shared, approved, reads, put } = openApprovals();
  put({ clientId: 'c-1', ms: 1, count: 0 });
  shared.refresh();
  await expect.poll(() => approved.get(id)).toBe('c-1');
  put({ ms: 2, count: 0 });
  await expect.poll(() => clock.pending()).toBe(2);
  clock.move(59_000);
  clock.move(1_000);
  await expect.poll(() => approved.has(id)).toBe(false);
  expect(reads).toEqual([1, 1]);
});

test('each problem is in the log once', async () => {
  const { clock, shared, broker, errors } = openApprovals({ approved: new Map([[id, 'c-1']]) });
  clock.move(Date.UTC(2026, 10, 29));
  const [noJetStream, clockBehind] = [/no JetStream/, /clock of this machine is more than a day behind/];
  for (const [problem, aheadMs, logged] of [
    [new NoJetStreamError(), 0, [noJetStream]],
    [undefined, 3 * 86_400_000, [noJetStream, clockBehind]],
    [new NoJetStreamError(), 0, [noJetStream, clockBehind]],
  ] as const) {
    Object.assign(broker, { problem, aheadMs });
    shared.refresh();
    await expect.poll(() => clock.pending()).toBe(1);
    await expect.poll(() => errors).toEqual(logged.map((text) => expect.stringMatching(text) as string));
    clock.move(5_000);
    await expect.poll(() => clock.pending()).toBe(1);
  }
});

test('each decision is read once, unless the bucket is another one', async () => {
  const { shared, approved, reads, put, replace } = openApprovals();
  const [one, other] = ['02:00:00:00:00:01', '02:00:00:00:00:02'];
  put({ clientId: 'c-1', ms: 1, count: 0 }, one);
  put({ clientId: 'c-2', ms: 2, count: 0 }, other);
  put({ clientId: 'c-3', ms: 3, count: 0 }, one);
  shared.refresh();
  await expect.poll(() => Object.fromEntries(approved)).toEqual({ [one]: 'c-3', [other]: 'c-2' });
  shared.refresh();
  await expect.poll(() => reads).toEqual([3, 0]);
  replace();
  put({ clientId: 'c-4', ms: 4, count: 0 }, one);
  shared.refresh();
  await expect.poll(() => approved.get(one)).toBe('c-4');
  expect(reads).toEqual([3, 0, 1]);
});

test('a decision of the future is read again until it is not', async () => {
  const { clock, shared, approved, reads, put } = openApprovals();
  const day = 86_400_000;
  clock.move(Date.UTC(2026, 10, 29));
  put({ clientId: 'c-1', ms: clock.wall() + 2 * day, count: 0 });
  put({ clientId: 'c-2', ms: 1, count: 0 }, '02:00:00:00:00:02');
  shared.refresh();
  await expect.poll(() => approved.size).toBe(1);
  clock.move(day);
  await expect.poll(() => approved.get(id)).toBe('c-1');
  expect(reads).toEqual([2, 2]);
});

test('a bucket that lacks shared decisions, or has older ones, gets them; newer ones and deleted keys count', async () => {
  const [kept, removed, newer, deleted] = [1, 2, 3, 4].map((number) => `02:00:00:00:00:0${number}`) as [
    string,
    string,
    string,
    string,
  ];
  const shown = (clientId: string | undefined, ms = 5) => ({ clientId, ms, count: 0 });
  const stored = [
    [kept, { ...shown('c-1'), isShared: true }],
    [removed, { ms: 5, count: 0, isShared: true }],
    [newer, { ...shown('c-3'), isShared: true }],
    [deleted, { ...shown('c-4'), isShared: true }],
  ];
  const approved = new Map([kept, newer, deleted].map((device) => [device, `c-${device.at(-1)}`]));
  const { shared, put, last } = openApprovals({ stored, approved });
  put(shown('c-2', 4), removed);
  put({ ms: 6, count: 0 }, newer);
  put(undefined, deleted);
  shared.refresh();
  await expect.poll(() => last(kept)).toEqual(shown('c-1'));
  await expect.poll(() => last(removed)).toEqual({ ms: 5, count: 0 });
  expect(last(newer)).toEqual({ ms: 6, count: 0 });
  expect(last(deleted)).toBeUndefined();
  expect([...approved.keys()]).toEqual([kept, deleted]);
});

test('a bucket that is emptied while the node runs gets its decisions again', async () => {
  const { clock, shared, put, last, empty } = openApprovals();
  put({ clientId: 'c-1', ms: 1, count: 0 });
  shared.refresh();
  await expect.poll(() => clock.pending()).toBe(2);
  empty();
  shared.refresh();
  await expect.poll(() => last()).toEqual({ clientId: 'c-1', ms: 1, count: 0 });
});

test('a node that returns while the decisions are read makes them be read once more', async () => {
  const { shared, reads } = openApprovals();
  shared.refresh();
  shared.refresh();
  await expect.poll(() => reads).toHaveLength(2);
});

test('a decision that is waited for is shared before the others, and does not wait for them', async () => {
  const { shared, decide, holding, last } = openApprovals();
  const first = Promise.withResolvers<undefined>();
  holding.push(first.promise, Promise.resolve(undefined), new Promise(() => {}));
  for (const device of ['a', 'b', 'c']) decide(device, 'c-1');
  await expect.poll(() => holding).toHaveLength(2);
  const known = shared.untilShared('c');
  first.resolve(undefined);
  expect(await known).toBeUndefined();
  expect([last('a'), last('b'), last('c')].map((each) => each !== undefined)).toEqual([true, false, true]);
});

test('a decision that cannot be shared has the reason', async () => {
  const { shared, broker, decide } = openApprovals();
  broker.problem = new Error('JetStream does not answer.');
  decide(id, 'c-1');
  expect(await shared.untilShared(id)).toBe('Approvals cannot be shared now.');
  broker.problem = new NoJetStreamError();
  shared.refresh();
  expect(await shared.untilShared(id)).toMatch(/the broker has no JetStream\. Add/);
});

test.each([true, false])(
  'without JetStream, a node without approvals says so only if it is open to the network: %s',
  async (isOpen) => {
    const { shared, broker, clock } = openApprovals({ isOpen });
    broker.problem = new NoJetStreamError();
    shared.refresh();
    await expect.poll(() => clock.pending()).toBe(1);
    expect(shared.problem?.includes('no JetStream') === true).toBe(isOpen);
  },
);
