import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { createConnection, type Connection } from '../../../renderer/client/connection.ts';
import { NotLetInError, type OpenLine } from '../../../renderer/client/line.ts';
import { openWebSocketLine } from '../../../renderer/client/openWebSocketLine.ts';
import type { WorkbenchTopic } from '../../../src-core/contract/types.ts';
import { openWindow, portLines, type TestWindow } from '../openWindow.ts';

let host: TestWindow;
let connection: Connection | undefined;
beforeEach(async () => {
  host = await openWindow();
});
afterEach(async () => {
  connection?.close();
  await host.close();
});

it('a call made before the first line waits for it', async () => {
  const lines = portLines(host.workbench);
  const gate = Promise.withResolvers<boolean>();
  const open: OpenLine = async (signal) => {
    await gate.promise;
    return lines.open(signal);
  };
  connection = createConnection({ open });
  const answer = connection.client.workbench.info();
  expect(connection.state.value).toEqual({ phase: 'connecting', attempt: 1 });
  gate.resolve(true);
  expect((await answer).protocols).toContain('vcp');
  expect(connection.state.value.phase).toBe('connected');
});

it('tells every topic when a line is new, then only what changed', async () => {
  connection = createConnection({ open: portLines(host.workbench).open });
  const heard: (readonly WorkbenchTopic[])[] = [];
  connection.onTopics((topics) => heard.push(topics));
  await vi.waitUntil(() => heard.length > 0);
  expect(heard[0]).toEqual(
    expect.arrayContaining(['calls', 'captures', 'devices', 'info', 'settings', 'tools', 'vision']),
  );
  const before = heard.length;
  await connection.client.settings.set({ theme: 'dark' });
  await vi.waitUntil(() => heard.length > before);
  expect(heard.slice(before).flat()).toContain('settings');
});

it('reconnects by itself and shows the state of the connection', async () => {
  const lines = portLines(host.workbench);
  const gates = [Promise.resolve(true)];
  const open: OpenLine = async (signal) => {
    await gates.shift();
    return lines.open(signal);
  };
  const back = Promise.withResolvers<boolean>();
  connection = createConnection({ open, delaysMs: [0] });
  await connection.client.workbench.info();
  gates.push(back.promise);
  lines.cut();
  await vi.waitUntil(() => connection?.state.value.phase === 'connecting');
  expect(connection.state.value).toMatchObject({ reason: expect.any(String) });
  await expect(connection.client.workbench.info()).rejects.toThrow('The window is not connected to Toolwire.');
  back.resolve(true);
  await vi.waitUntil(() => connection?.state.value.phase === 'connected');
  await connection.client.workbench.info();
});

it('ends a call that is under way when the line is lost, instead of leaving it to hang', async () => {
  const lines = portLines(host.workbench);
  connection = createConnection({ open: lines.open, delaysMs: [60_000] });
  await connection.client.workbench.info();
  const events = await connection.client.workbench.events();
  await events.next();
  const underWay = events.next();
  lines.cut();
  // Whether it ends or fails is the carrier's; that it settles is what counts.
  await Promise.allSettled([underWay]);
  await vi.waitUntil(() => connection?.state.value.phase === 'waiting');
});

it('tries at once when asked, without waiting for its time', async () => {
  const lines = portLines(host.workbench);
  let attempts = 0;
  const open: OpenLine = (signal) => {
    attempts += 1;
    return attempts === 1 ? Promise.reject(new Error('No answer from ws://here/api')) : lines.open(signal);
  };
  connection = createConnection({ open, delaysMs: [3_600_000] });
  await vi.waitUntil(() => connection?.state.value.phase === 'waiting');
  expect(connection.state.value).toMatchObject({ attempt: 1, reason: 'No answer from ws://here/api' });
  connection.retryNow();
  await vi.waitUntil(() => connection?.state.value.phase === 'connected');
});

