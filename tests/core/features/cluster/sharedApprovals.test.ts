/** When approvals are read again, with a store whose messages do not arrive. */
import { expect, onTestFinished, test } from 'vitest';

import { HybridClock } from '../../../../src-core/features/cluster/hybridClock.ts';
import { SharedApprovals } from '../../../../src-core/features/cluster/sharedApprovals.ts';
import { handClock } from '../calls/runs/handClock.ts';

const id = '02:00:00:aa:bb:cc';

function openApprovals() {
  const clock = handClock();
  const values = new Map<string, object>();
  const approved = new Map<string, string>();
  let reads = 0;
  const shared = new SharedApprovals({
    clock,
    store: {
      follow: () => () => undefined,
      open: () => Promise.resolve(),
      lastAt: () => Promise.resolve(clock.wall()),
      keys: () => {
        reads += 1;
        return Promise.resolve([...values.keys()]);
      },
      get: (key: string) => Promise.resolve({ value: values.get(key), seq: 1, at: clock.wall() }),
    },
    settings: { get: () => undefined, set: () => undefined },
    own: {
      hybrid: new HybridClock(() => clock.wall()),
      entries: () => [],
      restamp: () => undefined,
      follow: () => () => undefined,
      applying: (work: () => void) => work(),
    },
    hub: { device: () => undefined },
    approvals: Object.assign(approved, { together: (work: () => void) => work() }),
    onChange: () => undefined,
    onError: (error: unknown) => {
      throw error;
    },
  } as unknown as ConstructorParameters<typeof SharedApprovals>[0]);
  onTestFinished(() => shared.close());
  return {
    clock,
    shared,
    approved,
    reads: () => reads,
    put: (value: object) => values.set(Buffer.from(id).toString('base64url'), value),
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
  expect(reads()).toBe(2);
});

test('a node that returns while the decisions are read makes them be read once more', async () => {
  const { shared, reads } = openApprovals();
  shared.refresh();
  shared.refresh();
  await expect.poll(reads).toBe(2);
});
