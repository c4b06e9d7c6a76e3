import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';

import { ListenError } from '../../../../../src-core/server/listenError.ts';
import { createDeviceListener } from '../../../../../src-core/features/devices/listener/deviceListener.ts';
import type { DeviceListener } from '../../../../../src-core/features/devices/listener/deviceListener.ts';

function make(options: { portMayMove?: boolean } = {}): DeviceListener {
  const listener = createDeviceListener({
    portMayMove: options.portMayMove ?? false,
    onError: (error) => {
      throw error;
    },
  });
  onTestFinished(() => listener.close());
  return listener;
}

/** A port that another program listens on: this one. */
async function takenPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
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

const here = { host: '127.0.0.1', port: 0 };

test('moved twice at once, it is where it was last told, and leaves nothing open behind', async () => {
  const listener = make();
  await listener.open(here);
  const { port } = listener.info();
  await Promise.all([listener.open({ host: '0.0.0.0', port }), listener.open({ host: '127.0.0.1', port })]);
  expect(listener.info()).toEqual({ host: '127.0.0.1', port, listening: true });
  await listener.close();
  expect(await answers(port)).toBe(false);
});

test('closed while it opens, it ends closed, and is not opened again', async () => {
  const listener = make();
  const opening = listener.open(here);
  await Promise.all([opening, listener.close()]);
  expect(await answers(listener.info().port)).toBe(false);
  await listener.open(here);
  expect(listener.info().listening).toBe(false);
});

describe('a port that is taken', () => {
  test('is reported with a free port, which can be used instead', async () => {
    const port = await takenPort();
    const listener = make();
    const refusal = await listener.open({ host: '127.0.0.1', port }).catch((error: unknown) => error);
    const { conflict, ...info } = listener.info();
    expect(refusal).toBeInstanceOf(ListenError);
    expect(info).toEqual({ host: '127.0.0.1', port, listening: false, error: (refusal as Error).message });
    expect(conflict).toEqual({ port, freePort: expect.any(Number) as number });
    expect(conflict?.freePort).not.toBe(port);
    await listener.open({ host: '127.0.0.1', port: conflict?.freePort ?? 0 });
    expect(listener.info()).toEqual({ host: '127.0.0.1', port: conflict?.freePort, listening: true });
  });

  test('leaves the listener where it is', async () => {
    const listener = make();
    await listener.open(here);
    const before = listener.info();
    await expect(listener.open({ host: '127.0.0.1', port: await takenPort() })).rejects.toThrow(
      /used by another program\. .* choose another port/,
    );
    expect(listener.info()).toEqual(before);
    expect(await answers(before.port)).toBe(true);
  });

  test('is replaced by a free one if the port may move; the wanted port is still reported', async () => {
    const port = await takenPort();
    const listener = make({ portMayMove: true });
    await listener.open({ host: '127.0.0.1', port });
    expect(listener.info()).toMatchObject({ listening: true, conflict: { port } });
    expect(listener.info().port).not.toBe(port);
  });
});

test('keeps its routes on another port and releases the former one', async () => {
  const listener = make();
  const remove = listener.route({
    path: '/here',
    methods: ['GET'],
    handle: ({ response }) => void response.end('yes'),
  });
  await listener.open(here);
  const former = listener.info().port;
  await listener.open(here);
  const { port } = listener.info();
  expect(port).not.toBe(former);
  expect(await answers(former)).toBe(false);
  expect(await (await fetch(`http://127.0.0.1:${port}/here`)).text()).toBe('yes');
  remove();
  expect((await fetch(`http://127.0.0.1:${port}/here`)).status).toBe(404);
});
