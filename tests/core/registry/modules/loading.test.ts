import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';

import { ModuleLoader } from '../../../../src-core/registry/modules/moduleLoader.ts';
import { createToolRegistryManager } from '../../../../src-core/registry/toolRegistryManager.ts';
import { moduleOf, openModuleFolder } from './moduleFolder.ts';

test('a file becomes a tool with its methods', async () => {
  const { manager, call } = await openModuleFolder({
    'my weather.mjs': `export default {
      name: 'Weather',
      description: 'Asks a station.',
      methods: {
        now: {
          displayName: 'Now',
          description: 'The weather now.',
          inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
          agentCallable: true,
          danger: 'Moves the antenna.',
          vcpCommand: 'WeatherNow',
          handler({ city }) { return { city, degrees: this.base }; },
        },
      },
    };`,
  });
  const tool = manager.getTool('my-weather')!;
  expect(tool.name).toBe('Weather');
  expect(tool.description).toBe('Asks a station.');
  expect(tool.source).toEqual({ kind: 'module', id: 'my weather.mjs', label: 'my weather.mjs' });
  expect(tool.getMetadata()).toEqual({
    methods: [
      {
        name: 'now',
        displayName: 'Now',
        description: 'The weather now.',
        inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        agentCallable: true,
        danger: 'Moves the antenna.',
        protocolConfig: { vcpCommand: 'WeatherNow' },
      },
    ],
  });
  expect(await call('my-weather', 'now', { city: 'Köln' })).toEqual({ value: { city: 'Köln' } });
});

test('what a module leaves out has safe defaults: no parameters, not callable by a model', async () => {
  const { manager } = await openModuleFolder({ 'a.js': moduleOf('return 1') });
  expect(manager.getTool('a')!.getMetadata().methods).toEqual([
    { name: 'run', description: 'Runs.', agentCallable: false, inputSchema: { type: 'object', properties: {} } },
  ]);
});

