/** Captures from the terminal: out of a workbench, into another, replayed, and as a device. */
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';

import { connectToRunning } from '../../../src-core/rpc/runningWorkbench.ts';
import { serveWorkbench } from '../../../src-core/serveWorkbench.ts';
import { connectScripted, standardAnswer } from '../features/devices/support/scriptedDevice.ts';
import { dataDirWith, runCli, startCli } from './cliProcess.ts';

/** A workbench that runs, with one virtual device that did a little. */
async function running() {
  const dataDir = dataDirWith();
  const rendererDir = join(dataDir, 'window');
  mkdirSync(rendererDir);
  writeFileSync(join(rendererDir, 'index.html'), '');
  const port = { port: 0, mayMove: false };
  const onError = (error: unknown): never => {
    throw error;
  };
  const served = await serveWorkbench({
    dataDir,
    shell: 'browser',
    rendererDir,
    uiPort: port,
    devicePort: port,
    onError,
  });
  onTestFinished(() => served.close());
  const { client, close } = (await connectToRunning(dataDir))!;
  onTestFinished(close);
  const add = async (profile: string, name: string) => {
    await client.devices.addVirtual({ profile, name });
    for await (const { topics } of await client.workbench.events()) {
      if (!topics.includes('devices')) continue;
      const found = (await client.devices.list()).find((device) => device.name === name && device.state === 'ready');
      if (found !== undefined) return found;
    }
    throw new Error('the workbench has ended');
  };
  const device = await add('firmware', 'Desk');
  const volume = { toolName: device.registryId!, command: 'self.audio_speaker.set_volume', argsJson: '{"volume":40}' };
  await client.calls.execute({ ...volume, callId: 'a', origin: 'cli' });
  await client.calls.execute({
    ...volume,
    callId: 'b',
    origin: 'cli',
    command: 'self.get_device_status',
    argsJson: '{}',
  });
  return { dataDir, client, device, add, stop: () => served.close() };
}

test('a log goes into a file, and its calls run again on the same device and on another', async () => {
  const { dataDir, client, add, device, stop } = await running();
  const file = join(dataDir, 'desk.jsonl');
  const written = await runCli(['export', 'Desk', '--out', file, '--data-dir', dataDir]);
  expect(written).toEqual({ code: 0, out: '', err: `The log of Desk is in ${file}.\n` });
  const text = readFileSync(file, 'utf8');
  const printed = await runCli(['export', device.id.toUpperCase(), '--data-dir', dataDir]);
  expect(printed.out.split('\n').slice(1)).toEqual(text.split('\n').slice(1));

  const same = await runCli(['replay', file, '--on', 'Desk', '--data-dir', dataDir]);
  expect(same).toMatchObject({ code: 0, err: '' });
  expect(same.out).toMatch(
    /^same +#\d+ self\.audio_speaker\.set_volume \{"volume":40\}\n(.|\n)*2 of 2 calls answered the same\.\n$/,
  );
  expect((await client.calls.history({ limit: 10 })).map(({ origin }) => origin)).toEqual(Array(4).fill('cli'));

  await add('py-xiaozhi', 'Laptop');
  const other = await runCli(['replay', file, '--on', 'Laptop', '--json', '--data-dir', dataDir]);
  expect(other.code).toBe(1);
  const { calls } = JSON.parse(other.out) as { calls: { verdict: string }[] };
  expect(calls.map(({ verdict }) => verdict)).toEqual(['same', 'not-there']);

  const taken = await runCli(['import', file, '--data-dir', dataDir]);
  expect(taken.out).toMatch(/^Capture \d+: \d+ frames of Desk, 2 calls\.\n$/);
  const [, id = ''] = /Capture (\d+)/.exec(taken.out) ?? [];
  expect(await runCli(['replay', id, '--on', 'Desk', '--data-dir', dataDir])).toMatchObject({ code: 0 });

  // What was replayed from a file left no capture behind.
  expect((await client.captures.list()).map((capture) => capture.id)).toEqual([id]);
  expect(await client.removed.list()).toEqual([]);

  await stop();
  // What was recorded is there without a workbench that runs.
  const later = await runCli(['export', 'Desk', '--data-dir', dataDir]);
  expect(later.out).toContain('"volume\\":40');
});

