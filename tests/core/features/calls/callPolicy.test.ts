/** What the settings say of every call, on a real virtual device. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createWorkbench } from '../../../../src-core/workbench.ts';
import type { Workbench } from '../../../../src-core/workbench.ts';
import { collectRun } from '../../workbench/runText.ts';

let dataDir: string;
let bench: Workbench;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'toolwire-policy-'));
  bench = await createWorkbench({
    dataDir,
    devicePort: 0,
    shell: 'terminal',
    onError: (error) => {
      throw error;
    },
  });
});
afterEach(async () => {
  await bench.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function until(condition: () => boolean): Promise<void> {
  for await (const event of bench.services.workbench.events()) {
    if (event.topics.length > 0 && condition()) return;
  }
}

const device = () => bench.services.devices.list()[0];

async function addDevice(options: { latencyMs?: number } = {}): Promise<string> {
  await bench.services.devices.addVirtual(options);
  await until(() => device()?.state === 'ready');
  return device()?.registryId ?? '';
}

const block = (toolName: string) => `<<<[TOOL_REQUEST]>>>\ntool_name:「始」${toolName}「末」\n<<<[END_TOOL_REQUEST]>>>`;

describe('the time limit of one tool', () => {
  test('applies to calls by hand without an own limit and to the Parser; an explicit limit has precedence', async () => {
    const name = `${await addDevice({ latencyMs: 600_000 })}_self.get_device_status`;
    const { settings, calls } = bench.services;
    await settings.set({ toolTimeouts: { [name]: 20 } });
    const byHand = (timeoutMs?: number) =>
      calls.execute({ callId: `c${timeoutMs}`, toolName: name, argsJson: '{}', origin: 'executor', timeoutMs });
    const timedOut = { error: { code: 'timeout', details: { timeoutMs: 20 } } };
    expect(await byHand()).toMatchObject(timedOut);
    expect((await collectRun(bench.features.parser.runText({ text: block(name) }))).executionResults).toMatchObject([
      timedOut,
    ]);
    expect(await byHand(30)).toMatchObject({ error: { code: 'timeout', details: { timeoutMs: 30 } } });
    expect((await calls.history({ limit: 3 })).map(({ timeoutMs }) => timeoutMs)).toEqual([30, 20, 20]);
  });
});

describe("the user's list of dangerous tools", () => {
  test('asks for every caller, and is shown with the tool', async () => {
    const id = await addDevice();
    const name = `${id}_self.get_device_status`;
    const { settings, calls, parser, tools } = bench.services;
    await settings.set({ dangerousTools: ['*.get_device_*'] });
    const call = { toolName: name, argsJson: '{}', origin: 'executor' as const };
    expect(await calls.execute({ ...call, callId: 'a' })).toMatchObject({
      error: { code: 'confirmation-required', message: expect.stringContaining('on your list') as string },
    });
    expect(await calls.execute({ ...call, callId: 'b', confirmed: true })).toMatchObject({ status: 'success' });
    const asked = await collectRun(bench.features.parser.runText({ text: block(name) }), ({ id, state }) => {
      if (state === 'waiting') parser.decide({ callId: id, decision: { action: 'refuse' } });
    });
    expect(asked.executionResults).toMatchObject([{ error: { code: 'not-authorized' } }]);
    const methods = () => tools.changes({}).tools.find((tool) => tool.id === id)?.methods ?? [];
    const shown = () => methods().find((method) => method.qualifiedName === name);
    expect(shown()?.danger).toContain('as "*.get_device_*"');
    await settings.set({ dangerousTools: ['lamp_*', '*.get_device_*', name] });
    expect(shown()?.asksFirst).toEqual({ patterns: ['*.get_device_*', name] });
    await settings.set({ dangerousTools: [] });
    expect(shown()).not.toHaveProperty('danger');
    expect(shown()).not.toHaveProperty('asksFirst');
    const reboot = () => methods().find((method) => method.name === 'self.reboot');
    const builtIn = reboot()?.danger;
    expect(reboot()?.asksFirst).toEqual({ builtIn, patterns: [] });
    await settings.set({ dangerousTools: ['*_self.reboot'] });
    expect(reboot()?.asksFirst).toEqual({ builtIn, patterns: ['*_self.reboot'] });
  });

  test('asks for a frame sent by hand, too', async () => {
    await addDevice();
    const { settings, devices } = bench.services;
    await settings.set({ dangerousTools: ['*_self.light*', '*_self.led_strip.*'] });
    const payload = { jsonrpc: '2.0', id: 900, method: 'tools/call', params: { name: 'self.led_strip.blink' } };
    const text = JSON.stringify({ type: 'mcp', payload });
    expect(devices.send({ id: device()?.id ?? '', text })).toMatchObject({
      sent: false,
      needs: 'confirmation-required',
    });
    expect(devices.send({ id: device()?.id ?? '', text, confirmed: true })).toMatchObject({ sent: true });
  });
});

test('listing the tools for people or not lists them of every ready device again', async () => {
  await addDevice();
  const all = device()?.toolCount ?? 0;
  await bench.services.settings.set({ listUserTools: false });
  await until(() => (device()?.toolCount ?? all) < all);
  expect(device()?.toolCount).toBe(all - 7);
  expect(device()?.state).toBe('ready');
  await bench.services.settings.set({ listUserTools: true });
  await until(() => device()?.toolCount === all);
});
