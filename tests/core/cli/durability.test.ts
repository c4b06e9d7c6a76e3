import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { listTools } from '../../../src-core/rpc/listTools.ts';
import { connectToRunning } from '../../../src-core/rpc/runningWorkbench.ts';
import { openStore } from '../store/tables.ts';
import { dataDirWith, sampleModule, startCli } from './cliProcess.ts';

test('every call that was answered is there after kill -9, with its arguments, result and schema', async () => {
  const dir = dataDirWith({ 'sample.js': sampleModule });
  const served = startCli(['serve', '--port', '0', '--device-port', '0', '--data-dir', dir, '--json']);
  await served.firstLine();
  const running = (await connectToRunning(dir))!;
  // The window need not wait for modules; these calls do.
  await running.client.tools.whenLoaded();
  const answered = new Map<string, string>();
  const lane = async (name: string): Promise<void> => {
    for (let i = 0; i < 25; i++) {
      const callId = `${name}-${i}`;
      const argsJson = JSON.stringify({ a: i, b: 1 });
      const { result } = await running.client.calls.execute({
        callId,
        toolName: 'sample_add',
        argsJson,
        origin: 'executor',
      });
      answered.set(callId, result);
      // In the middle of the other lane's calls.
      if (answered.size === 40) served.child.kill('SIGKILL');
    }
  };
  const lanes = await Promise.allSettled([lane('x'), lane('y')]);
  if (served.child.exitCode === null && served.child.signalCode === null) await once(served.child, 'exit');
  running.close();
  expect(served.child.signalCode).toBe('SIGKILL');
  expect(lanes.map(({ status }) => status)).toContain('rejected');

  const store = openStore({ path: join(dir, 'toolwire.db') });
  expect(store.notice).toBeUndefined();
  expect(answered.size).toBeGreaterThanOrEqual(40);
  for (const [callId, result] of answered) {
    const kept = store.history.get(callId)!;
    expect(kept).toMatchObject({
      qualifiedName: 'sample_add',
      argsJson: expect.stringMatching(/^{"a":\d+,"b":1}$/),
      result: { status: 'success', result },
    });
    expect(kept.source).toMatchObject({ kind: 'module' });
    expect(kept.inputSchema).toMatchObject({ required: ['a', 'b'] });
  }
  store.close();
});

test('a call that ran at kill -9 is in the history of the next start as interrupted', async () => {
  const hold =
    "export default { methods: { hold: { description: 'Never ends.', handler: () => new Promise(() => {}) } } };";
  const dir = dataDirWith({ 'slow.js': hold });
  const flags = ['serve', '--port', '0', '--device-port', '0', '--data-dir', dir, '--json'];
  const served = startCli(flags);
  await served.firstLine();
  const running = (await connectToRunning(dir))!;
  await running.client.tools.whenLoaded();
  const call = { callId: 'held', toolName: 'slow_hold', argsJson: '{"level":12345678901234567890}' } as const;
  const lost = running.client.calls.execute({ ...call, origin: 'cli', timeoutMs: 60_000 }).catch(() => 'lost');
  const reader = openStore({ path: join(dir, 'toolwire.db') });
  await expect.poll(() => reader.history.begun()).toMatchObject([{ callId: 'held' }]);
  // The call of a device that does not answer has a frame on its wire.
  const { deviceId } = await running.client.devices.addVirtual({ name: 'Lamp', faults: ['silent'] });
  const ofDevice = async () => (await listTools(running.client)).find(({ source }) => source.id === deviceId);
  await expect.poll(ofDevice).toBeDefined();
  const toolName = `${(await ofDevice())!.id}_self.get_device_status`;
  const unanswered = { callId: 'unanswered', toolName, argsJson: '{}' } as const;
  const alsoLost = running.client.calls.execute({ ...unanswered, origin: 'executor' }).catch(() => 'lost');
  await expect.poll(() => reader.history.begun().length).toBe(2);
  const frames = await running.client.frames.ofCall({ callId: 'unanswered' });
  expect(frames).toMatchObject([{ direction: 'out', role: 'request', method: 'tools/call', callId: 'unanswered' }]);
  await expect.poll(() => reader.wire.log(deviceId).frame(frames[0]!.seq)).toBeDefined();
  expect(reader.history.get('held')).toBeUndefined();
  reader.close();
  served.child.kill('SIGKILL');
  await once(served.child, 'exit');
  expect(await Promise.all([lost, alsoLost])).toEqual(['lost', 'lost']);
  running.close();

  const again = startCli(flags);
  await again.firstLine();
  const { client, close } = (await connectToRunning(dir))!;
  const history = await client.calls.history({ limit: 10 });
  expect(history).toMatchObject([
    {
      callId: 'unanswered',
      qualifiedName: toolName,
      source: { kind: 'device', id: deviceId },
      result: { status: 'error', error: { code: 'interrupted' } },
    },
    {
      callId: 'held',
      qualifiedName: 'slow_hold',
      argsJson: call.argsJson,
      origin: 'cli',
      timeoutMs: 60_000,
      source: { kind: 'module' },
      result: { status: 'error', error: { code: 'interrupted' } },
    },
  ]);
  expect(await client.calls.running()).toEqual([]);
  expect(await client.frames.ofCall({ callId: 'unanswered' })).toEqual(frames);
  // Nobody saw the end of the connection, and the card says whose end it was.
  const [lamp] = await client.devices.list();
  expect(lamp?.lastSeenAt).toBeGreaterThanOrEqual(frames[0]!.at);
  expect(lamp).toMatchObject({
    id: deviceId,
    name: 'Lamp',
    state: 'closed',
    doctor: { cause: 'toolwire-ended' },
    error: { code: 'toolwire-ended', message: 'Toolwire ended while Lamp was connected.' },
  });
  expect(lamp!.doctor.steps.find(({ id }) => id === 'tools')).toMatchObject({ state: 'done' });
  close();
  again.child.kill('SIGTERM');
  await again.ended;
  const after = openStore({ path: join(dir, 'toolwire.db') });
  expect(after.history.begun()).toEqual([]);
  after.close();
});
