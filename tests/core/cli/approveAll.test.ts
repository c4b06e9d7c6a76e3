import { expect, it } from 'vitest';

import { approveAll } from '../../../src-core/cli/approveAll.ts';
import type { DeviceInfo } from '../../../src-core/contract/types.ts';

it('approves the others after a device that cannot be approved, and ends as failed', async () => {
  // Two of them name no Device-Id.
  const waiting = new Set(['node-a/1', 'node-b/1', 'node-b/2', 'rejected']);
  const tried: string[] = [];
  const noted: string[] = [];
  const code = await approveAll(
    {
      list: () =>
        Promise.resolve(
          [...waiting].map(
            (id) =>
              ({
                id,
                deviceId: 'Unnamed-1',
                name: `Board ${id}`,
                state: 'approval',
                ...(id === 'rejected' && { wasRejected: true }),
              }) as unknown as DeviceInfo,
          ),
        ),
      approve({ id }) {
        tried.push(id);
        if (id === 'node-a/1') return Promise.reject(new Error('Decide on it there.'));
        waiting.delete(id);
        return Promise.resolve(id === 'node-b/2' ? { isUnshared: true } : {});
      },
    },
    { note: (text) => void noted.push(text), ended: new AbortController().signal },
  );
  expect(noted).toEqual([
    'Board node-a/1 (node-a/1) is not approved: Decide on it there.\n',
    'Board node-b/1 (node-b/1) is approved.\n',
    'Board node-b/2 (node-b/2) is approved. The decision is not shared with the other nodes yet.\n',
    'Board rejected (rejected) was rejected, and is left out. Name it to approve it.\n',
    '2 devices are approved.\n',
  ]);
  expect(code).toBe(1);
  expect(tried).toHaveLength(3);
});