test('TypeScript, enums included, can import helpers that are not tools', async () => {
  const folder = await openModuleFolder({ '_double.ts': 'export const double = (n: number): number => n * 2;' });
  await folder.loader.close();
  await mkdir(join(folder.dir, 'lib'));
  await writeFile(join(folder.dir, 'lib', 'units.ts'), 'export enum Unit { Celsius = "C" }');
  await writeFile(
    join(folder.dir, 'typed.ts'),
    `import { double } from './_double.ts';
     import { Unit } from './lib/units.ts';
     interface Args { n: number }
     export default { methods: { run: { description: 'Runs.', handler: ({ n }: Args) => double(n) + Unit.Celsius } } };`,
  );
  await writeFile(
    join(folder.dir, 'plain.js'),
    `import { double } from './_double.ts';\n${moduleOf('return double(args.n)')}`,
  );
  const manager = createToolRegistryManager();
  const loader = new ModuleLoader({
    dir: folder.dir,
    toolRegistryManager: manager,
    onError: () => undefined,
    watch: false,
  });
  await loader.start();
  try {
    expect(
      manager
        .getAllTools()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(['plain', 'typed']);
    const options = { signal: new AbortController().signal, timeoutMs: 30_000, callId: 'c' };
    expect(await manager.getTool('typed')!.invoke('run', { n: 4 }, options)).toEqual({ value: '8C' });
    expect(await manager.getTool('plain')!.invoke('run', { n: 4 }, options)).toEqual({ value: 8 });
  } finally {
    await loader.close();
  }
});

test('the line of an error in TypeScript is the line of its source', async () => {
  const { call } = await openModuleFolder({
    'late.ts': `enum Kind {\n  A,\n  B,\n}\ninterface Unused {\n  a: Kind;\n}\n\nexport default {\n  methods: {\n    run: {\n      description: 'Runs.',\n      handler(): void {\n        throw new RangeError('too far');\n      },\n    },\n  },\n};\n`,
  });
  await expect(call('late', 'run')).rejects.toMatchObject({
    info: { code: 'tool-error', message: 'too far', details: { location: expect.stringMatching(/^late\.ts:14:/) } },
  });
});

test('two files of one name get two ids', async () => {
  const { manager, call } = await openModuleFolder({
    'a.js': moduleOf('return "js"'),
    'a.ts': moduleOf('return "ts"'),
  });
  expect(
    manager
      .getAllTools()
      .map(({ id }) => id)
      .sort(),
  ).toEqual(['a', 'a-ts']);
  expect(await call('a-ts', 'run')).toEqual({ value: 'ts' });
});

test('a file with the name of another tool is a tool beside it, and takes nothing away', async () => {
  const { manager, loader, save, call, next, problems } = await openModuleFolder({}, { watch: true });
  const clock = stub('clock');
  manager.register(clock);
  for (const [name, id] of [
    ['clock.js', 'clock-js'],
    ['clock.ts', 'clock-ts'],
    ['clock-js.js', 'clock-js-js'],
    ['clock-js.mjs', 'clock-js-mjs'],
  ] as const) {
    const registered = next('registered', id);
    await save(name, moduleOf(`return "${name}"`));
    await registered;
    expect(manager.getTool(id)).toMatchObject({ name: id, source: { kind: 'module', label: name } });
    expect(await call(id, 'run')).toEqual({ value: name });
  }
  expect(problems).toEqual([]);
  await loader.close();
  expect(manager.getAllTools()).toEqual([clock]);
});

test('where even the longer name is taken, a number tells the files apart', async () => {
  const { manager } = await openModuleFolder({
    'a-ts-2.js': moduleOf('return 1'),
    'a-ts.js': moduleOf('return 1'),
    'a.js': moduleOf('return 1'),
    'a.ts': moduleOf('return 1'),
  });
  expect(manager.getAllTools().map(({ id, source }) => [source.label, id])).toEqual(
    expect.arrayContaining([
      ['a.js', 'a'],
      ['a.ts', 'a-ts-3'],
    ]),
  );
});

test('a name that is taken while the file loads is reported and takes nothing away', async () => {
  const { dir, manager, save, loader } = await openModuleFolder({});
  await loader.close();
  await save('late.js', moduleOf('return 1'));
  const problems: string[] = [];
  const other = stub('late');
  const second = new ModuleLoader({
    dir,
    toolRegistryManager: {
      ...manager,
      register(registry) {
        manager.register(other);
        return manager.register(registry);
      },
    },
    onError: (error, where) => problems.push(`${where}: ${String(error)}`),
    watch: false,
  });
  await second.start();
  expect(problems).toEqual([expect.stringMatching(/late\.js \(rename the file\).*"late" is taken by builtin/)]);
  await second.close();
  expect(manager.getTool('late')).toBe(other);
});

test('a watcher that fails is reported, and the modules are there all the same', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'toolwire-modules-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await writeFile(join(dir, 'a.js'), moduleOf('return 1'));
  // A link to itself cannot be watched: an error that comes before the watcher is ready, as a full inotify table is.
  await symlink('loop', join(dir, 'loop'));
  const manager = createToolRegistryManager();
  const problems: string[] = [];
  const loader = new ModuleLoader({
    dir,
    toolRegistryManager: manager,
    onError: (error, where) => problems.push(`${where}: ${String(error)}`),
  });
  onTestFinished(() => loader.close());
  await loader.start();
  expect(problems).toEqual([expect.stringMatching(/^watching the modules folder .*restart.*: Error: ELOOP/)]);
  expect(manager.getTool('a')!.getMetadata().methods).toHaveLength(1);
});

test('files past the limit are left out and named', async () => {
  const { manager, problems } = await openModuleFolder(
    { 'a.js': moduleOf(''), 'b.js': moduleOf(''), 'c.js': moduleOf('') },
    { limits: { maxModules: 2 } },
  );
  expect(manager.getAllTools()).toHaveLength(2);
  expect(problems).toEqual([expect.stringContaining('leaving out c.js')]);
});

test('ignores files that are not modules', async () => {
  const { manager } = await openModuleFolder({
    'README.md': '# hi',
    'types.d.ts': 'export {};',
    'data.json': '{}',
    'old.js~': 'nonsense(',
    '_x.js': 'nonsense(',
  });
  expect(manager.getAllTools()).toEqual([]);
});

