/** Models that were removed, and their keys: what brings them back, and that nothing is left once nothing can. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import type { ModelChange } from '../../../src-core/contract/types.ts';
import { createWorkbench } from '../../../src-core/workbench.ts';
import type { Workbench } from '../../../src-core/workbench.ts';
import { startScriptedChatServer } from '../../fakes/scriptedChatServer.ts';

const key = 'sk-live-0123456789abcdef';
const request = { messages: [{ role: 'user' as const, content: 'Hello' }] };

/** A workbench with a model behind a server that answers once, and its key. */
async function openWithModel(): Promise<
  Workbench['services'] & Pick<Workbench, 'features'> & { id: string; secrets: () => object }
> {
  const dataDir = mkdtempSync(join(tmpdir(), 'toolwire-removed-models-'));
  const server = await startScriptedChatServer({ apiKey: key, turns: [{ text: 'fine' }] });
  const workbench = await createWorkbench({
    dataDir,
    devicePort: 0,
    shell: 'terminal',
    onError: (error) => expect.unreachable(String(error)),
  });
  onTestFinished(async () => {
    await workbench.close();
    await server.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const model: ModelChange = {
    kind: 'openai-compatible',
    label: 'Real',
    preset: 'custom',
    baseUrl: server.baseUrl,
    model: 'stand-in',
    stream: true,
    totalMs: 120_000,
    chunkMs: 60_000,
  };
  const { models } = workbench.services;
  const { id } = await models.save(model);
  await models.setKey({ id, key });
  const secrets = (): object => JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as object;
  return { ...workbench.services, features: workbench.features, id, secrets };
}

test('restores a model with its key and as the default; emptying the trash deletes all of it', async () => {
  const { models, features, removed, id, secrets } = await openWithModel();
  models.setDefault({ id });
  const before = (await models.list()).models;
  await models.remove({ id });
  await expect(models.test({ id })).rejects.toThrow('no longer exists');
  const [thing] = removed.list();
  expect(thing).toMatchObject({ kind: 'model', of: id, name: 'Real' });
  expect(JSON.stringify(removed.list())).not.toContain(key);
  await removed.restore({ id: thing!.id });
  expect((await models.list()).models).toEqual(before);
  await features.models.modelOf(id).generate(request);

  await models.remove({ id });
  await removed.discard({});
  expect(secrets()).toEqual({});
});

test('restores a removed key unless there is a new one', async () => {
  const { models, features, removed, id, secrets } = await openWithModel();
  await models.clearKey({ id });
  const [thing] = removed.list();
  expect(thing).toMatchObject({ kind: 'key', of: `model:${id}` });
  await models.setKey({ id, key: 'another' });
  await expect(removed.restore({ id: thing!.id })).rejects.toThrow('another key');
  await models.clearKey({ id });
  await removed.restore({ id: thing!.id });
  await features.models.modelOf(id).generate(request);
  await removed.discard({});
  expect(Object.keys(secrets())).toEqual([`model:${id}`]);
});

test('what was recorded of a model stays when that is removed', async () => {
  const { models, features, id } = await openWithModel();
  models.startRecording({ id });
  await features.models.modelOf(id).generate(request);
  await models.remove({ id });
  expect((await models.list()).models).toMatchObject([
    { id: 'scripted' },
    { kind: 'scripted', label: 'Real (recorded)' },
  ]);
});

test('a realtime model and its key come back, and a script of ours that was reset', async () => {
  const { realtime, removed, id: chatModel, secrets } = await openWithModel();
  const { id } = await realtime.saveProfile({
    kind: 'server',
    label: 'Voice',
    dialect: 'openai',
    url: 'wss://example.com/v1/realtime',
    model: 'x',
  });
  await realtime.setKey({ id, key });
  realtime.setDefault({ id });
  const before = await realtime.profiles();
  await realtime.removeProfile({ id });
  expect((await realtime.profiles()).profiles).toHaveLength(1);
  await removed.restore({ id: removed.list()[0]!.id });
  expect(await realtime.profiles()).toEqual(before);
  await realtime.setKey({ id, key: null });
  await realtime.removeProfile({ id });
  await removed.discard({});
  expect(Object.keys(secrets())).toEqual([`model:${chatModel}`]);
});
