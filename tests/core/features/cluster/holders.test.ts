/** Which node has a device, by the claims of its rows. */
import { expect, onTestFinished, test } from 'vitest';

import { systemClock } from '../../../../src-core/base/clock.ts';
import { HybridClock } from '../../../../src-core/features/cluster/hybridClock.ts';
import { RemoteRows } from '../../../../src-core/features/cluster/remoteRows.ts';
import { createToolRegistryManager } from '../../../../src-core/registry/toolRegistryManager.ts';

const now = Date.UTC(2026, 10, 28);
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

test('a claim of the future does not win, whatever a node sends', async () => {
  const claims = new Map([
    ['a'.repeat(16), now],
    ['b'.repeat(16), now + 400 * 86_400_000],
    ['c'.repeat(16), now - 1],
  ]);
  const remote = new RemoteRows({
    hybrid: new HybridClock(() => now),
    clock: systemClock,
    toolRegistryManager: createToolRegistryManager(),
    bus: { subscribe: () => () => undefined },
    inbox: {
      ask(subject: string, _: object, onAnswer: (answer: object) => void) {
        const claim = { ms: claims.get(subject.split('.')[1]!)!, count: 0 };
        queueMicrotask(() =>
          onAnswer({ topic: '1', data: { seq: 1, at: 0, rows: [{ ...row, claim }], isLast: true } }),
        );
        return () => undefined;
      },
    },
    moving: { keep: () => false, release: () => undefined, close: () => undefined },
    nameOf: (node: string) => node,
    onRow: () => undefined,
    onChange: () => undefined,
  } as unknown as ConstructorParameters<typeof RemoteRows>[0]);
  onTestFinished(() => remote.close());
  for (const node of claims.keys()) remote.follow(node, 1);
  await expect.poll(() => remote.list()).toHaveLength(3);
  expect(remote.holders('lamp').map(({ node }) => node[0])).toEqual(['a', 'c', 'b']);
});