test('unknown fields are named all at once', async () => {
  const source = `export default {
  author: 'me',
  pluginType: 'synchronous',
  methods: { go: { description: 'x', agentcallable: true, paramters: {}, handler: () => 1 } },
};`;
  const { manager } = await openModuleFolder({ 'odd.js': source });
  const { methods, error } = manager.getTool('odd')!.getMetadata();
  expect(error).toMatch(/^odd\.js:2 the tool has unknown fields: author, pluginType\. Known fields: name, /);
  expect(methods[0]?.error).toMatch(/^odd\.js:4 method "go" has unknown fields: agentcallable, paramters\. Known/);
});

test('names the files of other plugin systems, with what to do, and takes no id from a module', async () => {
  const { manager } = await openModuleFolder({
    'dice.cjs': 'module.exports = { methods: {} };',
    'dice.js': moduleOf('return 1'),
    'plugin-manifest.json': '{"name":"dice"}',
  });
  const ids = manager.getAllTools().map(({ id }) => id);
  expect(ids.sort()).toEqual(['dice', 'dice-cjs', 'plugin-manifest-json']);
  expect(manager.getTool('dice-cjs')!.getMetadata()).toEqual({
    methods: [],
    error:
      'dice.cjs is a CommonJS module. Write `export default` instead of `module.exports`, and `import` instead of `require`. Save it as a .js file.',
  });
  expect(manager.getTool('plugin-manifest-json')!.getMetadata().error).toMatch(
    /^plugin-manifest\.json belongs to a plugin of VCPToolBox, which Toolwire does not run\. /,
  );
});

test('the folder is made where it is missing, and closing takes every tool out', async () => {
  const { dir, loader, manager } = await openModuleFolder({ 'a.js': moduleOf('return 1') });
  await loader.close();
  await loader.close();
  expect(manager.getAllTools()).toEqual([]);
  const fresh = join(dir, 'deep', 'modules');
  const second = new ModuleLoader({
    dir: fresh,
    toolRegistryManager: manager,
    onError: () => undefined,
    watch: false,
  });
  await second.start();
  expect(existsSync(fresh)).toBe(true);
  await second.close();
});

test('a folder that cannot be created is reported, and start ends without tools', async () => {
  const { dir, save, manager } = await openModuleFolder({});
  await save('file', 'x');
  const errors: unknown[] = [];
  const loader = new ModuleLoader({
    dir: join(dir, 'file'),
    toolRegistryManager: manager,
    onError: (error) => void errors.push(error),
    watch: false,
  });
  await loader.start();
  expect(String(errors[0])).toMatch(/EEXIST|ENOTDIR/);
  await loader.close();
});

test('closing before the folder has been read ends start', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'toolwire-modules-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await writeFile(join(dir, 'a.js'), moduleOf('return 1'));
  // At whatever point of its start.
  for (let turns = 0; turns < 12; turns += 1) {
    const manager = createToolRegistryManager();
    const loader = new ModuleLoader({
      dir,
      toolRegistryManager: manager,
      onError: (error) => {
        throw error;
      },
    });
    const starting = loader.start();
    for (let turn = 0; turn < turns; turn += 1) await setImmediate();
    await loader.close();
    await starting;
    expect(manager.getAllTools()).toEqual([]);
  }
});

function stub(id: string): Parameters<ReturnType<typeof createToolRegistryManager>['register']>[0] {
  return {
    id,
    name: id,
    source: { kind: 'builtin', id, label: id },
    getMetadata: () => ({ methods: [] }),
    invoke: () => Promise.resolve({ value: null }),
  };
}

test('close waits until the folder has been read', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'toolwire-modules-'));
  const errors: unknown[] = [];
  const loader = new ModuleLoader({
    dir: join(dir, 'modules'),
    toolRegistryManager: createToolRegistryManager(),
    onError: (error) => errors.push(error),
  });
  let settled = false;
  const started = loader.start().finally(() => (settled = true));
  await loader.close();
  expect(settled).toBe(true);
  await rm(dir, { recursive: true });
  await started;
  expect(errors).toEqual([]);
});
