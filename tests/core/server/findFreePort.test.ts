import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';

import { findFreePort } from '../../../src-core/server/findFreePort.ts';

test('a free port can be bound, is near the taken one if possible, and is 0 for an address of another machine', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo;
  const free = await findFreePort('127.0.0.1', port);
  expect(free).toBeGreaterThan(0);
  const other = createServer().listen(free, '127.0.0.1');
  await once(other, 'listening');
  other.close();
  expect(await findFreePort('127.0.0.1', 65_535)).toBeGreaterThan(0);
  expect(await findFreePort('192.0.2.254', 8_000)).toBe(0);
});
