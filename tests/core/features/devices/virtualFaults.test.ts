/** What is wrong with a virtual device on purpose, and what our own hub makes of it. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { VirtualFault } from '../../../../src-core/features/devices/virtual/faults.ts';
import { createVirtualDeviceOf, virtualProfileIds } from '../../../../src-core/features/devices/virtual/profiles.ts';
import type { ToolError } from '../../../../src-core/base/errors.ts';
import type { ToolOutput } from '../../../../src-core/registry/types.ts';
import { mcp, startXiaozhiServer } from '../../deviceSide/support/xiaozhiServer.ts';
import { invokeOptions, openHub } from './support/openHub.ts';

async function connect(profile: string, url: string, faults: VirtualFault[] = [], latencyMs = 0) {
  const device = createVirtualDeviceOf(profile, { url, faults, latencyMs });
  onTestFinished(() => device.close());
  await device.connect();
  return device;
}

const settle = (call: Promise<ToolOutput>) => call.catch((error: unknown) => error as ToolError);

describe.each(virtualProfileIds)('a faulty %s', (profile) => {
  const volume = ['self.audio_speaker.set_volume', { volume: 5 }] as const;

  test('crash-on-call: the call ends at once, with the connection', async () => {
    const { wsUrl, registry, device } = await openHub();
    await connect(profile, wsUrl, ['crash-on-call']);
    const source = await registry();
    expect(await settle(source.invoke(...volume, invokeOptions()))).toMatchObject({ code: 'disconnected' });
    await device(({ state }) => state === 'closed');
  });

  test('disconnect-half-way: half an answer does not end the call', async () => {
    const { wsUrl, registry, device } = await openHub();
    await connect(profile, wsUrl, ['disconnect-half-way']);
    const source = await registry();
    expect(await settle(source.invoke(...volume, invokeOptions()))).toMatchObject({ code: 'disconnected' });
    await device(({ state }) => state === 'closed');
  });

  test('wrong-pages: the list leads back to its beginning; each tool is there once, and the device is usable', async () => {
    const { wsUrl, registry, device } = await openHub();
    await connect(profile, wsUrl, ['wrong-pages']);
    const source = await registry();
    const names = source.getMetadata().methods.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(10);
    expect(new Set(names).size).toBe(names.length);
    expect(source.getMetadata().error ?? '').not.toBe('');
    expect(await source.invoke(...volume, invokeOptions())).toMatchObject({ value: 'true' });
    expect((await device(() => true)).toolCount).toBe(names.length);
  });

  test('silent: calls get no answer, and everything else does', async () => {
    const { url, visit } = await startXiaozhiServer();
    await connect(profile, url, ['silent']);
    const server = await visit(0);
    const [name, args] = volume;
    for (const id of [11, 12]) server.send(mcp(id, 'tools/call', { name, arguments: args }));
    server.send(mcp(13, 'tools/list'));
    await server.frame('"tools"');
    server.send(mcp(14, 'initialize'));
    await server.frame('serverInfo');
    expect(server.frames.filter((frame) => /"id": ?1[12]/.test(frame))).toEqual([]);
  });

  test('garbage: each kind reaches the server, and the connection stays', async () => {
    const { url, visit } = await startXiaozhiServer();
    await connect(profile, url, ['garbage']);
    const server = await visit(0);
    const binary = new Promise<Buffer>((resolve) =>
      // What begins like JSON is no audio of the board's.
      server.socket.on('message', (data: Buffer, isBinary) => void (isBinary && data[0] === 0x7b && resolve(data))),
    );
    const [name, args] = volume;
    for (const id of [1, 2, 3, 4]) server.send(mcp(id, 'tools/call', { name, arguments: args }));
    expect((await binary).toString()).toContain('true');
    const [half, noise, foreign] = server.frames.slice(-3);
    expect(() => JSON.parse(half!) as unknown).toThrow(SyntaxError);
    expect(() => JSON.parse(noise!) as unknown).toThrow(SyntaxError);
    expect(foreign).toContain('"id":-1');
    server.send(mcp(5, 'initialize'));
    expect(await server.frame('serverInfo')).toContain('2024-11-05');
  });

  test('slow: an answer waits; it stops waiting when the connection goes', async () => {
    const { url, visit } = await startXiaozhiServer();
    const device = await connect(profile, url, ['slow'], 3_600_000);
    const server = await visit(0);
    const [name, args] = volume;
    server.send(mcp(1, 'tools/call', { name, arguments: args }));
    server.send(mcp(2, 'tools/call', { name: 'nothing' }));
    if (profile === 'py-xiaozhi') await server.frame('Unknown tool');
    await device.close();
    await server.closed;
    expect(server.frames.some((frame) => frame.includes('"id": 1') || frame.includes('"id":1,'))).toBe(false);
  });
});
