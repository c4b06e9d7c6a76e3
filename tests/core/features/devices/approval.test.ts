import { describe, expect, test } from 'vitest';
import { askOta } from './support/askOta.ts';
import { createManualClock } from './support/manualClock.ts';
import { openHub } from './support/openHub.ts';
import { boardClientId, boardId, connectBoard, openRemoteHub } from './support/remoteBoard.ts';
import { connectScripted } from './support/scriptedDevice.ts';

/** What the doctor says of one station. */
const step = (info: { doctor: { steps: { id: string; state: string }[] } }, id: string) =>
  info.doctor.steps.find((other) => other.id === id);

/** What a held device is told for its screen. */
const alert = {
  type: 'alert',
  status: 'Toolwire',
  message: 'Approve this device in Toolwire, Devices',
  emotion: 'link',
};

describe('a device of the network', () => {
  test('holds the hello until the user approves the device, and does not ask again', async () => {
    const approvals = new Map<string, string>();
    const open = await openRemoteHub({ approvals });
    const { hub, device, registry } = open;
    const board = await connectBoard(open);
    board.hello({ device_name: '书房音箱' });
    const waiting = await device(({ state }) => state === 'approval');
    expect(waiting).toMatchObject({
      id: boardId,
      name: '书房音箱',
      remote: true,
      remoteAddress: '127.0.0.1',
      clientId: boardClientId,
      doctor: { cause: 'waits-for-approval' },
    });
    expect(step(waiting, 'approval')).toEqual({ id: 'approval', state: 'current' });
    await board.frame(({ type }) => type === 'alert');
    expect(board.received).toEqual([alert]);

    hub.approve(boardId);
    expect((await registry()).getMetadata().methods).toHaveLength(2);
    expect(board.received[1]).toMatchObject({ type: 'hello', transport: 'websocket' });
    expect(step(await device(({ state }) => state === 'ready'), 'approval')).toMatchObject({ state: 'done' });
    expect([...approvals]).toEqual([[boardId, boardClientId]]);

    board.socket.terminate();
    await device(({ state }) => state === 'closed');
    const again = await connectBoard(open);
    again.hello();
    await device(({ state }) => state === 'ready');
  });

  test.each([
    ['zh-CN', '请在 Toolwire 的“设备”面板中批准此设备'],
    ['en-US', alert.message],
  ])('receives an alert that it waits, in the language %s from OTA', async (language, message) => {
    const open = await openRemoteHub();
    const who = { 'Device-Id': boardId, 'Client-Id': boardClientId };
    const { url, token } = await askOta(open.otaUrl, who, { language });
    const board = await connectScripted(url, { headers: { ...who, Authorization: `Bearer ${token}` } });
    board.hello();
    expect(await board.frame(({ type }) => type === 'alert')).toEqual({ ...alert, message });
  });

  test('gets nothing else while it waits, whatever it sends, and is cut off if it sends on and on', async () => {
    const open = await openRemoteHub();
    const board = await connectBoard(open);
    board.hello();
    await open.device(({ state }) => state === 'approval');
    board.send({ type: 'ping' });
    board.send('{{{');
    board.socket.send(Buffer.alloc(1_000));
    for (let index = 0; index < 98; index += 1) board.send({ type: 'listen', state: 'start' });
    expect((await board.closed).code).toBe(1006);
    expect(board.received).toEqual([alert]);
    const overheard = open.hub.frames({ limit: 1_000 }).filter(({ summary }) => summary === 'before the approval');
    expect(overheard).toHaveLength(100);
  });

  test('is closed with the reason after eight seconds, stays listed, and connects next time if approved since', async () => {
    const clock = createManualClock();
    const open = await openRemoteHub({ clock });
    const { hub, device } = open;
    const board = await connectBoard(open);
    board.hello();
    await device(({ state }) => state === 'approval');
    clock.advance(7_999);
    expect(board.socket.readyState).toBe(board.socket.OPEN);
    clock.advance(1);
    expect(await board.closed).toEqual({ code: 1008, reason: 'waits-for-approval' });
    const pending = await device(({ error }) => error !== undefined);
    expect(pending).toMatchObject({ state: 'approval', error: { code: 'waits-for-approval' } });
    expect(pending.doctor.cause).toBe('waits-for-approval');
    expect(step(pending, 'approval')?.state).toBe('failed');

    hub.approve(boardId);
    const approved = await device(() => true);
    expect(approved).toMatchObject({ state: 'announced', doctor: { cause: 'approved-away' } });
    expect(approved).not.toHaveProperty('error');
    expect(step(approved, 'approval')?.state).toBe('done');
    const again = await connectBoard(open);
    again.hello();
    expect(step(await device(({ state }) => state === 'ready'), 'approval')).toEqual({ id: 'approval', state: 'done' });
  });

  test('can be approved after it gave up waiting', async () => {
    const open = await openRemoteHub();
    const board = await connectBoard(open);
    board.hello();
    await open.device(({ state }) => state === 'approval');
    board.socket.terminate();
    expect(await open.device(({ error }) => error !== undefined)).toMatchObject({
      state: 'approval',
      doctor: { cause: 'waits-for-approval' },
    });
    open.hub.approve(boardId);
    expect((await open.device(() => true)).state).toBe('announced');
  });

  test('may be approved ahead, once it has asked OTA', async () => {
    const open = await openRemoteHub();
    const board = await connectBoard(open);
    expect(step(await open.device(() => true), 'approval')?.state).toBe('open');
    open.hub.approve(boardId);
    expect(step(await open.device(() => true), 'approval')?.state).toBe('done');
    board.hello();
    await open.device(({ state }) => state === 'ready');
  });

  test('with an approved Device-Id and another Client-Id waits, and does not affect the approved device', async () => {
    const open = await openRemoteHub({ approvals: new Map([[boardId, boardClientId]]) });
    const { hub, device } = open;
    const board = await connectBoard(open);
    board.hello();
    const { registryId } = await device(({ state }) => state === 'ready');
    const other = await connectBoard(open, { clientId: 'somebody-else' });
    other.hello({ device_name: 'me' });
    const asked = await device(({ state }) => state === 'approval');
    expect(asked).toMatchObject({ name: 'host-sim', clientId: 'somebody-else', registryId });
    expect(board.socket.readyState).toBe(board.socket.OPEN);

    // Nor does a third one take the second's place before the eyes of who is about to approve it.
    const third = await connectBoard(open, { clientId: 'a-third' });
    third.hello();
    expect(await third.closed).toEqual({ code: 1008, reason: 'waits-for-approval' });
    expect(await device(() => true)).toMatchObject({ state: 'approval', clientId: 'somebody-else' });

    hub.refuse(boardId);
    expect(await other.closed).toEqual({ code: 1008, reason: 'refused' });
    expect(await device(({ state }) => state === 'ready')).toMatchObject({ clientId: boardClientId });
    expect(board.socket.readyState).toBe(board.socket.OPEN);
  });
});

