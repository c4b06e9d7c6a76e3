import { describe, expect, test } from 'vitest';
import { createDeviceTokens } from '../../../../src-core/features/devices/entry/deviceToken.ts';
import { askOta } from './support/askOta.ts';
import { openHub } from './support/openHub.ts';
import { boardClientId, boardId, openRemoteHub } from './support/remoteBoard.ts';
import { connectScripted } from './support/scriptedDevice.ts';

const who = { 'Device-Id': boardId, 'Client-Id': boardClientId };
const approvals = () => new Map([[boardId, boardClientId]]);

describe('a device of the network shows a token', () => {
  test('that OTA gave to it; it is in no log', async () => {
    const { wsUrl, otaUrl, device, hub } = await openRemoteHub({ approvals: approvals() });
    const { url, token } = await askOta(otaUrl, who);
    expect(url).toBe(wsUrl);
    const board = await connectScripted(`${url}?authorization=Bearer%20${token}`, {
      headers: { ...who, Authorization: `Bearer ${token}` },
    });
    board.hello({ token });
    await device(({ state }) => state === 'ready');
    const log = JSON.stringify(hub.frames({ limit: 1_000 }));
    expect(log).toContain('Authorization: ***');
    expect(log).not.toContain(token);
    expect(JSON.stringify(hub.devices())).not.toContain(token);
  });

  test.each([
    ['none', {}],
    ["py-xiaozhi's word for none", { Authorization: 'Bearer None' }],
    ['nothing after Bearer', { Authorization: 'Bearer ' }],
  ])('%s is turned away with no-token', async (_what, headers) => {
    const { wsUrl, device, hub } = await openRemoteHub({ approvals: approvals() });
    await expect(connectScripted(wsUrl, { headers: { ...who, ...headers } })).rejects.toThrow(
      'Unexpected server response: 401',
    );
    const info = await device(({ state }) => state === 'failed');
    expect(info).toMatchObject({ error: { code: 'no-token' }, doctor: { cause: 'no-token' } });
    // Its connection is not open.
    expect(info.leftAt).toBe(info.connectedAt);
    expect(info.doctor.steps.map(({ state }) => state)).toEqual(['skipped', 'failed', 'open', 'done', 'open', 'open']);
    expect(info.doctor.steps[1]).toMatchObject({ id: 'tcp', fact: '127.0.0.1' });
    expect(hub.frames({ limit: 9 }).map(({ summary }) => summary)).toEqual(['open /xiaozhi/v1/', '401 no-token']);
  });

  test.each([
    ['of another device', (issue: (id: string) => string) => issue('02:00:00:00:00:01')],
    ['of another server', () => createDeviceTokens(() => [Buffer.alloc(32, 8)]).issue(boardId)],
    ['that is made up', () => 'x'.repeat(400)],
    ['of who names no Device-Id', (issue: (id: string) => string) => issue('')],
  ])('one %s is turned away with wrong-token', async (_what, tokenFor) => {
    const tokenSecrets = (): [Uint8Array] => [Buffer.alloc(32, 7)];
    const { wsUrl, device } = await openRemoteHub({ tokenSecrets, approvals: approvals() });
    const token = tokenFor(createDeviceTokens(tokenSecrets).issue);
    await expect(connectScripted(wsUrl, { headers: { ...who, Authorization: `Bearer ${token}` } })).rejects.toThrow(
      'Unexpected server response: 401',
    );
    expect((await device(({ state }) => state === 'failed')).doctor.cause).toBe('wrong-token');
  });

  test('accepts the access token with and without Bearer, in a header or the query', async () => {
    const open = await openRemoteHub({ approvals: approvals() });
    const accessToken = open.hub.accessToken();
    const ways = [
      [open.wsUrl, { ...who, Authorization: `Bearer ${accessToken}` }],
      [open.wsUrl, { ...who, Authorization: accessToken }],
      [`${open.wsUrl}?device-id=${boardId}&client-id=${boardClientId}&authorization=Bearer%20${accessToken}`, {}],
    ] as const;
    for (const [url, headers] of ways) {
      const board = await connectScripted(url, { headers });
      board.hello();
      await board.request('tools/list');
      board.socket.terminate();
      await open.device(({ state }) => state === 'closed');
    }
    expect(JSON.stringify(open.hub.frames({ limit: 1_000 }))).not.toContain(accessToken);
  });

  test('kept from before a restart', async () => {
    const tokenSecrets = (): [Uint8Array] => [Buffer.alloc(32, 7)];
    const before = await openRemoteHub({ tokenSecrets });
    const { token } = await askOta(before.otaUrl, who);
    await before.hub.close();
    const after = await openRemoteHub({ tokenSecrets, approvals: approvals() });
    const board = await connectScripted(after.wsUrl, { headers: { ...who, Authorization: `Bearer ${token}` } });
    board.hello();
    await after.device(({ state }) => state === 'ready');
    expect(after.hub.accessToken()).toBe(before.hub.accessToken());
  });
});

test('a device of this machine needs no token, and a wrong one is ignored', async () => {
  const { wsUrl, device } = await openHub();
  const board = await connectScripted(wsUrl, { headers: { ...who, Authorization: 'Bearer of-another-server' } });
  board.hello();
  await device(({ state }) => state === 'ready');
});

test('OTA never returns the access token and ignores the query', async () => {
  const { otaUrl, hub } = await openHub();
  for (const name of ['access', 'device', 'access\0', '']) {
    const { token } = await askOta(otaUrl, name.includes('\0') || name === '' ? {} : { 'Device-Id': name });
    expect(token).not.toBe(hub.accessToken());
  }
  const { accepts, issue } = createDeviceTokens(() => [Buffer.alloc(32)]);
  expect(accepts('x', issue('x'))).toBe(true);
  expect(accepts('X', issue('x'))).toBe(true);
  expect(accepts('x', '')).toBe(false);

  await fetch(`${otaUrl}?device-id=${boardId}&authorization=Bearer%20secret`, { method: 'POST' });
  expect(hub.devices().map(({ id }) => id)).not.toContain(boardId);
  expect(JSON.stringify(hub.frames({ limit: 100 }))).not.toContain('secret');
});
