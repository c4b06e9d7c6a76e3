import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { executeSingleRequest } from '../../../../src-core/engine/executor.ts';
import type { ToolRegistryManager } from '../../../../src-core/registry/toolRegistryManager.ts';
import { moduleOf, openModuleFolder } from './moduleFolder.ts';

test('a file that appears, changes and goes does so in the registry', async () => {
  const { dir, manager, save, call, next } = await openModuleFolder({}, { watch: true });
  const registered = next('registered', 'a');
  await save('a.ts', moduleOf('return 1'));
  await registered;
  expect(await call('a', 'run')).toEqual({ value: 1 });

  const changed = next('changed', 'a');
  await save('a.ts', moduleOf('return 2'));
  await changed;
  expect(await call('a', 'run')).toEqual({ value: 2 });

  const written = next('changed', 'a');
  await writeFile(join(dir, 'a.ts'), moduleOf('return 3'));
  await written;
  expect(await call('a', 'run')).toEqual({ value: 3 });

  const unregistered = next('unregistered', 'a');
  await rm(join(dir, 'a.ts'));
  await unregistered;
  expect(manager.getAllTools()).toEqual([]);
});

test('a broken file says so, and works again once it is mended', async () => {
  const { manager, save, call, next } = await openModuleFolder({ 'a.js': moduleOf('return 1') }, { watch: true });
  const broken = next('changed', 'a');
  await save('a.js', 'export default {{');
  await broken;
  expect(manager.getTool('a')!.getMetadata()).toEqual({ methods: [], error: expect.stringMatching(/^a\.js:1/) });

  const mended = next('changed', 'a');
  await save('a.js', moduleOf('return 2'));
  await mended;
  expect(manager.getTool('a')!.getMetadata().error).toBeUndefined();
  expect(await call('a', 'run')).toEqual({ value: 2 });
});

test('a changed helper reloads only the modules that import it', async () => {
  const { manager, save, call, next } = await openModuleFolder(
    {
      '_rate.js': 'export const rate = 1;',
      'user.js': moduleOf('return rate', "import { rate } from './_rate.js';"),
      'other.js': moduleOf('return calls++', 'let calls = 0;'),
    },
    { watch: true },
  );
  await call('other', 'run');
  const events: string[] = [];
  manager.onChange(({ id }) => events.push(id));
  const changed = next('changed', 'user');
  await save('_rate.js', 'export const rate = 7;');
  await changed;
  expect(await call('user', 'run')).toEqual({ value: 7 });
  expect(await call('other', 'run')).toEqual({ value: 1 });
  expect(new Set(events)).toEqual(new Set(['user']));
});

test('a missing helper that is added mends the module', async () => {
  const { save, call, next } = await openModuleFolder(
    { 'user.js': moduleOf('return rate', "import { rate } from './_rate.js';") },
    { watch: true },
  );
  const changed = next('changed', 'user', ({ registry }) => registry.getMetadata().error === undefined);
  await save('_rate.js', 'export const rate = 7;');
  await changed;
  expect(await call('user', 'run')).toEqual({ value: 7 });
});

test('a call that runs when its file changes ends in the old code; the next one runs the new', async () => {
  const { dir, save, call, next } = await openModuleFolder(
    {
      'a.js': moduleOf(
        `onProgress({ progress: 1 }); while (!existsSync(args.release)) await setTimeout(10); return 'old';`,
        `import { existsSync } from 'node:fs'; import { setTimeout } from 'node:timers/promises';`,
      ).replace('handler(', 'async handler('),
    },
    { watch: true },
  );
  const begun = Promise.withResolvers<undefined>();
  const release = join(dir, 'release.txt');
  const old = call('a', 'run', { release }, { onProgress: () => begun.resolve(undefined) });
  await begun.promise;
  const changed = next('changed', 'a');
  await save('a.js', moduleOf('return "new"'));
  await changed;
  expect(await call('a', 'run')).toEqual({ value: 'new' });
  await writeFile(release, '');
  expect(await old).toEqual({ value: 'old' });
});

