import { describe, expect, test } from 'vitest';
import { readHello } from '../../../../src-core/features/devices/wire/readHello.ts';
import type { JsonObject } from '../../../../src-core/base/json.ts';
import { openHub } from './support/openHub.ts';
import { boardId } from './support/remoteBoard.ts';
import { connectScripted } from './support/scriptedDevice.ts';

/** As real clients send them (docs/protocols/xiaozhi.md#hello). */
const firmware = {
  type: 'hello',
  version: 3,
  features: { mcp: true, aec: true, glyph_push: false },
  text_font: { bundle: 'b', charset: 'c', size: 16, bpp: 4 },
  transport: 'websocket',
  audio_params: { format: 'opus', sample_rate: 16_000, channels: 1, frame_duration: 60 },
};
const python = {
  type: 'hello',
  version: 1,
  features: { mcp: true },
  transport: 'websocket',
  audio_params: { format: 'opus', sample_rate: 16_000, channels: 1, frame_duration: 20 },
};
const page = {
  type: 'hello',
  device_id: '02:00:00:00:00:07',
  device_name: '数字人',
  device_mac: '02:00:00:00:00:08',
  token: 'your-token1',
  features: { mcp: true, emoji: 'yes' },
};

describe('a hello as the clients send it', () => {
  test.each([
    [
      'the firmware, version 3',
      firmware,
      {
        protocolVersion: 3,
        features: { mcp: true, aec: true, glyph_push: false },
        audioParams: { format: 'opus', sampleRate: 16_000, channels: 1, frameDurationMs: 60 },
      },
      'version 3, MCP, aec',
    ],
    ['py-xiaozhi', python, { protocolVersion: 1, audioParams: { frameDurationMs: 20 } }, 'version 1, MCP'],
    ['a page', page, { features: { mcp: true }, name: '数字人' }, 'MCP'],
    ['version 2', { ...firmware, version: 2 }, { protocolVersion: 2 }, 'version 2, MCP, aec'],
  ])('%s: is answered, read and told', async (_who, hello, expected, fact) => {
    const { wsUrl, device } = await openHub();
    const board = await connectScripted(wsUrl);
    board.send(hello);
    const ready = await device(({ state }) => state === 'ready');
    expect(ready).toMatchObject({ id: boardId, toolCount: 2, ...expected });
    expect(ready.doctor.steps.find(({ id }) => id === 'hello')?.fact).toBe(fact);
    expect(board.received[0]).toMatchObject({ type: 'hello', transport: 'websocket', version: 1 });
  });

  test('the token in a page’s hello is in no log', async () => {
    const { wsUrl, device, hub } = await openHub();
    const board = await connectScripted(wsUrl);
    board.send(page);
    await device(({ state }) => state === 'ready');
    expect(JSON.stringify(hub.frames({ limit: 100 }))).not.toContain('your-token1');
  });
});

