/** `toolwire device` against a server that is not ours. */
import { expect, test } from 'vitest';

import { mcp, startXiaozhiServer } from '../deviceSide/support/xiaozhiServer.ts';
import { dataDirWith, runCli, startCli } from './cliProcess.ts';

test('a profile with a name, a latency and a fault connects to any server', async () => {
  const { url, visit } = await startXiaozhiServer();
  const args = ['device', '--url', url, '--profile', 'py-xiaozhi', '--name', 'Desk'];
  const device = startCli([...args, '--fault', 'garbage,slow', '--latency', '1', '--data-dir', dataDirWith()]);
  expect(await device.firstLine()).toContain(`is connected to ${url}`);
  const server = await visit(0);
  expect(server.frames[0]).toContain('"device_name": "Desk"');
  server.send(mcp(1, 'initialize'));
  expect(await server.frame('serverInfo')).toContain('"name": "py-xiaozhi"');
  server.socket.terminate();
  expect(await device.ended).toMatchObject({
    code: 1,
    err: 'toolwire: The device was disconnected: no close frame (1006).\n',
  });
});

test('the profile device-library lists all tools of the library, infrared among them', async () => {
  const { url, visit } = await startXiaozhiServer();
  const device = startCli(['device', '--url', url, '--profile', 'device-library', '--data-dir', dataDirWith()]);
  await device.firstLine();
  const server = await visit(0);
  server.send(mcp(1, 'tools/list', { cursor: 'self.ir.list_codes' }));
  const list = await server.frame('self.ir.learn_external');
  for (const name of ['list_codes', 'send_named', 'send_hex']) expect(list).toContain(`"self.ir.${name}"`);
  device.child.kill('SIGINT');
  expect(await device.ended).toMatchObject({ code: 0 });
});

test('with --mac it is the same device at each start', async () => {
  const { url, visit } = await startXiaozhiServer();
  const args = ['device', '--url', url, '--data-dir', dataDirWith(), '--mac', '02:00:00:AA:BB:CC'];
  const idsOf = async (start: number) => {
    const device = startCli(args);
    expect(await device.firstLine()).toContain('02:00:00:aa:bb:cc is connected');
    const { headers, frame } = await visit(start);
    await frame('"hello"');
    device.child.kill('SIGINT');
    expect(await device.ended).toMatchObject({ code: 0 });
    return [headers['device-id'], headers['client-id']];
  };
  const first = await idsOf(0);
  expect(first[0]).toBe('02:00:00:aa:bb:cc');
  expect(await idsOf(1)).toEqual(first);
  expect(await runCli([...args.slice(0, -1), 'desk'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--mac must be a MAC address such as 02:00:00:00:00:01; it is "desk".') as string,
  });
});

test('with --reconnect it says why it was lost, and comes back until Ctrl+C', async () => {
  const { url, visit } = await startXiaozhiServer();
  const device = startCli(['device', '--url', url, '--reconnect', '--data-dir', dataDirWith()]);
  await device.firstLine();
  (await visit(0)).socket.close(1001, 'restart\u001b[2J');
  await (await visit(1)).frame('"listen"');
  device.child.kill('SIGINT');
  expect(await device.ended).toMatchObject({
    code: 0,
    err: 'toolwire: code 1001, restart\\u001b[2J; it will try again.\ntoolwire: It is connected again.\n',
  });
});

test('with --reconnect it says once why attempts in a row have failed', async () => {
  const { url, visit } = await startXiaozhiServer({ hello: false });
  const device = startCli(['device', '--url', url, '--reconnect', '--data-dir', dataDirWith()]);
  for (const at of [0, 1]) (await visit(at)).socket.close(1013, 'busy');
  await visit(2);
  expect(device.noted()).toMatch(/^toolwire: .*busy.*; it will try again\.\n$/);
});

test('with --count it connects many, says how it went, and ends all at Ctrl+C', async () => {
  const { url, visit } = await startXiaozhiServer();
  const args = ['device', '--url', url, '--count', '3', '--first', '254', '--name', 'Board', '--json'];
  const devices = startCli([...args, '--data-dir', dataDirWith()]);
  expect(JSON.parse(await devices.firstLine())).toMatchObject({ url, wanted: 3, connected: 3, failed: 0, reasons: [] });
  const visits = [await visit(0), await visit(1), await visit(2)];
  expect(visits.map(({ headers }) => headers['device-id']).sort()).toEqual([
    '02:74:77:00:00:fe',
    '02:74:77:00:00:ff',
    '02:74:77:00:01:00',
  ]);
  expect(visits.map(({ frames }) => frames[0]).join()).toContain('Board 256');
  devices.child.kill('SIGINT');
  expect(await devices.ended).toMatchObject({ code: 0, err: '' });
  await Promise.all(visits.map(({ closed }) => closed));
});

test('with --count it ends once all are disconnected', async () => {
  const { url, visit } = await startXiaozhiServer();
  const devices = startCli(['device', '--url', url, '--count', '2', '--json', '--data-dir', dataDirWith()]);
  expect(JSON.parse(await devices.firstLine())).toMatchObject({ connected: 2 });
  for (const at of [0, 1]) (await visit(at)).socket.terminate();
  expect(await devices.ended).toMatchObject({ code: 1, err: 'toolwire: 2 connections were lost meanwhile.\n' });
});

test('with --count and --reconnect it says how many connections were lost, and are back', async () => {
  const { url, visit } = await startXiaozhiServer();
  const devices = startCli(['device', '--url', url, '--count', '2', '--reconnect', '--data-dir', dataDirWith()]);
  await devices.firstLine();
  for (const at of [0, 1]) (await visit(at)).socket.terminate();
  await expect.poll(devices.noted).toMatch(/toolwire: 2 connections were lost; 2 are back after \d+\.\d s\.\n$/);
  devices.child.kill('SIGINT');
  expect(await devices.ended).toMatchObject({ code: 0 });
});

test('with --count it counts the reasons why devices do not connect', async () => {
  const args = ['device', '--url', 'ws://127.0.0.1:1/', '--count', '2', '--data-dir', dataDirWith()];
  const { code, out, err } = await runCli(args);
  expect(code).toBe(1);
  expect(out).toMatch(/^0 of 2 devices are connected to ws:/);
  expect(err).toMatch(/^toolwire: 2 ×: .*ECONNREFUSED/);
});

test.each<[string[], RegExp]>([
  [['--fault', 'garbage,lazy'], /There is no fault "lazy"\. Choose of: slow, silent, garbage/],
  [['--name', 'x'.repeat(65)], /--name must have at most 64 characters; it has 65/],
  [['--latency', 'soon'], /--latency must be a whole number from 0 to 600000; it is "soon"/],
  [['--count', '10001'], /--count must be a whole number from 1 to 10000; it is "10001"/],
  [['--count', '0'], /--count must be a whole number from 1 to 10000/],
  [['--first', '1'], /--first needs --count N\./],
  [['--json'], /--json needs --count N\./],
  [['--profile', 'esp32'], /There is no profile "esp32"\. Choose one of: firmware, py-xiaozhi, device-library\./],
])('%j is a wrong command line', async (args, message) => {
  const { code, err } = await runCli(['device', ...args]);
  expect(code).toBe(2);
  expect(err).toMatch(message);
});
