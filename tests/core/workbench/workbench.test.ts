import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { createVirtualDeviceOf } from '../../../src-core/features/devices/virtual/profiles.ts';
import { formatResultsForContext, processToolCallCycle } from '../../../src-core/engine/engine.ts';
import { createVcpProtocol } from '../../../src-core/protocols/vcp/vcpProtocol.ts';
import { defaultToolCallConfig } from '../../../src-core/base/calls.ts';
import { openCheckedStore } from '../../../src-core/store/openStore.ts';
import { createWorkbench } from '../../../src-core/workbench.ts';
import type { Workbench, WorkbenchOptions } from '../../../src-core/workbench.ts';
import { collectRun } from './runText.ts';

let dataDir: string;
let workbench: Workbench | undefined;
let errors: unknown[];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'toolwire-workbench-'));
  errors = [];
});
afterEach(async () => {
  await workbench?.close();
  workbench = undefined;
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(options: Partial<WorkbenchOptions> = {}): Promise<Workbench> {
  return (workbench = await createWorkbench({
    dataDir,
    devicePort: 0,
    shell: 'terminal',
    onError: (error) => errors.push(error),
    ...options,
  }));
}

/** Resolves when `condition` holds, looking at each event of the workbench. */
async function until(bench: Workbench, condition: () => boolean | Promise<boolean>): Promise<void> {
  for await (const event of bench.services.workbench.events()) {
    if (event.topics.length > 0 && (await condition())) return;
  }
}

async function addDevice(bench: Workbench): Promise<string> {
  await bench.services.devices.addVirtual({});
  await until(bench, () => bench.services.devices.list().some((device) => device.state === 'ready'));
  return bench.services.devices.list()[0]!.registryId!;
}

const block = (toolName: string, fields: Record<string, string> = {}): string =>
  [
    '<<<[TOOL_REQUEST]>>>',
    `tool_name:「始」${toolName}「末」`,
    ...Object.entries(fields).map(([key, value]) => `${key}:「始」${value}「末」`),
    '<<<[END_TOOL_REQUEST]>>>',
  ].join('\n');

describe('the whole cycle, headless', () => {
  test('over a built-in tool: text → processToolCallCycle → result text', async () => {
    const { toolRegistryManager } = await start();
    const protocol = createVcpProtocol();
    const cycle = await processToolCallCycle(`Let me look.\n${block('clock_get_date')}`, {
      protocol,
      toolRegistryManager,
      config: defaultToolCallConfig,
      caller: 'model',
    });
    expect(cycle).toMatchObject({ hasToolRequests: true, executionResults: [{ status: 'success' }] });
    const text = formatResultsForContext(cycle.executionResults, protocol);
    expect(text).toContain('<<<[TOOL_RESULT]>>>');
    expect(text).toContain(cycle.executionResults[0]!.result);
  });

  test('over a device: both forms of the name, text converted to a number, the device changed', async () => {
    const bench = await start();
    const registryId = await addDevice(bench);
    const report = await collectRun(
      bench.features.parser.runText({
        text: [
          block(registryId, { command: 'self.audio_speaker.set_volume', volume: '37' }),
          'And then:',
          block(`${registryId}_self.get_device_status`),
        ].join('\n'),
      }),
    );
    expect(report.executionResults.map(({ status }) => status)).toEqual(['success', 'success']);
    expect(report.feedback).toMatch(/37/);
  });

  test('invalid and unknown calls end as errors with a remedy and do not affect others', async () => {
    const bench = await start();
    const registryId = await addDevice(bench);
    const { executionResults } = await collectRun(
      bench.features.parser.runText({
        text: [
          block(registryId, { command: 'self.audio_speaker.set_volume', volume: '4096' }),
          block('clock_get_tme'),
          block(`${registryId}_self.reboot`),
          block('clock_get_date'),
        ].join('\n'),
      }),
    );
    expect(executionResults.map(({ error }) => error?.code)).toEqual([
      'invalid-arguments',
      'unknown-method',
      'not-agent-callable',
      undefined,
    ]);
    expect(executionResults[0]!.result).toMatch(/4096.*100/);
    expect(executionResults[1]!.error!.candidates![0]).toBe('clock_get_time');
  });
});

describe('calls by hand', () => {
  const call = (argsJson: string, toolName = 'clock_get_date') => ({
    callId: 'c1',
    toolName,
    argsJson,
    origin: 'executor' as const,
  });

  test.each(['{', '[]', '"text"', '7', 'null', '{"a": }'])(
    'refuses arguments %s with the position and the reason',
    async (text) => {
      const { services } = await start();
      const result = await services.calls.execute(call(text));
      expect(result).toMatchObject({ status: 'error', error: { code: 'invalid-arguments' } });
      expect(result.result).toMatch(/object/);
    },
  );

  test('a dangerous call asks first, and runs once confirmed', async () => {
    const bench = await start();
    const registryId = await addDevice(bench);
    const reboot = call('{}', `${registryId}_self.reboot`);
    const asked = await bench.services.calls.execute(reboot);
    expect(asked.error?.code).toBe('confirmation-required');
    expect(await bench.services.calls.history({ limit: 10 })).toEqual([]);
    const ran = await bench.services.calls.execute({ ...reboot, confirmed: true });
    expect(ran.error?.code).not.toBe('confirmation-required');
    expect(await bench.services.calls.history({ limit: 10 })).toHaveLength(1);
  });

  test('two running calls may not share an id', async () => {
    const bench = await start();
    const device = createVirtualDeviceOf(undefined, { url: bench.info().device.otaUrl, latencyMs: 3_600_000 });
    await device.connect();
    await until(bench, () => bench.services.devices.list().some(({ state }) => state === 'ready'));
    const status = call('{}', `${bench.services.devices.list()[0]!.registryId}_self.get_device_status`);
    const first = bench.services.calls.execute(status);
    await expect(bench.services.calls.execute(status)).rejects.toThrow(/its own id/);
    device.pullPlug();
    expect((await first).error?.code).toBe('disconnected');
  });

  test('history survives a restart', async () => {
    const first = await start();
    await first.services.calls.execute(call('{}'));
    await first.close();
    const second = await start();
    expect(await second.services.calls.history({ limit: 10 })).toMatchObject([
      { qualifiedName: 'clock_get_date', result: { status: 'success' } },
    ]);
  });
});

describe('the workbench', () => {
  test('a device that comes and goes is a tool that comes and goes', async () => {
    const bench = await start();
    const before = bench.services.tools.changes({}).tools.length;
    const registryId = await addDevice(bench);
    expect(bench.services.tools.changes({}).tools.find((tool) => tool.id === registryId)).toMatchObject({
      source: { kind: 'device' },
    });
    bench.services.devices.pullPlug({ id: bench.services.devices.list()[0]!.id });
    await until(bench, () => bench.services.tools.changes({}).tools.length === before);
    expect(bench.services.devices.list()[0]).toMatchObject({ state: 'closed' });
  });

  test('only a module that is there can be loaded again; the error says why another cannot', async () => {
    const { services } = await start();
    await expect(services.tools.reload({ toolId: 'gone' })).rejects.toMatchObject({
      code: 'unknown-tool',
      message: '"gone" is not registered any more.',
    });
    await expect(services.tools.reload({ toolId: 'clock' })).rejects.toThrow(
      '"clock" has no file to load again. Only tools of the modules folder have one.',
    );
  });

  test("a virtual device's button is pressed: it begins to listen; no other device has one", async () => {
    const bench = await start();
    await addDevice(bench);
    const [{ id } = { id: '' }] = bench.services.devices.list();
    const listens = async () =>
      (await bench.services.frames.page({ source: 'device', connection: id, limit: 1_000 })).rows.filter(
        ({ type, direction }) => type === 'listen' && direction === 'in',
      );
    const before = (await listens()).length;
    await bench.services.devices.press({ id });
    await until(bench, async () => (await listens()).length === before + 1);
    await expect(bench.services.devices.press({ id: 'nobody' })).rejects.toThrow(/virtual device/);
  });

  test('a taken device port is said, and does not keep the rest from starting', async () => {
    const squatter = createServer().listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const { port } = squatter.address() as AddressInfo;
    const bench = await start({ devicePort: port });
    expect(bench.info().device).toMatchObject({ listening: false });
    expect(bench.info().device.error).toContain(String(port));
    await expect(bench.services.devices.addVirtual({})).rejects.toThrow(String(port));
    await bench.close();
    const moved = await start({ devicePort: port, devicePortMayMove: true });
    expect(moved.info().device.listening).toBe(true);
    expect(moved.info().device.port).not.toBe(port);
    squatter.close();
  });

  test('opening to the network moves the listener and back, on the same port', async () => {
    const bench = await start();
    const { port } = bench.info().device;
    await bench.services.settings.set({ openToNetwork: true });
    expect(bench.info().device).toMatchObject({ host: '0.0.0.0', port, listening: true });
    await addDevice(bench);
    await bench.services.settings.set({ openToNetwork: false });
    expect(bench.info().device).toMatchObject({ host: '127.0.0.1', port, listening: true });
    // The connections have ended before the listener is there again.
    expect(bench.services.devices.list().map(({ state }) => state)).toEqual(['closed']);
  });

  test('a stored setting that cannot be read falls back to its default, and the rest stays', async () => {
    const first = await start();
    await first.services.settings.set({ theme: 'dark', locale: 'zh', dialect: 'aiohub' });
    await first.close();
    const database = new DatabaseSync(join(dataDir, 'toolwire.db'));
    database.exec(`UPDATE settings SET value = '{oops' WHERE key = 'theme'`);
    database.exec(`UPDATE settings SET value = '"klingon"' WHERE key = 'locale'`);
    database.close();
    const { services } = await start();
    expect(services.settings.get()).toMatchObject({ theme: 'system', locale: 'system', dialect: 'aiohub' });
    expect(errors.map(String)).toEqual([expect.stringContaining('are damaged'), expect.stringContaining('"locale"')]);
  });

  test('a root that is not a folder is refused by its field', async () => {
    const { services } = await start();
    for (const directoryRoot of ['no/such', join(dataDir, 'missing'), join(dataDir, 'toolwire.db')]) {
      await expect(services.settings.set({ directoryRoot })).rejects.toMatchObject({ field: 'directoryRoot' });
    }
    expect(services.settings.get().directoryRoot).toBe('');
  });

  test('a module of the user is a tool, listed and callable', async () => {
    mkdirSync(join(dataDir, 'modules'));
    writeFileSync(
      join(dataDir, 'modules', 'dice.ts'),
      `export default { name: 'Dice', methods: { roll: {
         description: 'Rolls', agentCallable: true,
         inputSchema: { type: 'object', properties: { sides: { type: 'integer' } }, required: ['sides'] },
         handler({ sides }: { sides: number }): number { return sides * 2; } } } };`,
    );
    const { services } = await start();
    const tool = services.tools.changes({}).tools.find(({ source }) => source.kind === 'module');
    expect(tool).toMatchObject({ name: 'Dice' });
    const result = await services.calls.execute({
      callId: 'c1',
      toolName: tool!.methods[0]!.qualifiedName,
      argsJson: '{"sides": 6}',
      origin: 'executor',
    });
    expect(result).toMatchObject({ status: 'success', result: '12' });
  });

  test('a window waits for no module: it is there while one is still loading, whose tool then comes', async () => {
    mkdirSync(join(dataDir, 'modules'));
    const gate = join(dataDir, 'gate');
    writeFileSync(
      join(dataDir, 'modules', 'late.js'),
      `import { existsSync } from 'node:fs';
       while (!existsSync(${JSON.stringify(gate)})) await new Promise((resolve) => setTimeout(resolve, 5));
       export default { methods: { go: { description: 'Goes.', handler: () => 'gone' } } };`,
    );
    // The module loads only after this has resolved.
    const { services } = await start({ shell: 'browser' });
    expect(services.tools.changes({}).tools.map(({ id }) => id)).toContain('clock');
    writeFileSync(gate, '');
    await services.tools.whenLoaded();
    const late = services.tools.changes({}).tools.find(({ id }) => id === 'late');
    expect(late?.error).toBeUndefined();
    expect(late?.methods.map(({ qualifiedName }) => qualifiedName)).toEqual(['late_go']);
  });

  test('closing during a call ends it, and closes everything once', async () => {
    const bench = await start();
    const device = createVirtualDeviceOf(undefined, { url: bench.info().device.otaUrl, latencyMs: 3_600_000 });
    await device.connect();
    await until(bench, () => bench.services.devices.list().some(({ state }) => state === 'ready'));
    const { registryId } = bench.services.devices.list()[0]!;
    const call = bench.services.calls.execute({
      callId: 'c1',
      toolName: `${registryId}_self.get_device_status`,
      argsJson: '{}',
      origin: 'executor',
    });
    await Promise.all([bench.close(), bench.close()]);
    expect(await call).toMatchObject({ status: 'error', error: { code: 'interrupted' } });
    await device.close();
    expect(errors).toEqual([]);
  });

  test('what fails to close is reported, and everything else is closed', async () => {
    const failing: typeof openCheckedStore = async (options) => {
      const tables = await openCheckedStore(options);
      const close = (): void => {
        tables.close();
        throw new Error('the store stays open');
      };
      return { ...tables, close };
    };
    const bench = await start({ openTables: failing });
    const { device } = bench.info();
    vi.spyOn(bench.contract, 'close').mockImplementation(() => {
      throw new Error('the contract stays open');
    });
    await bench.close();
    expect(errors).toEqual([new Error('the contract stays open'), new Error('the store stays open')]);
    await expect(fetch(device.otaUrl)).rejects.toThrow('fetch failed');
    // The directory's lock is released.
    expect((await start()).info()).toMatchObject({ dataDir });
  });

  test.each(['wire.ids', 'wire.devices', 'history.begun', 'wire.device'])(
    'if it cannot start because %s fails, what was opened is closed and the lock released',
    async (failing) => {
      const [table, method] = failing.split('.') as ['wire' | 'history', string];
      const failure = new Error('the disk is gone');
      let isClosed = false;
      const openTables: typeof openCheckedStore = async (options) => {
        const tables = await openCheckedStore(options);
        const close = (): void => (tables.close(), void (isClosed = true));
        const fail = (): never => {
          throw failure;
        };
        return { ...tables, close, [table]: { ...tables[table], [method]: fail } };
      };
      await expect(start({ openTables })).rejects.toBe(failure);
      expect(isClosed).toBe(true);
      expect(errors).toEqual([]);
      expect((await start()).info()).toMatchObject({ dataDir });
    },
  );

  test('every example that the prompt shows parses back to a call of that very method', async () => {
    const bench = await start();
    await addDevice(bench);
    for (const tool of bench.services.tools.changes({}).tools) {
      for (const method of tool.methods) {
        const { example } = bench.services.tools.texts({ toolId: tool.id, methodName: method.name });
        const [call] = (await bench.services.parser.parse({ text: example })).calls;
        expect(call?.resolution).toMatchObject({ ok: true, qualifiedName: method.qualifiedName });
      }
    }
  });
});

describe('a reply in either protocol', () => {
  const json = 'Let me see.\n<tool_call>{"name": "clock_get_date", "arguments": {}}</tool_call>';

  test('is recognised, resolved and run, and answered in its own way', async () => {
    const { services, features } = await start();
    expect(services.settings.get().dialect).toBe('auto');
    const report = await services.parser.parse({ text: json });
    expect(report).toMatchObject({ dialect: 'json', calls: [{ resolution: { qualifiedName: 'clock_get_date' } }] });
    const cycle = await collectRun(features.parser.runText({ text: json }));
    expect(cycle.executionResults).toMatchObject([{ status: 'success' }]);
    expect(cycle.feedback).toContain('<tool_response>');
    const vcp = await services.parser.parse({ text: block('clock_get_date') });
    expect(vcp).toMatchObject({ dialect: 'standard', calls: [{ resolution: { ok: true } }] });
  });

  test('read as the other protocol it holds no call', async () => {
    const { services } = await start();
    expect((await services.parser.parse({ text: json, dialect: 'standard' })).calls).toEqual([]);
    expect((await services.parser.parse({ text: block('clock_get_date'), dialect: 'json' })).calls).toEqual([]);
  });

  test('the calls of a serial block run in their order, and each is shown', async () => {
    const { services, features } = await start();
    const text = block('clock', { command1: 'get_date', command2: 'get_time' });
    expect((await services.parser.parse({ text })).calls).toHaveLength(2);
    const { executionResults } = await collectRun(features.parser.runText({ text }));
    expect(executionResults.map(({ toolName }) => toolName)).toEqual(['clock_get_date', 'clock_get_time']);
  });
});
