/** How the virtual devices speak on their sockets (docs/protocols/xiaozhi.md). */
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DeviceClient } from '../../../../src-core/deviceSide/client/deviceClient.ts';
import { McpServer } from '../../../../src-core/deviceSide/mcp/mcpServer.ts';
import { McpTool } from '../../../../src-core/deviceSide/mcp/mcpTool.ts';
import { Property } from '../../../../src-core/deviceSide/mcp/property.ts';
import { PropertyList } from '../../../../src-core/deviceSide/mcp/propertyList.ts';
import { firmwareProfile } from '../../../../src-core/features/devices/virtual/firmware/firmwareProfile.ts';
import { createVirtualDeviceOf } from '../../../../src-core/features/devices/virtual/profiles.ts';
import { mcp, startXiaozhiServer } from '../../deviceSide/support/xiaozhiServer.ts';

async function connected(profile: string, hello?: object) {
  const { url, visit } = await startXiaozhiServer(hello === undefined ? {} : { hello });
  let closed: (reason: string | undefined) => void = () => {};
  const lost = new Promise<string | undefined>((resolve) => (closed = resolve));
  const device = createVirtualDeviceOf(profile, {
    url,
    onState: (state, reason) => {
      if (state === 'closed') closed(reason);
    },
  });
  onTestFinished(() => device.close());
  return { device, url, visit, lost };
}

describe('a board', () => {
  test('names no port in Host, echoes the session, and listens after hello', async () => {
    const { device, visit } = await connected('esp32-s3-box');
    await device.connect();
    const server = await visit(0);
    expect(server.headers).toMatchObject({ host: '127.0.0.1', 'protocol-version': '1' });
    expect(server.headers.authorization).toBeUndefined();
    expect(await server.frame('"listen"')).toBe('{"session_id":"s-1","type":"listen","state":"start","mode":"auto"}');
  });

  test('never answers a close frame: idle at once, and the connection stays until it is cut', async () => {
    const { device, visit, lost } = await connected('firmware');
    await device.connect();
    const server = await visit(0);
    server.socket.close(1000, 'bye');
    expect(await lost).toBe('code 1000, bye');
    expect(device.state()).toBe('closed');
    const again = device.connect();
    // The new connection ends what was left of the old one, without a word.
    expect(await server.closed).toBe(1006);
    await again;
    expect(device.state()).toBe('connected');
  });

  test('leaves without a close frame', async () => {
    const { device, visit } = await connected('firmware');
    await device.connect();
    const server = await visit(0);
    await device.close();
    expect(await server.closed).toBe(1006);
  });

  test('crashes on a hello without a transport, and reboots when told', async () => {
    const crashing = await connected('firmware', { type: 'hello', session_id: 's' });
    await expect(crashing.device.connect()).rejects.toThrow('without a close frame (1006) before the server');
    const { device, visit, lost } = await connected('firmware');
    await device.connect();
    (await visit(0)).send({ type: 'system', command: 'reboot' });
    expect(await lost).toBe('no close frame (1006)');
  });

  test('answers fragments and 200 kB, and sends nothing at all beyond 65,535 bytes', async () => {
    const { url, visit } = await startXiaozhiServer();
    const server = new McpServer({ dialect: firmwareProfile.dialect });
    server.addTool(
      new McpTool({
        name: 'blob',
        description: '',
        properties: new PropertyList([new Property('bytes', 'integer')]),
        callback: ({ bytes }) => 'a'.repeat(Number(bytes)),
      }),
    );
    const client = new DeviceClient({ url, server, wire: firmwareProfile.wire });
    onTestFinished(() => client.close());
    await client.connect();
    const { send, frame, frames, socket } = await visit(0);
    const envelope =
      '{"session_id":"s-1","type":"mcp","payload":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":""}],"isError":false}}}';
    send(mcp(1, 'tools/call', { name: 'blob', arguments: { bytes: 65_536 - envelope.length } }));
    send(mcp(2, 'tools/call', { name: 'blob', arguments: { bytes: 65_535 - envelope.length } }));
    expect((await frame('"id":2')).length).toBe(65_535);
    expect(frames.some((text) => text.includes('"id":1'))).toBe(false);
    const long = JSON.stringify(mcp(3, 'initialize', { filler: 'x'.repeat(200_000) }));
    socket.send(long.slice(0, 100), { fin: false });
    socket.send(long.slice(100));
    expect(await frame('"id":3')).toContain('serverInfo');
    const pong = once(socket, 'pong');
    socket.ping();
    await pong;
  });
});

describe('py-xiaozhi', () => {
  test('writes Python: None for a token, blanks in JSON, an empty session, a close frame with 1000', async () => {
    const { device, visit } = await connected('py-xiaozhi');
    await device.connect();
    const server = await visit(0);
    expect(server.headers.authorization).toBe('Bearer None');
    expect(server.headers.host).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(server.frames[0]).toContain('"type": "hello", "version": 1, "features": {"mcp": true}');
    expect(await server.frame('"listen"')).toBe(
      '{"session_id": "", "type": "listen", "state": "start", "mode": "manual"}',
    );
    await device.close();
    expect(await server.closed).toBe(1000);
  });

  test('ignores a hello without a transport', async () => {
    const { device, visit } = await connected('py-xiaozhi', { type: 'hello', session_id: 's' });
    const connecting = device.connect().catch((error: unknown) => error);
    const server = await visit(0);
    server.send(mcp(1, 'initialize'));
    await server.frame('py-xiaozhi');
    server.send({ type: 'hello', transport: 'websocket' });
    expect(await connecting).toBeUndefined();
  });

  test('answers a payload that is JSON text', async () => {
    const { device, visit } = await connected('py-xiaozhi');
    await device.connect();
    const server = await visit(0);
    server.send({ type: 'mcp', payload: JSON.stringify(mcp('abc', 'initialize').payload) });
    expect(await server.frame('"id": "abc"')).toContain('"name": "py-xiaozhi"');
  });
});

test('an unknown profile is refused with the names there are', () => {
  expect(() => createVirtualDeviceOf('toaster', { url: 'ws://127.0.0.1:1/' })).toThrow(
    'There is no virtual device "toaster". Choose one of: firmware, py-xiaozhi, device-library.',
  );
});