test('a call that is cancelled while its module loads anew did not run, and its time had not begun', async () => {
  const { manager, save } = await openModuleFolder({ 'slow.js': moduleOf('return 1') });
  await save('slow.js', moduleOf('return 2', 'setInterval(() => {}, 1_000); await new Promise(() => {});'));
  void manager.getTool('slow')!.reload!();
  const controller = new AbortController();
  const timers: number[] = [];
  const result = executeSingleRequest(
    { toolName: 'slow_run', args: {} },
    {
      toolRegistryManager: manager,
      caller: 'user',
      signal: controller.signal,
      after: (ms) => (timers.push(ms), () => {}),
      onCallStart: () => void setImmediate(() => controller.abort()),
    },
  );
  expect(await result).toMatchObject({
    status: 'error',
    result: '"slow_run" was cancelled. It did not run.',
    durationMs: 0,
    error: { code: 'cancelled', details: { ran: false } },
  });
  expect(timers).toEqual([]);
});

test('saves in quick succession end with the last one', async () => {
  const { manager, save, call, next } = await openModuleFolder({ 'a.js': moduleOf('return 0') }, { watch: true });
  const last = next('changed', 'a', ({ registry }) => registry.description === 'last');
  for (let i = 1; i <= 5; i++) {
    const description = i === 5 ? 'last' : `draft ${i}`;
    await save(
      'a.js',
      `export default { description: '${description}', methods: { run: { description: 'x', handler: () => ${i} } } };`,
    );
  }
  await last;
  expect(manager.getTool('a')!.description).toBe('last');
  expect(await call('a', 'run')).toEqual({ value: 5 });
});

/** Runs `a_run` once the user, who is asked meanwhile, has approved it. */
function callAsked(manager: ToolRegistryManager, whileAsked: () => Promise<unknown> = () => Promise.resolve()) {
  return executeSingleRequest(
    { requestId: 'r', toolName: 'a_run', args: {} },
    {
      toolRegistryManager: manager,
      caller: 'user',
      config: { requireConfirmation: true },
      onBeforeExecute: () => whileAsked().then(() => true),
    },
  );
}

const otherCode = { error: { code: 'tool-changed' } };

test('an approval of a call does not apply to code that is loaded later', async () => {
  const { manager, save, next } = await openModuleFolder({ 'a.js': moduleOf("return 'old'") }, { watch: true });
  const change = async (): Promise<void> => {
    const changed = next('changed', 'a');
    await save('a.js', moduleOf("return 'new'"));
    await changed;
  };
  expect(await callAsked(manager)).toMatchObject({ result: 'old' });
  expect(await callAsked(manager, change)).toMatchObject(otherCode);
  expect(await callAsked(manager)).toMatchObject({ result: 'new' });
});

test('an approval of a call does not apply to a file that was deleted and created again', async () => {
  const { dir, manager, save, next } = await openModuleFolder({ 'a.js': moduleOf("return 'old'") }, { watch: true });
  const replace = async (): Promise<void> => {
    const unregistered = next('unregistered', 'a');
    await rm(join(dir, 'a.js'));
    await unregistered;
    const registered = next('registered', 'a');
    await save('a.js', moduleOf("return 'new'"));
    await registered;
  };
  expect(await callAsked(manager, replace)).toMatchObject(otherCode);
});

test('an approval of a call does not apply to code that is loaded while the call waits for its thread', async () => {
  const { manager, save } = await openModuleFolder({ 'a.js': moduleOf("return 'old'") });
  const tool = manager.getTool('a')!;
  await save('a.js', moduleOf("return 'asked'", 'await new Promise(() => setInterval(() => {}, 1_000));'));
  void tool.reload?.();
  const call = callAsked(manager);
  await save('a.js', moduleOf("return 'new'"));
  await tool.reload?.();
  expect(await call).toMatchObject(otherCode);
});

test('an approval of a call does not apply to code that the call loads because the thread has ended', async () => {
  const { manager, save, call } = await openModuleFolder({ 'a.js': moduleOf('process.exit(1)') });
  await expect(call('a', 'run')).rejects.toThrow('ended its own thread');
  expect(await callAsked(manager, () => save('a.js', moduleOf("return 'new'")))).toMatchObject(otherCode);
  expect(await callAsked(manager)).toMatchObject({ result: 'new' });
});
