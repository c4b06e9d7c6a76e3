import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';

import { createDeviceListener } from '../../../src-core/workbench/deviceListener.ts';
import type { DeviceListener } from '../../../src-core/workbench/deviceListener.ts';

function open(): DeviceListener {
  const listener = createDeviceListener({
    port: 0,
    portMayMove: true,
    onError: (error) => {
      throw error;
    },
  });
  onTestFinished(() => listener.close());
  return listener;
}

/** Whether anything takes a connection there. */
async function answers(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

test('moved twice at once, it stays on its port, where it was last told, and leaves nothing open behind', async () => {
  const listener = open();
  await listener.open({ toNetwork: false });
  const { port } = listener.info();
  await Promise.all([listener.open({ toNetwork: true }), listener.open({ toNetwork: false })]);
  expect(listener.info()).toEqual({ host: '127.0.0.1', port, listening: true });
  await listener.close();
  expect(await answers(port)).toBe(false);
});

test('closed while it opens, it ends closed, and is not opened again', async () => {
  const listener = open();
  const opening = listener.open({ toNetwork: false });
  await Promise.all([opening, listener.close()]);
  expect(await answers(listener.info().port)).toBe(false);
  await listener.open({ toNetwork: false });
  expect(listener.info().listening).toBe(false);
});