test('a replay keeps its results if the device is lost, and names the call that did not run', async () => {
  const { dataDir, client } = await running();
  const { webSocketUrl } = (await client.workbench.info()).device;
  const tools = ['first', 'crash', 'last'].map((name) => ({ name, inputSchema: { type: 'object' } }));
  let crashes = false;
  const board = await connectScripted(webSocketUrl, {
    answer({ id, method, params }) {
      if (method === 'tools/list') return { jsonrpc: '2.0', id, result: { tools } };
      if (method !== 'tools/call') return standardAnswer({ id, method });
      if (crashes && params?.['name'] === 'crash') board.socket.terminate();
      return { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'done' }] } };
    },
  });
  board.hello();
  const find = async () => (await client.devices.list()).find(({ name }) => name !== 'Desk');
  await expect.poll(async () => (await find())?.state).toBe('ready');
  const { id, registryId = '' } = (await find())!;
  for (const { name } of tools)
    await client.calls.execute({ callId: name, origin: 'cli', toolName: registryId, command: name, argsJson: '{}' });
  const file = join(dataDir, 'board.jsonl');
  await runCli(['export', id, '--out', file, '--data-dir', dataDir]);
  crashes = true;
  const replayed = await runCli(['replay', file, '--on', id, '--data-dir', dataDir]);
  expect(replayed.code).toBe(4);
  expect(replayed.out).toMatch(
    /^same +#\d+ first \{\}\nerror +#\d+ crash \{\}\n(.|\n)*1 of 2 calls answered the same; stopped half-way\.\n$/,
  );
  expect(replayed.err).toMatch(/^toolwire: Not run again from call #\d+ on: The target of the calls is not connected/);
});

test('a log without calls of a device is not replayed, and says why', async () => {
  const { dataDir, client, device } = await running();
  const [head = ''] = (await client.captures.exportPart({ deviceId: device.id })).text.split('\n');
  const bare = join(dataDir, 'bare.jsonl');
  writeFileSync(bare, head);
  const none = await runCli(['replay', bare, '--on', 'Desk', '--data-dir', dataDir]);
  expect(none).toEqual({ code: 1, out: '', err: `toolwire: ${bare} has no calls to run again.\n` });
  const gateway = join(dataDir, 'gateway.jsonl');
  writeFileSync(gateway, JSON.stringify({ ...(JSON.parse(head) as object), origin: 'gateway' }));
  const refused = await runCli(['replay', gateway, '--on', 'Desk', '--data-dir', dataDir]);
  expect(refused).toEqual({
    code: 1,
    out: '',
    err: `toolwire: ${gateway} is a log of the gateway. Only logs of devices and MCP servers can be replayed.\n`,
  });
  expect(await client.captures.list()).toEqual([]);
});

test('dangerous calls are left out and counted, unless --yes', async () => {
  const { dataDir, client, device } = await running();
  const text = (await client.captures.exportPart({ deviceId: device.id })).text;
  const file = join(dataDir, 'reboot.jsonl');
  const [head, ...lines] = text.trimEnd().split('\n');
  const request = lines.find((line) => line.includes('tools/call self.get_device_status'))!;
  writeFileSync(file, [head, request.replaceAll('self.get_device_status', 'self.reboot')].join('\n'));
  const replayed = await runCli(['replay', file, '--on', device.id, '--data-dir', dataDir]);
  expect(replayed).toMatchObject({ code: 0, err: 'toolwire: Dangerous calls left out: 1. --yes runs them.\n' });
  expect(replayed.out).toMatch(/^asks-first/);
});

test('a recorded device connects as a virtual one', async () => {
  const { dataDir, client, device } = await running();
  const file = join(dataDir, 'desk.jsonl');
  writeFileSync(file, (await client.captures.exportPart({ deviceId: device.id })).text);
  const again = startCli(['device', '--capture', file, '--name', 'Twin', '--data-dir', dataDir]);
  expect(await again.firstLine()).toMatch(/is connected to http/);
  for await (const { topics } of await client.workbench.events()) {
    if (!topics.includes('devices')) continue;
    const twin = (await client.devices.list()).find(({ name, state }) => name === 'Twin' && state === 'ready');
    if (twin === undefined) continue;
    expect(twin).toMatchObject({ toolCount: device.toolCount, board: device.board });
    break;
  }
  again.child.kill('SIGINT');
  expect(await again.ended).toMatchObject({ code: 0 });
});