describe('an engine that stops answering', () => {
  const open = async (): Promise<{ freeze: (frozen: boolean) => void; pings: () => number }> => {
    const lines = portLines(host.workbench);
    const info = vi.fn<() => Promise<unknown>>(() => Promise.resolve());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
    connection = createConnection({
      open: async (signal) => {
        const line = await lines.open(signal);
        const workbench = { info, events: line.client.workbench.events };
        return { ...line, client: { workbench } as unknown as typeof line.client };
      },
    });
    await connection.client.workbench.info();
    info.mockClear();
    const held: (() => void)[] = [];
    const freeze = (frozen: boolean): void => {
      info.mockImplementation(() => (frozen ? new Promise<void>((resolve) => held.push(resolve)) : Promise.resolve()));
      if (!frozen) for (const answer of held.splice(0)) answer();
    };
    return { freeze, pings: () => info.mock.calls.length };
  };

  it('is told after some 5 s as lost, asked once only, and back with its answer', async () => {
    const { freeze, pings } = await open();
    const before = connection?.state.value;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(connection?.state.value).toBe(before);
    freeze(true);
    const asked = pings();
    await vi.advanceTimersByTimeAsync(6_000);
    expect(connection?.state.value).toMatchObject({ phase: 'connecting', reason: 'The engine does not answer' });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(pings()).toBe(asked + 1);
    freeze(false);
    await vi.advanceTimersByTimeAsync(0);
    expect(connection?.state.value).toBe(before);
  });

  it('is not taken for lost because the page slept', async () => {
    const { freeze } = await open();
    const before = connection?.state.value;
    freeze(true);
    await vi.advanceTimersByTimeAsync(4_000);
    vi.setSystemTime(Date.now() + 3_600_000);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(connection?.state.value).toBe(before);
  });

  it('is left at once by Retry now, and no timer stays', async () => {
    const { freeze } = await open();
    freeze(true);
    await vi.advanceTimersByTimeAsync(6_000);
    connection?.retryNow();
    await vi.waitUntil(() => connection?.state.value.phase === 'waiting');
    connection?.close();
    await vi.waitUntil(() => vi.getTimerCount() === 0);
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('a closed connection opens nothing more', async () => {
  const lines = portLines(host.workbench);
  const open = vi.fn<OpenLine>((signal) => lines.open(signal));
  connection = createConnection({ open, delaysMs: [0] });
  await connection.client.workbench.info();
  connection.close();
  await expect(connection.client.workbench.info()).rejects.toThrow();
  expect(open).toHaveBeenCalledTimes(1);
});

describe('a browser window whose engine was started again', () => {
  const answering = async (status: number): Promise<{ reason: unknown; close: () => void }> => {
    const server = createServer((_, response) => response.writeHead(status).end());
    server.on('upgrade', (_, socket) => socket.end(`HTTP/1.1 ${status} No\r\nConnection: close\r\n\r\n`));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    // The server is the page's own in a browser; here the request crosses origins, and Node's fetch asks nobody.
    const hostname = '127.0.0.1';
    const open = openWebSocketLine({ protocol: 'http:', hostname, port: `${port}`, host: `${hostname}:${port}` });
    const reason = await open(new AbortController().signal).catch((error: unknown) => error);
    return { reason, close: () => server.close() };
  };

  it('knows an engine that wants its new link from one that does not answer', async () => {
    const stranger = await answering(401);
    expect(stranger.reason).toBeInstanceOf(NotLetInError);
    stranger.close();
    const broken = await answering(500);
    expect(broken.reason).not.toBeInstanceOf(NotLetInError);
    expect(String(broken.reason)).toContain('No answer from ws://127.0.0.1:');
    broken.close();
  });

  it('reports it and keeps trying; opening the link signs this window in, too', async () => {
    const lines = portLines(host.workbench);
    let letIn = false;
    connection = createConnection({
      delaysMs: [3_600_000],
      open: (signal) => (letIn ? lines.open(signal) : Promise.reject(new NotLetInError('a new link'))),
    });
    await vi.waitUntil(() => connection?.state.value.phase === 'waiting' && connection.state.value.notLetIn);
    letIn = true;
    connection.retryNow();
    await vi.waitUntil(() => connection?.state.value.phase === 'connected');
  });
});