describe('which device it is', () => {
  test('says the header, whatever hello says', async () => {
    const { wsUrl, device } = await openHub();
    const board = await connectScripted(wsUrl);
    board.send(page);
    expect((await device(({ state }) => state === 'ready')).id).toBe(boardId);
  });

  test('identifies the device if nothing else does, and keeps its log', async () => {
    const { wsUrl, device, hub } = await openHub();
    const gone: string[] = [];
    hub.onChange((id) => gone.push(id));
    const board = await connectScripted(wsUrl, { headers: {} });
    await device(({ state }) => state === 'hello', 'Unnamed-1');
    board.send({ ...page, device_id: page.device_id.toUpperCase() });
    await device(({ state }) => state === 'ready', page.device_id);
    expect(hub.devices().map(({ id }) => id)).toEqual([page.device_id]);
    expect(gone).toContain('Unnamed-1');
    const summaries = hub.frames({ deviceId: page.device_id, limit: 3 }).map(({ summary }) => summary);
    expect(summaries).toHaveLength(3);
    expect(hub.frames({ deviceId: page.device_id, limit: 100 }).slice(0, 3)).toMatchObject([
      { kind: 'open', connection: page.device_id },
      { type: 'hello', direction: 'in' },
      { type: 'hello', direction: 'out' },
    ]);
  });

  test('uses device_mac if there is no device_id', async () => {
    const { wsUrl, device } = await openHub();
    const board = await connectScripted(wsUrl, { headers: {} });
    board.send({ ...page, device_id: '' });
    await device(({ state }) => state === 'ready', page.device_mac);
  });

  test('is not the id that a device of another node would have', async () => {
    const { wsUrl, device } = await openHub();
    const other = 'Lamp@0123456789ABCDEF';
    const board = await connectScripted(wsUrl, { headers: { 'Device-Id': other } });
    await device(({ state }) => state === 'hello', 'Unnamed-1');
    board.send({ ...page, device_id: other });
    await device(({ state }) => state === 'ready', page.device_mac);
  });

  test('as said in hello replaces the connection that the same device had before', async () => {
    const { wsUrl, device, hub } = await openHub();
    const first = await connectScripted(wsUrl, { headers: { 'Device-Id': page.device_id } });
    first.hello();
    const { registryId } = await device(({ state }) => state === 'ready');
    const second = await connectScripted(wsUrl, { headers: {} });
    second.send(page);
    expect(await first.closed).toEqual({ code: 1000, reason: 'the device connected again' });
    expect((await device(({ state }) => state === 'ready')).registryId).toBe(registryId);
    expect(hub.devices()).toHaveLength(1);
  });

  test('a second hello without MCP takes its tools away', async () => {
    const { wsUrl, device, registry, toolRegistryManager } = await openHub();
    const board = await connectScripted(wsUrl);
    board.hello();
    await registry();
    board.hello({ features: {} });
    expect(await device(({ registryId }) => registryId === undefined)).toMatchObject({
      error: { code: 'no-mcp' },
      doctor: { cause: 'no-mcp' },
    });
    expect(toolRegistryManager.getAllTools()).toEqual([]);
  });
});

describe('readHello', () => {
  test.each<[string, JsonObject, object]>([
    ['nothing at all', {}, { mcp: false }],
    ['MCP that is not true', { features: { mcp: 'true' } }, { mcp: false }],
    ['a version that is text', { version: '3', features: { mcp: true } }, { mcp: true, features: { mcp: true } }],
    ['a version that is not a whole number', { version: 1.5 }, { mcp: false }],
    ['a version of the future', { version: 7 }, { mcp: false, version: 7 }],
    ['features that are a list', { features: ['mcp'] }, { mcp: false }],
    ['audio that is text', { audio_params: 'opus' }, { mcp: false }],
    [
      'audio out of all bounds',
      { audio_params: { format: 'x'.repeat(99), sample_rate: -1, channels: 1e99, frame_duration: '60' } },
      { mcp: false, audioParams: { format: 'x'.repeat(16) } },
    ],
  ])('reads %s', (_what, said, expected) => {
    expect(readHello(said)).toEqual(expected);
  });

  test('keeps a bounded number of features, of plain names', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, true]));
    const features = JSON.parse(
      JSON.stringify({ mcp: true, 'a b': true, ['x'.repeat(99)]: true, constructor: true, ...many }),
    ) as JsonObject;
    const said = readHello({ features });
    expect(Object.keys(said.features ?? {})).toHaveLength(32);
    expect(said.features).toMatchObject({ mcp: true, constructor: true, f0: true });
    expect(said.mcp).toBe(true);
  });

  test('ignores __proto__', () => {
    const said = readHello(
      JSON.parse('{"__proto__":{"version":3},"features":{"__proto__":{"mcp":true}}}') as JsonObject,
    );
    expect(said).toEqual({ mcp: false });
    expect(said.version).toBeUndefined();
  });
});
