/** Pictures of devices in the workbench, from real virtual devices. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { JsonValue } from '../../../src-core/base/json.ts';
import { createWorkbench } from '../../../src-core/workbench.ts';
import type { Workbench } from '../../../src-core/workbench.ts';

let dataDir: string;
let bench: Workbench;
let errors: unknown[];

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'toolwire-vision-'));
  errors = [];
  bench = await createWorkbench({ dataDir, devicePort: 0, shell: 'terminal', onError: (error) => errors.push(error) });
});
afterEach(async () => {
  await bench.close();
  rmSync(dataDir, { recursive: true, force: true });
  expect(errors).toEqual([]);
});

/** Resolves when `condition` holds, looking at each event of the workbench. */
async function until(condition: () => boolean): Promise<void> {
  for await (const event of bench.services.workbench.events()) {
    if (event.topics.length > 0 && condition()) return;
  }
}

async function addDevice(profile?: string) {
  const { deviceId } = await bench.services.devices.addVirtual({ profile });
  const device = () => bench.services.devices.list().find(({ id }) => id === deviceId);
  await until(() => device()?.state === 'ready');
  return { deviceId, registryId: device()?.registryId ?? '' };
}

function execute(toolName: string, args: object) {
  const callId = `c-${toolName}`;
  return bench.services.calls.execute({ callId, toolName, argsJson: JSON.stringify(args), origin: 'executor' });
}

const takePhoto = (registryId: string) => execute(`${registryId}_self.camera.take_photo`, { question: '这是什么？' });
const setVision = (answer: 'model' | 'hand' | 'canned') =>
  bench.services.settings.set({ vision: { answer, cannedText: 'no one answered' } });
const responseOf = (result: { result: string }) => JSON.parse(result.result) as { success: boolean; response: string };

describe("a device's question about a picture", () => {
  test.each(['canned', 'model'] as const)('is answered with the canned text: %s, and no model sees', async (answer) => {
    await setVision(answer);
    const { registryId, deviceId } = await addDevice();
    expect(responseOf(await takePhoto(registryId))).toMatchObject({ success: true, response: 'no one answered' });
    const { vision } = bench.services;
    const [request] = vision.list();
    const callId = `c-${registryId}_self.camera.take_photo`;
    expect(request).toMatchObject({ deviceId, callId, question: '这是什么？', answeredBy: 'canned' });
    const { mediaType, base64 } = vision.picture({ id: request?.id ?? '' });
    expect([mediaType, base64.slice(0, 5)]).toEqual(['image/png', 'iVBOR']);
    vision.remove({ id: request?.id ?? '' });
    expect(vision.list()).toEqual([]);
  });

  test('is answered by the default chat model', async () => {
    await setVision('model');
    const { models, vision } = bench.services;
    const script = { turns: [{ when: { contains: '这是什么' }, text: ' 一只猫 ' }] };
    const { id } = await models.save({ kind: 'scripted', label: 'Cats', script });
    models.setDefault({ id });
    const { registryId } = await addDevice();
    expect(responseOf(await takePhoto(registryId))).toMatchObject({ success: true, response: '一只猫' });
    expect(vision.list()[0]).toMatchObject({ state: 'answered', answeredBy: 'model' });
  });

  test('that the model cannot answer comes back as a soft failure that says why', async () => {
    await setVision('model');
    const { models } = bench.services;
    const script: JsonValue = { turns: [{ when: { contains: 'never' }, text: 'x' }, { text: '  ' }] };
    const { id } = await models.save({ kind: 'scripted', label: 'Silent', script });
    models.setDefault({ id });
    const { registryId } = await addDevice();
    const result = await takePhoto(registryId);
    expect(result).toMatchObject({ status: 'success', softFailure: { member: 'success', value: 'false' } });
    expect(result.result).toContain('has no text');
  });

  test('is answered by hand, and the window is notified', async () => {
    await setVision('hand');
    const { registryId } = await addDevice();
    const { vision } = bench.services;
    const call = takePhoto(registryId);
    await until(() => vision.list()[0]?.waitsUntil !== undefined);
    vision.answer({ id: vision.list()[0]?.id ?? '', text: 'a dog' });
    expect(responseOf(await call)).toMatchObject({ response: 'a dog' });
  });

  test('that waits is answered when the workbench closes', async () => {
    await setVision('hand');
    const { registryId } = await addDevice();
    const call = takePhoto(registryId);
    await until(() => bench.services.vision.list()[0]?.waitsUntil !== undefined);
    await bench.close();
    expect((await call).status).toBe('error');
    expect(bench.services.vision.list()[0]?.state).toMatch(/expired|failed/);
  });
});

describe("a picture of a board's screen", () => {
  test('is asked for through the executor and shown', async () => {
    const { deviceId, registryId } = await addDevice();
    const { vision, calls } = bench.services;
    const { id } = await vision.snapshot({ deviceId, quality: 50 });
    expect(vision.list()[0]).toMatchObject({ id, kind: 'snapshot', deviceId, state: 'answered' });
    const [call] = await calls.history({ limit: 1 });
    expect(call).toMatchObject({
      qualifiedName: `${registryId}_self.screen.snapshot`,
      argsJson: expect.stringContaining('"quality":50') as string,
    });
  });

  test('needs no confirmation if the user asked for it, whatever the list says', async () => {
    await bench.services.settings.set({ dangerousTools: ['*'] });
    const { deviceId } = await addDevice();
    expect((await bench.services.vision.snapshot({ deviceId })).id).toBe(bench.services.vision.list()[0]?.id);
  });

  test.each([
    ['that has no screen', 'py-xiaozhi', 'lists no self.screen.snapshot'],
    ['that is not there', undefined, 'is not ready'],
  ])('cannot be had of a device %s', async (_what, profile, reason) => {
    const deviceId = profile === undefined ? '02:00:00:00:00:01' : (await addDevice(profile)).deviceId;
    await expect(bench.services.vision.snapshot({ deviceId })).rejects.toMatchObject({
      name: 'RequestError',
      field: 'deviceId',
      message: expect.stringContaining(reason) as string,
    });
  });

  test('that the device never sends ends with its own error', async () => {
    const { deviceId } = await bench.services.devices.addVirtual({ faults: ['crash-on-call'] });
    await until(() => bench.services.devices.list().some(({ state }) => state === 'ready'));
    await expect(bench.services.vision.snapshot({ deviceId })).rejects.toMatchObject({ code: 'disconnected' });
  });

  test('that takes too long is cancelled', async () => {
    const { deviceId } = await bench.services.devices.addVirtual({ latencyMs: 600_000 });
    await until(() => bench.services.devices.list().some(({ state }) => state === 'ready'));
    const stop = new AbortController();
    const snapshot = bench.services.vision.snapshot({ deviceId }, stop.signal);
    await until(() => bench.services.calls.running().length === 1);
    stop.abort();
    await expect(snapshot).rejects.toMatchObject({ code: 'cancelled' });
    expect(bench.services.vision.list()).toEqual([]);
  });
});