test.each<[string[], number, RegExp]>([
  [['replay', 'x.jsonl'], 2, /--on must name the device/],
  [['export'], 2, /"toolwire export" needs DEVICE/],
  [['export', 'nobody'], 1, /No device "nobody" is known\. None has connected yet\./],
  [['import', '/nowhere/x.jsonl'], 1, /\/nowhere\/x\.jsonl cannot be read: there is no such file; check the path\./],
  [['import', '/'], 1, /\/ cannot be read: it is a folder\./],
  [['import', '/dev/null'], 1, /\/dev\/null is empty/],
  [['device', '--capture', '/dev/null'], 1, /is empty/],
  [['device', '--capture', 'x', '--profile', 'firmware'], 2, /--profile and --capture both say/],
])('%j fails and says why', async (args, expected, message) => {
  const { code, err } = await runCli([...args, '--data-dir', dataDirWith()]);
  expect(err).toMatch(message);
  expect(code).toBe(expected);
});

test('a file that is wrong says the line', async () => {
  const dataDir = dataDirWith();
  const file = join(dataDir, 'bad.jsonl');
  writeFileSync(
    file,
    '{"toolwire":"capture","version":1,"device":{"name":"a","deviceId":"b"},"exportedAt":1}\n{"seq":1}\n',
  );
  for (const args of [
    ['import', file],
    ['device', '--capture', file],
  ])
    expect((await runCli([...args, '--data-dir', dataDir])).err).toMatch(
      /Line 2 of the capture cannot be read: "at" must/,
    );
});

test('logs of the gateway and of a conversation go into files and come back', async () => {
  const { dataDir, client, stop } = await running();
  const none = await runCli(['export', '--conversation', 'latest', '--data-dir', dataDir]);
  expect(none).toMatchObject({ code: 1, out: '' });
  expect(none.err).toContain('No conversation "latest" is known. The log has none.');
  const { sessionId } = await client.realtime.open({ instructions: 'Be brief.' });
  await client.realtime.close({ id: sessionId });
  await client.gateway.configure({ settings: { port: 0 } });
  const { urls } = await client.gateway.setEnabled({ enabled: true });
  const socket = new WebSocket(urls[0]!);
  await once(socket, 'open');
  socket.close();
  await once(socket, 'close');

  const talk = join(dataDir, 'talk.jsonl');
  const written = await runCli(['export', '--conversation', 'latest', '--out', talk, '--data-dir', dataDir]);
  expect(written).toEqual({ code: 0, out: '', err: `The log of Scripted realtime model is in ${talk}.\n` });
  expect(JSON.parse(readFileSync(talk, 'utf8').split('\n')[0]!)).toMatchObject({
    origin: 'realtime',
    device: { deviceId: sessionId },
  });
  const byId = await runCli(['export', '--conversation', sessionId, '--data-dir', dataDir]);
  expect(byId.out.split('\n').slice(1)).toEqual(readFileSync(talk, 'utf8').split('\n').slice(1));
  const other = await runCli(['export', '--conversation', 'other', '--data-dir', dataDir]);
  expect(other.err).toContain(
    `No conversation "other" is known. The newest are: ${sessionId} (Scripted realtime model, `,
  );

  const gateway = await runCli(['export', '--gateway', '--data-dir', dataDir]);
  expect(JSON.parse(gateway.out.split('\n')[0]!)).toMatchObject({ version: 2, origin: 'gateway' });
  expect(gateway.out).toContain('"kind":"open"');
  const taken = await runCli(['import', talk, '--data-dir', dataDir]);
  expect(taken.out).toMatch(/^Capture \d+: \d+ frames of Scripted realtime model, 0 calls\.\n$/);
  await stop();

  // Without a workbench that runs, the command reads the data directory itself.
  const later = await runCli(['export', '--conversation', sessionId, '--data-dir', dataDir]);
  expect(later.out.split('\n').slice(1)).toEqual(byId.out.split('\n').slice(1));
});

test.each([[['export']], [['export', 'Desk', '--gateway']], [['export', '--gateway', '--conversation', 'latest']]])(
  '%j names what it needs',
  async (args) => {
    const { code, err } = await runCli(args);
    expect(code).toBe(2);
    expect(err).toContain(
      '"toolwire export" needs DEVICE, --server SERVER, --gateway or --conversation ID, only one of them.',
    );
  },
);
