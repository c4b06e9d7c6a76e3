/** What crosses: people and devices that act on a connection that is not let in yet, is closing, or is another's. */
import { describe, expect, test } from 'vitest';
import { askOta } from './support/askOta.ts';
import { openHub } from './support/openHub.ts';
import { boardId, connectBoard, openRemoteHub } from './support/remoteBoard.ts';
import { connectScripted, tcpOf } from './support/scriptedDevice.ts';

describe('an unapproved device', () => {
  test('is not asked for its tools by a refresh', async () => {
    const open = await openRemoteHub();
    const { hub, device } = open;
    const board = await connectBoard(open);
    await device(({ state }) => state === 'hello');
    await expect(hub.refreshTools(boardId)).rejects.toThrow(/has not sent its hello/);
    board.hello();
    await device(({ state }) => state === 'approval');
    await expect(hub.refreshTools(boardId)).rejects.toThrow(/waits for approval/);
    hub.approve(boardId);
    await device(({ state }) => state === 'ready');
    expect(board.requests.map(({ method }) => method)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/list',
    ]);
  });

  test('and is being disconnected is approved for the next time, not now', async () => {
    const open = await openRemoteHub();
    const { hub, device } = open;
    const board = await connectBoard(open);
    board.hello();
    await device(({ state }) => state === 'approval');
    hub.disconnect(boardId);
    hub.approve(boardId);
    expect(await device(() => true)).toMatchObject({ state: 'announced', doctor: { cause: 'approved-away' } });
    await board.closed;
    expect(board.received.map(({ type }) => type)).toEqual(['alert']);
    const again = await connectBoard(open);
    again.hello();
    await device(({ state }) => state === 'ready');
  });
});

describe('another hello', () => {
  test('of a connection that was replaced takes nothing from the one that replaced it', async () => {
    const { wsUrl, device, hub } = await openHub();
    const first = await connectScripted(wsUrl);
    first.hello();
    await device(({ state }) => state === 'ready');
    // As a board, which answers no close frame.
    tcpOf(first.socket).pause();
    const second = await connectScripted(wsUrl);
    second.hello();
    await second.request('tools/list');
    const heard = new Promise<void>((resolve) => {
      hub.onFrame(({ type, direction }) => type === 'hello' && direction === 'in' && resolve());
    });
    first.hello();
    await heard;
    second.send({ type: 'ping' });
    await second.frame(({ type }) => type === 'pong');
    expect(second.socket.readyState).toBe(second.socket.OPEN);
    tcpOf(first.socket).resume();
    await first.closed;
    expect(await device(({ state }) => state === 'ready')).toMatchObject({ toolCount: 2 });
  });

  test('without MCP ends the first one’s initialize', async () => {
    const { wsUrl, device } = await openHub();
    const board = await connectScripted(wsUrl, { answer: () => undefined });
    board.hello();
    const { id } = await board.request('initialize');
    board.hello({ features: {} });
    board.send({ type: 'mcp', payload: { jsonrpc: '2.0', id, result: {} } });
    board.send({ type: 'ping' });
    await board.frame(({ type }) => type === 'pong');
    expect(await device(() => true)).toMatchObject({ state: 'ready', error: { code: 'no-mcp' } });
    expect(board.requests.map(({ method }) => method)).toEqual(['initialize']);
  });
});

describe('a name that is not its own', () => {
  test('does not replace a device without a place', async () => {
    const { wsUrl, otaUrl, device, hub } = await openHub();
    const first = await connectScripted(wsUrl, { headers: {} });
    first.hello();
    const { id } = await device(({ state }) => state === 'ready');
    await askOta(otaUrl, { 'Device-Id': id }, { board: { name: 'impostor' } });
    const other = await connectScripted(wsUrl, { headers: { 'Device-Id': id } });
    other.hello({ device_id: 'somebody' });
    await other.request('tools/list');
    expect(hub.device(id)).toMatchObject({ name: 'host-sim', state: 'ready' });
    expect(hub.devices()).toHaveLength(2);
  });

  test('changes nothing of what a connected device is called', async () => {
    const { wsUrl, otaUrl, device, hub } = await openHub();
    const headers = { 'Device-Id': boardId, 'Client-Id': 'its own' };
    const board = await connectScripted(wsUrl, { headers });
    board.hello();
    await device(({ state }) => state === 'ready');
    const said = { application: { version: '9.9.9' }, board: { name: 'impostor' } };
    await askOta(otaUrl, { 'Device-Id': boardId, 'Client-Id': 'another' }, said);
    expect(hub.device(boardId)).toMatchObject({ name: 'host-sim', firmware: '2.4.2' });
    await askOta(otaUrl, headers, said);
    expect(hub.device(boardId)).toMatchObject({ name: 'impostor', firmware: '9.9.9' });
  });
});
