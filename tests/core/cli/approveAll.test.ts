import { expect, it, vi } from 'vitest';

import type { Client } from '../../../src-core/rpc/client.ts';
import { runCli } from './cliProcess.ts';

const devices = vi.hoisted(() => ({ list: vi.fn(), approve: vi.fn() }));
vi.mock('../../../src-core/cli/connect.ts', () => ({
  withWorkbench: (_: unknown, use: (connection: { client: Client }) => Promise<number>) =>
    use({ client: { devices } as unknown as Client }),
}));

it('approves the others after a device that cannot be approved, and ends as failed', async () => {
  // Two of them name no Device-Id.
  const ids = ['node-a/1', 'node-b/1', 'node-b/2'];
  const waiting = new Set(ids);
  devices.list.mockImplementation(async () =>
    [...waiting].map((id) => ({ id, deviceId: 'Unnamed-1', name: `Board ${id}`, state: 'approval' })),
  );
  devices.approve.mockImplementation(async ({ id }: { id: string }) => {
    if (id === 'node-a/1') throw new Error('Decide on it there.');
    waiting.delete(id);
  });
  const { code, err } = await runCli(['approve', '--all-waiting']);
  expect(err.split('\n')).toEqual([
    'Board node-a/1 (node-a/1) is not approved: Decide on it there.',
    'Board node-b/1 (node-b/1) is approved.',
    'Board node-b/2 (node-b/2) is approved.',
    '2 devices are approved.',
    '',
  ]);
  expect(code).toBe(1);
  expect(devices.approve).toHaveBeenCalledTimes(3);
});
