/** A headless machine: the device port is opened from the terminal, and devices are let in by commands. */
import { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';

import type { DeviceInfo } from '../../../src-core/contract/types.ts';
import type { ServedAddresses } from '../../../src-core/cli/addresses.ts';
import { builtCli } from '../../helpers/builtCli.ts';
import { boardClientId, boardId, connectBoard } from '../features/devices/support/remoteBoard.ts';
import { dataDirWith, runCli, startCli } from './cliProcess.ts';

const ownAddress = Object.values(networkInterfaces())
  .flat()
  .find((info) => info?.family === 'IPv4' && !info.internal)?.address;

async function startServing(...flags: string[]) {
  const dir = dataDirWith();
  const started = startCli(['serve', '--port', '0', '--device-port', '0', ...flags, '--data-dir', dir, '--json']);
  const { device } = JSON.parse(await started.firstLine()) as ServedAddresses;
  const toolwire = (...args: string[]) => runCli([...args, '--data-dir', dir]);
  return { ...started, dir, device, toolwire };
}

/** A board that comes over the network's address, as one of another machine does. */
async function connectOver(host: string, port: number) {
  const board = await connectBoard({
    otaUrl: `http://${host}:${port}/xiaozhi/ota/`,
    wsUrl: `ws://${host}:${port}/xiaozhi/v1/`,
  });
  board.hello({ device_name: 'Kitchen' });
  return board;
}

describe.skipIf(ownAddress === undefined)('toolwire serve --device-host', () => {
  const host = ownAddress ?? '';

  test.each([host, '0.0.0.0'])(
    '%s: a device of the network waits, and is approved from the terminal',
    async (named) => {
      const { child, ended, noted, device, dir, toolwire } = await startServing('--device-host', named);
      expect(device).toMatchObject({ host: named, listening: true, isHostFixed: true });
      expect(device.otaUrls).toEqual(
        expect.arrayContaining([
          `http://${host}:${device.port}/xiaozhi/ota/`,
          `http://127.0.0.1:${device.port}/xiaozhi/ota/`,
        ]),
      );
      const board = await connectOver(host, device.port);
      expect(await board.frame(({ type }) => type === 'alert')).toMatchObject({ status: 'Toolwire' });

      const waits = `toolwire: Kitchen (${boardId}, ${host}, Client-Id ${boardClientId}) waits for approval. Approve it with: ${process.execPath} ${builtCli} approve ${boardId} --data-dir "${dir}"\n`;
      await expect.poll(noted).toBe(waits);
      expect((await toolwire('devices')).out).toBe(
        `${boardId}  Waiting for approval  0 tools  ${host}  Client-Id ${boardClientId}  Kitchen\n`,
      );
      expect(await toolwire('approve', boardId)).toEqual({ code: 0, out: '', err: 'Kitchen is approved.\n' });
      await board.request('tools/list');
      const [info] = JSON.parse((await toolwire('devices', '--json')).out) as { state: string; remote: boolean }[];
      expect(info).toMatchObject({ id: boardId, remote: true });
      expect((await toolwire('tools')).out).toContain('self.get_device_status');

      expect(await toolwire('reject', boardId)).toMatchObject({
        code: 0,
        err: 'Kitchen is rejected. It asks again when it reconnects.\n',
      });
      expect((await board.closed).code).toBe(1008);
      expect((await toolwire('devices')).out).toBe(
        `${boardId}  Rejected  0 tools  ${host}  Client-Id ${boardClientId}  Kitchen\n`,
      );
      const again = await connectOver(host, device.port);
      await again.frame(({ type }) => type === 'alert');
      child.kill('SIGTERM');
      const { err } = await ended;
      expect(err).toBe(waits);
    },
  );

  test('all devices that wait are approved together', async () => {
    const { device, toolwire } = await startServing('--device-host', host);
    const url = `http://${host}:${device.port}/xiaozhi/ota/`;
    const args = ['device', '--url', url, '--count', '5', '--reconnect', '--data-dir', dataDirWith()];
    const boards = startCli(args);
    await expect
      .poll(boards.noted)
      .toContain('Devices wait for approval. Approve them in the window, or on the machine of a node');
    await expect.poll(async () => (await toolwire('devices')).out.match(/Waiting for approval/g)).toHaveLength(5);
    const [first, second] = (JSON.parse((await toolwire('devices', '--json')).out) as DeviceInfo[]).map(({ id }) => id);
    const several = await toolwire('approve', first ?? '', 'missing-board', second ?? '', first ?? '');
    expect(several.code).toBe(1);
    expect(several.err.split('\n')).toEqual([
      expect.stringMatching(new RegExp(`^.+ \\(${first}\\) is approved\\.$`)),
      expect.stringContaining('toolwire: No device "missing-board" is known. '),
      expect.stringMatching(new RegExp(`^.+ \\(${second}\\) is approved\\.$`)),
      '',
    ]);
    expect((await toolwire('approve', '--all-waiting')).err).toMatch(
      /^(.* is approved\.\n){3}3 devices are approved\.\n$/,
    );
    expect(await boards.firstLine()).toContain('5 of 5 devices are connected');
    boards.child.kill('SIGINT');
    await boards.ended;
    // They have the same ids again.
    const again = startCli(args);
    expect(await again.firstLine()).toContain('5 of 5 devices are connected');
    again.child.kill('SIGINT');
    expect((await again.ended).err).toBe('');
    expect(await toolwire('approve', '--all-waiting')).toMatchObject({ code: 0, err: '0 devices are approved.\n' });
    expect(await toolwire('approve')).toMatchObject({ code: 2 });
  });

  test('a virtual device that is not approved says so', async () => {
    const { device, toolwire } = await startServing('--device-host', host);
    const url = `http://${host}:${device.port}/xiaozhi/ota/`;
    const waiting = startCli(['device', '--url', url, '--name', 'Porch', '--reconnect', '--data-dir', dataDirWith()]);
    await expect.poll(async () => (await toolwire('devices')).out).toContain('Waiting for approval');
    expect((await toolwire('reject', 'Porch')).code).toBe(0);
    await expect
      .poll(waiting.noted)
      .toContain(
        'toolwire: This device was rejected in Toolwire, which closed the connection (1008); it will try again.\n',
      );
    waiting.child.kill('SIGINT');
    await waiting.ended;
  });

  test('the state names the call that failed, as the window does', async () => {
    const { dir, toolwire } = await startServing('--device-host', host);
    const device = startCli(['device', '--name', 'Desk', '--fault', 'crash-on-call', '--data-dir', dir]);
    await device.firstLine();
    const tool = /\S+_self\.get_device_status/;
    await expect.poll(async () => (await toolwire('tools')).out).toMatch(tool);
    const [name = ''] = tool.exec((await toolwire('tools')).out) ?? [];
    expect(await toolwire('call', name)).toMatchObject({ code: 4 });
    expect((await toolwire('devices')).out).toMatch(/ {2}Disconnected during call #\d+ {2}.*Desk\n$/);
    await device.ended;
  });

  test('a virtual device of this machine needs no approval', async () => {
    const { dir, toolwire } = await startServing('--device-host', host);
    const device = startCli(['device', '--name', 'Desk', '--data-dir', dir]);
    await device.firstLine();
    expect((await toolwire('devices')).out).toMatch(/ {2}this machine {2}.*Desk\n$/);
    expect(await toolwire('approve', 'Desk')).toMatchObject({
      code: 1,
      err: 'toolwire: Desk is on this machine and needs no approval.\n',
    });
    expect((await toolwire('forget', 'Desk')).err).toContain('Desk is connected. Disconnect it first.');
    expect((await toolwire('disconnect', 'Desk')).code).toBe(0);
    await device.ended;
    expect((await toolwire('forget', 'Desk')).err).toBe('Desk is removed.\n');
    const names = ['One', 'Two', 'Three'];
    const others = names.map((each) => startCli(['device', '--name', each, '--data-dir', dir]));
    for (const each of others) await each.firstLine();
    expect(await toolwire('disconnect', 'One', 'Two')).toMatchObject({ code: 0 });
    await expect.poll(async () => (await toolwire('forget', '--disconnected')).err).toBe('2 devices are removed.\n');
    await toolwire('disconnect', 'Three');
    await expect.poll(async () => (await toolwire('forget', '--disconnected')).err).toBe('1 device is removed.\n');
    expect(await toolwire('forget')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--disconnected') as string,
    });
    expect(await toolwire('forget', 'Desk', '--disconnected')).toMatchObject({ code: 2 });
    expect(await toolwire('devices')).toEqual({ code: 0, out: '', err: 'No device has connected yet.\n' });
  });

  test('a workbench that listens elsewhere already is named', async () => {
    const { dir } = await startServing();
    const { code, err } = await runCli(['serve', '--device-host', '0.0.0.0', '--json', '--data-dir', dir]);
    expect(code).toBe(1);
    expect(err).toContain('It listens for devices on 127.0.0.1. End it and run this command again');
  });
});

test.each([
  [[], 'Live'],
  [['--fault', 'wrong-pages'], 'Tools incomplete'],
])('devices prints what the window shows of a device: %j', async (faults, word) => {
  const { dir, toolwire } = await startServing();
  const device = startCli(['device', '--name', 'Desk', ...faults, '--data-dir', dir]);
  await device.firstLine();
  await expect
    .poll(async () => (await toolwire('devices')).out)
    .toMatch(new RegExp(`^\\S+ {2}${word} {2}\\d+ tools? `));
  const [info] = JSON.parse((await toolwire('devices', '--json')).out) as DeviceInfo[];
  expect(info).toMatchObject({ state: 'ready', health: word === 'Live' ? 'ready' : 'list-incomplete' });
});

test('without --device-host nothing of the network can connect', async () => {
  const { device } = await startServing();
  expect(device.host).toBe('127.0.0.1');
  expect(device.otaUrls).toEqual([`http://127.0.0.1:${device.port}/xiaozhi/ota/`]);
  expect(device).not.toHaveProperty('isHostFixed');
});

test.each([
  ['localhost', 2, /--device-host must be 0\.0\.0\.0 or an IPv4 address of this machine; it is "localhost"/],
  ['::', 2, /it is "::"/],
  ['203.0.113.9', 1, /This machine has no address 203\.0\.113\.9/],
])('--device-host %s is refused', async (host, code, message) => {
  const ended = await runCli(['serve', '--port', '0', '--device-host', host, '--data-dir', dataDirWith()]);
  expect(ended.code).toBe(code);
  expect(ended.err).toMatch(message);
});

test('a device that is not known is named with those that are', async () => {
  const { code, err } = await runCli(['approve', 'missing-board', '--data-dir', dataDirWith()]);
  expect({ code, err }).toEqual({
    code: 1,
    err: 'toolwire: No device "missing-board" is known. None has connected yet.\n',
  });
});
