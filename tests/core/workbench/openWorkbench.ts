import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

import type { DeviceInfo, ToolExecutionResult } from '../../../src-core/contract/types.ts';
import { createWorkbench } from '../../../src-core/workbench.ts';
import type { Workbench, WorkbenchOptions } from '../../../src-core/workbench.ts';

/** A folder that goes with the test. */
export function dataFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-workbench-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A workbench that is closed with the test; errors that belong to no request fail it. */
export async function openWorkbench(options: Partial<WorkbenchOptions> = {}): Promise<Workbench> {
  const errors: unknown[] = [];
  const workbench = await createWorkbench({
    dataDir: options.dataDir ?? dataFolder(),
    devicePort: 0,
    shell: 'terminal',
    checkOutputs: true,
    onError: (error) => errors.push(error),
    ...options,
  });
  onTestFinished(async () => {
    await workbench.close();
    if (errors.length > 0) throw errors[0];
  });
  return workbench;
}

/** Resolves when `condition` holds, looking at each event of the workbench. */
export async function until(workbench: Workbench, condition: () => boolean | Promise<boolean>): Promise<void> {
  for await (const event of workbench.services.workbench.events()) {
    if (event.topics.length > 0 && (await condition())) return;
  }
}

/** Starts a virtual device, and resolves when its tools are there. */
export async function addDevice(
  workbench: Workbench,
  options: Parameters<Workbench['services']['devices']['addVirtual']>[0] = {},
): Promise<DeviceInfo> {
  const { deviceId } = await workbench.services.devices.addVirtual(options);
  return readyDevice(workbench, deviceId);
}

export async function readyDevice(workbench: Workbench, deviceId: string): Promise<DeviceInfo> {
  const find = () => workbench.services.devices.list().find((each) => each.deviceId === deviceId);
  await until(workbench, () => find()?.state === 'ready');
  return find()!;
}

let lastCall = 0;

/** Calls a device's tool by its name on the wire. */
export function call(
  { services }: Workbench,
  device: DeviceInfo,
  command: string,
  args: object = {},
): Promise<ToolExecutionResult> {
  lastCall += 1;
  const toolName = device.registryId ?? '';
  const argsJson = JSON.stringify(args);
  return services.calls.execute({ callId: `call-${lastCall}`, toolName, command, argsJson, origin: 'executor' });
}