describe('refusing', () => {
  test('closes the connection that waits, with the reason; the device may ask again', async () => {
    const open = await openRemoteHub();
    const { hub, device } = open;
    const board = await connectBoard(open);
    board.hello();
    await device(({ state }) => state === 'approval');
    hub.refuse(boardId);
    expect(await board.closed).toEqual({ code: 1008, reason: 'refused' });
    const refused = await device(({ state }) => state === 'failed');
    expect(refused).toMatchObject({ error: { code: 'refused' }, doctor: { cause: 'refused' } });
    expect(step(refused, 'approval')?.state).toBe('failed');
    const again = await connectBoard(open);
    again.hello();
    await device(({ state }) => state === 'approval');
  });

  test('takes an approval back, and ends the connection that had it', async () => {
    const approvals = new Map([[boardId, boardClientId]]);
    const open = await openRemoteHub({ approvals });
    const { hub, device, toolRegistryManager } = open;
    const board = await connectBoard(open);
    board.hello();
    await device(({ state }) => state === 'ready');
    hub.refuse(boardId);
    expect((await board.closed).code).toBe(1008);
    expect(toolRegistryManager.getAllTools()).toEqual([]);
    expect(await device(({ state }) => state === 'failed')).toMatchObject({ doctor: { cause: 'refused' } });
    expect(approvals.size).toBe(0);
  });

  test('says no to one that knocked and left', async () => {
    const open = await openRemoteHub();
    const board = await connectBoard(open);
    board.hello();
    await open.device(({ state }) => state === 'approval');
    board.socket.terminate();
    await open.device(({ error }) => error !== undefined);
    open.hub.refuse(boardId);
    expect(await open.device(() => true)).toMatchObject({ state: 'failed', doctor: { cause: 'refused' } });
  });
});

describe('what needs no approval or cannot have one', () => {
  test('a device of this machine comes in at once', async () => {
    const { hub, wsUrl, device } = await openHub();
    const board = await connectScripted(wsUrl);
    board.hello();
    const ready = await device(({ state }) => state === 'ready');
    expect(ready.remote).toBe(false);
    expect(step(ready, 'approval')?.state).toBe('skipped');
    expect(() => hub.approve(boardId)).toThrow('host-sim is on this machine and needs no approval.');
    expect(() => hub.refuse(boardId)).toThrow('needs no approval');
    expect(() => hub.approve('nobody')).toThrow('No device "nobody" is listed.');
  });

  test('one without a Device-Id is approved only while it waits, and asks again each time', async () => {
    const approvals = new Map<string, string>();
    const { hub, wsUrl, device } = await openRemoteHub({ approvals });
    const headers = { Authorization: `Bearer ${hub.accessToken()}` };
    const first = await connectScripted(wsUrl, { headers });
    first.hello();
    hub.approve((await device(({ state }) => state === 'approval')).id);
    await device(({ state }) => state === 'ready');
    const second = await connectScripted(wsUrl, { headers });
    second.hello();
    const { id } = await device(({ state }) => state === 'approval');
    second.socket.terminate();
    await device(({ error }) => error !== undefined, id);
    expect(() => hub.approve(id)).toThrow('sends no Device-Id');
    expect(approvals.size).toBe(0);
  });
});

test('limits the unapproved connections of another machine', async () => {
  const open = await openRemoteHub({
    limits: { maxUngreeted: { perMachine: 2, inAll: 10 } },
    approvals: new Map([[boardId, boardClientId]]),
  });
  const board = await connectBoard(open);
  const silent = await connectBoard(open, { deviceId: '02:00:00:00:00:01' });
  await expect(connectBoard(open, { deviceId: '02:00:00:00:00:02' })).rejects.toThrow('503');
  // Who is let in, and who leaves, makes room.
  board.hello();
  await open.device(({ state }) => state === 'ready', boardId);
  const next = await connectBoard(open, { deviceId: '02:00:00:00:00:02' });
  silent.socket.terminate();
  await open.device(({ error }) => error !== undefined, '02:00:00:00:00:01');
  await connectBoard(open, { deviceId: '02:00:00:00:00:03' });
  expect(next.socket.readyState).toBe(next.socket.OPEN);
});
