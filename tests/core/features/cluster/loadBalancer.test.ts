/** Devices and requests of two nodes behind HAProxy, with the configuration of docs/cluster.md. */
import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';

import { addressesOf, addressText } from '../../../../src-core/cli/addresses.ts';
import { proxyOf } from '../../../../src-core/cli/cluster.ts';
import { readCommandLine } from '../../../../src-core/cli/readCommandLine.ts';
import { serveCommand } from '../../../../src-core/cli/serve.ts';
import { askOta } from '../../../../src-core/deviceSide/client/askOta.ts';
import { createVirtualDeviceOf } from '../../../../src-core/features/devices/virtual/profiles.ts';
import { haproxy } from '../../../helpers/findHaproxy.ts';
import { noHaproxy } from '../../../helpers/haproxy.ts';
import { natsServer, noNatsServer } from '../../../helpers/natsServer.ts';
import { call, openWorkbench, until } from '../../workbench/openWorkbench.ts';
import { find, guideBlock, openNodes } from './balancedNodes.ts';

describe.skipIf(natsServer === undefined || haproxy === undefined)(
  `behind a load balancer (${natsServer ?? noNatsServer}, ${haproxy ?? noHaproxy})`,
  () => {
    test.each(['HTTP', 'TCP'] as const)('a device connects, takes a photo and is called in %s mode', async (mode) => {
      const { port, publicUrl, nodes } = await openNodes(mode);
      const device = createVirtualDeviceOf('firmware', { url: `${publicUrl}/xiaozhi/ota/` });
      onTestFinished(() => device.close());
      const { deviceId } = device;
      const connecting = device.connect();
      // It is of another machine: it waits for approval, at the node that has it.
      const owner = await Promise.any(
        nodes.map(async (node) => {
          await until(node, () => find(node, deviceId)?.state === 'approval');
          return node;
        }),
      );
      expect(find(owner, deviceId)).toMatchObject({ remote: true, remoteAddress: '127.0.0.1' });
      await owner.services.devices.approve({ id: deviceId, clientId: find(owner, deviceId)?.clientId ?? '' });
      await connecting;
      const caller = nodes.find((node) => node !== owner)!;
      await until(caller, () => find(caller, deviceId)?.registryId !== undefined);
      expect(await call(caller, find(caller, deviceId)!, 'self.get_device_status')).toMatchObject({
        status: 'success',
      });
      const photo = await call(caller, find(caller, deviceId)!, 'self.camera.take_photo', { question: 'What is it?' });
      expect(photo).toMatchObject({ status: 'success' });
      expect(owner.services.vision.list()).toMatchObject([{ deviceId, question: 'What is it?' }]);

      const identity = { deviceId: '02:00:00:00:00:09', clientId: 'c', board: 'b', version: '1' };
      const { url } = await askOta({ url: `${publicUrl}/xiaozhi/ota/`, identity, signal: AbortSignal.timeout(5_000) });
      expect(url).toBe(`ws://localhost:${port}/xiaozhi/v1/`);
      // Another address of this machine asks.
      const asked = request(`${publicUrl}/xiaozhi/ota/`, {
        method: 'POST',
        headers: { 'Device-Id': '02:00:00:00:00:0a', 'X-Forwarded-For': '203.0.113.1' },
        localAddress: '127.0.0.9',
        family: 4,
      }).end();
      await once(asked, 'response');
      asked.destroy();
      const seen = nodes.flatMap((node) => find(node, '02:00:00:00:00:0a') ?? []);
      expect(seen.map(({ remoteAddress }) => remoteAddress)).toContain('127.0.0.9');
    });
  },
);

test('the public address is the first that is offered for a device', async () => {
  const proxy = { publicUrl: 'https://devices.example:8443', trusted: [] };
  const { services, info } = await openWorkbench({ proxy });
  const urls = {
    otaUrl: 'https://devices.example:8443/xiaozhi/ota/',
    webSocketUrl: 'wss://devices.example:8443/xiaozhi/v1/',
  };
  expect(services.devices.connectionFacts().addresses[0]).toEqual({
    host: 'devices.example:8443',
    interface: '',
    isPublic: true,
    ...urls,
  });
  const { device } = info();
  const own = `http://127.0.0.1:${device.port}/xiaozhi/ota/`;
  expect(device).toMatchObject({ fixedProxy: expect.any(Object) as object, ...urls, otaUrls: [own] });
  const addresses = addressesOf(info(), { pid: 1, origin: 'http://127.0.0.1:1', link: '' });
  expect(addressText(addresses)).toContain(`  Devices  ${urls.otaUrl}\n           at this machine: ${own}\n`);
});

test('the public address of the settings is announced when it is set, and hosts keep the address of this node', async () => {
  const { services, info } = await openWorkbench({ deviceHost: '0.0.0.0' });
  const announced = async (): Promise<void> => {
    for await (const { topics } of services.workbench.events()) if (topics.includes('info')) return;
  };
  const proxy = { publicUrl: 'http://devices.example', trusted: [] };
  await Promise.all([announced(), services.settings.set({ proxy })]);
  const { otaUrl, otaUrls } = info().device;
  expect(otaUrl).toBe('http://devices.example/xiaozhi/ota/');
  services.hosts.setOpenToNetwork({ open: true });
  expect(services.hosts.state().url).toBe(`${new URL(otaUrls[0]!).origin}/mcp`);
  await services.settings.set({ proxy: { publicUrl: '', trusted: [] } });
  expect(info().device.otaUrl).toBe(info().device.otaUrls[0]);
});

test('the public name is accepted in Host, and only by it a device of this machine is not sent away', async () => {
  const { info } = await openWorkbench({ proxy: { publicUrl: 'https://devices.example', trusted: [] } });
  const { port } = info().device;
  const ask = async (host: string) => {
    const asked = request({ port, path: '/xiaozhi/ota/', headers: { Host: host } }).end();
    const [response] = (await once(asked, 'response')) as [AsyncIterable<Buffer> & { statusCode: number }];
    let text = '';
    for await (const chunk of response) text += chunk.toString();
    return { status: response.statusCode, text };
  };
  expect((await ask('other.example')).status).toBe(421);
  const { status, text } = await ask('devices.example');
  expect(status).toBe(200);
  expect(text).toContain(`ws://127.0.0.1:${port}/`);
});

test('the unit of systemd starts a node with flags that exist', () => {
  const [program, command, ...args] = /^ExecStart=(.*)$/m.exec(guideBlock('ini\n[Unit]'))?.[1]?.split(' ') ?? [];
  expect([program, command]).toEqual(['/usr/bin/toolwire', 'serve']);
  const { flags } = readCommandLine(serveCommand, args);
  expect(proxyOf(flags)).toEqual({ publicUrl: 'http://devices.example', trusted: ['10.0.0.5'] });
});
