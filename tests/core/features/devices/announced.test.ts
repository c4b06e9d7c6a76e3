import { describe, expect, test } from 'vitest';
import { createManualClock } from './support/manualClock.ts';
import { askOta } from './support/askOta.ts';
import { openHub } from './support/openHub.ts';
import { boardClientId, boardId, openRemoteHub } from './support/remoteBoard.ts';
import { connectScripted } from './support/scriptedDevice.ts';

const who = { 'Device-Id': boardId.toUpperCase(), 'Client-Id': boardClientId, 'User-Agent': 'desk-board/2.4.2' };
const body = { application: { version: '2.4.2' }, board: { name: 'desk-board' } };

describe('a device that only asked OTA', () => {
  test('is listed, with what it said and what to wait for', async () => {
    const clock = createManualClock();
    const { otaUrl, hub, device } = await openHub({ clock });
    const heard: string[] = [];
    hub.onChange((id) => heard.push(id));
    await askOta(otaUrl, who, body);
    const now = clock.wall();
    expect(heard).toEqual([boardId]);
    expect(await device(() => true)).toEqual({
      id: boardId,
      deviceId: boardId,
      clientId: boardClientId,
      name: 'desk-board',
      board: 'desk-board',
      firmware: '2.4.2',
      userAgent: 'desk-board/2.4.2',
      state: 'announced',
      health: 'announced',
      toolCount: 0,
      remote: false,
      remoteAddress: '127.0.0.1',
      virtual: false,
      connectedAt: now,
      lastSeenAt: now,
      counters: { framesIn: 0, framesOut: 0, binaryIn: 0, invalidIn: 0 },
      doctor: {
        cause: 'never-connected',
        steps: [
          { id: 'ota', state: 'done', at: now, fact: 'desk-board 2.4.2' },
          { id: 'tcp', state: 'current' },
          { id: 'hello', state: 'open' },
          { id: 'approval', state: 'skipped' },
          { id: 'initialize', state: 'open' },
          { id: 'tools', state: 'open' },
        ],
      },
    });
    expect(hub.frames({ deviceId: boardId, limit: 10 }).map(({ summary }) => summary)).toEqual([
      'asked OTA where to connect',
    ]);
  });

  test.each([
    [400, 'asked OTA, body not a JSON object', '{"version":2,'],
    [413, 'asked OTA, body larger than 16 kB', JSON.stringify({ ...body, more: 'x'.repeat(16_384) })],
  ])('is listed with the reason if its request was refused with %i, until it is understood', async (...refusal) => {
    const [status, summary, wrong] = refusal;
    const { otaUrl, device, hub } = await openHub();
    const headers = { ...who, 'Content-Type': 'application/json' };
    const refused = await fetch(otaUrl, { method: 'POST', headers, body: wrong });
    expect(refused.status).toBe(status);
    const info = await device(() => true);
    expect(info).toMatchObject({ state: 'announced', doctor: { cause: 'ota-refused' } });
    expect(info.doctor.steps[0]).toMatchObject({ id: 'ota', state: 'failed', fact: `HTTP ${status}` });
    expect(hub.frames({ limit: 1 })[0]).toMatchObject({ summary, failed: true });
    await askOta(otaUrl, who, body);
    expect(await device(() => true)).toMatchObject({ doctor: { cause: 'never-connected' } });
  });

  test('is the same card once it connects, and again once it has left and restarted', async () => {
    const { otaUrl, wsUrl, device, hub } = await openHub();
    await askOta(otaUrl, who, body);
    const board = await connectScripted(wsUrl);
    board.hello();
    await device(({ state }) => state === 'ready');
    board.socket.terminate();
    const left = await device(({ state }) => state === 'closed');
    expect(left.doctor.cause).toBe('left');
    await askOta(otaUrl, who, body);
    const back = await device(({ state }) => state === 'announced');
    expect(back.doctor.cause).toBe('never-connected');
    expect(back).not.toHaveProperty('error');
    expect(hub.devices()).toHaveLength(1);
    expect(hub.frames({ deviceId: boardId, limit: 100 }).map(({ kind }) => kind)).toContain('open');
  });

  test('goes on waiting for approval if it asks again, and may be approved before it ever connects', async () => {
    const open = await openRemoteHub();
    await askOta(open.otaUrl, who, body);
    open.hub.approve(boardId);
    const { token } = await askOta(open.otaUrl, who, body);
    const board = await connectScripted(open.wsUrl, { headers: { ...who, Authorization: `Bearer ${token}` } });
    board.hello();
    await open.device(({ state }) => state === 'ready');
    open.hub.refuse(boardId);
    await board.closed;

    const again = await connectScripted(open.wsUrl, { headers: { ...who, Authorization: `Bearer ${token}` } });
    again.hello();
    await open.device(({ state }) => state === 'approval');
    again.socket.terminate();
    await open.device(({ error }) => error?.code === 'left');
    await askOta(open.otaUrl, who, body);
    expect(await open.device(() => true)).toMatchObject({ state: 'approval', doctor: { cause: 'waits-for-approval' } });
  });

  test('can be forgotten, and has no tools to refuse', async () => {
    const { otaUrl, hub } = await openHub();
    await askOta(otaUrl, who, body);
    await expect(hub.refreshTools(boardId)).rejects.toThrow('desk-board is not connected.');
    hub.disconnect(boardId);
    hub.forget(boardId);
    expect(hub.devices()).toEqual([]);
  });
});

test('many that only ask are bounded, the oldest go, and no device of the user goes with them', async () => {
  const { otaUrl, wsUrl, device, hub } = await openHub({ limits: { maxStrangers: 3, maxGone: 3 } });
  const mine = await connectScripted(wsUrl);
  mine.hello();
  await device(({ state }) => state === 'ready');
  mine.socket.terminate();
  await device(({ state }) => state === 'closed');
  for (let index = 1; index <= 5; index += 1) await askOta(otaUrl, { 'Device-Id': `bogus-${index}` });
  await askOta(otaUrl, { 'Device-Id': 'bogus-3' });
  await askOta(otaUrl, { 'Device-Id': 'bogus-6' });
  expect(hub.devices().map(({ id, state }) => [id, state])).toEqual([
    [boardId, 'closed'],
    ['bogus-3', 'announced'],
    ['bogus-5', 'announced'],
    ['bogus-6', 'announced'],
  ]);
});

test('a connected device without approval counts among them', async () => {
  const { otaUrl, wsUrl, device, hub } = await openHub({ limits: { maxStrangers: 1 } });
  const silent = await connectScripted(wsUrl, { headers: { 'Device-Id': 'silent' } });
  silent.send('nonsense');
  await silent.closed;
  await device(({ state }) => state === 'failed', 'silent');
  await askOta(otaUrl, who);
  await device(({ state }) => state === 'announced', boardId);
  expect(hub.devices().map(({ id }) => id)).toEqual([boardId]);
});

test('HEAD, OPTIONS and requests without a Device-Id list no device', async () => {
  const { otaUrl, hub } = await openHub();
  const head = await fetch(otaUrl, { method: 'HEAD', headers: who });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect(Number(head.headers.get('content-length'))).toBeGreaterThan(100);
  await fetch(otaUrl, { method: 'OPTIONS', headers: who });
  await askOta(otaUrl, {});
  expect(hub.devices()).toEqual([]);
});
