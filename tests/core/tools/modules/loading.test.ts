import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';

import { createModuleLoader } from '../../../../src-core/tools/modules/moduleLoader.ts';
import { createToolRegistryManager } from '../../../../src-core/tools/toolRegistryManager.ts';
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

test('TypeScript, enums included, imports helpers that are no tools themselves', async () => {
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
  const loader = createModuleLoader({
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
    const options = { signal: new AbortController().signal, timeoutMs: 1000, callId: 'c' };
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

test('a name that another source has is reported and takes nothing away', async () => {
  const folder = await openModuleFolder({});
  const other = { ...stub('taken') };
  folder.manager.register(other);
  await folder.loader.close();
  await folder.save('taken.js', moduleOf('return 1'));
  const problems: string[] = [];
  const loader = createModuleLoader({
    dir: folder.dir,
    toolRegistryManager: folder.manager,
    onError: (error, where) => problems.push(`${where}: ${String(error)}`),
    watch: false,
  });
  await loader.start();
  expect(problems).toEqual([expect.stringMatching(/taken\.js \(rename the file\).*"taken" is taken by builtin/)]);
  await loader.close();
  expect(folder.manager.getTool('taken')).toBe(other);
});

test('files past the limit are left out and named', async () => {
  const { manager, problems } = await openModuleFolder(
    { 'a.js': moduleOf(''), 'b.js': moduleOf(''), 'c.js': moduleOf('') },
    { limits: { maxModules: 2 } },
  );
  expect(manager.getAllTools()).toHaveLength(2);
  expect(problems).toEqual([expect.stringContaining('leaving out c.js')]);
});

test('what is no module is left alone', async () => {
  const { manager } = await openModuleFolder({
    'README.md': '# hi',
    'types.d.ts': 'export {};',
    'data.json': '{}',
    'old.js~': 'nonsense(',
    '_x.js': 'nonsense(',
  });
  expect(manager.getAllTools()).toEqual([]);
});

test('the folder is made where it is missing, and closing takes every tool out', async () => {
  const { dir, loader, manager } = await openModuleFolder({ 'a.js': moduleOf('return 1') });
  await loader.close();
  await loader.close();
  expect(manager.getAllTools()).toEqual([]);
  const fresh = join(dir, 'deep', 'modules');
  const second = createModuleLoader({
    dir: fresh,
    toolRegistryManager: manager,
    onError: () => undefined,
    watch: false,
  });
  await second.start();
  expect(existsSync(fresh)).toBe(true);
  await second.close();
});

test('a folder that is a file is an error of start', async () => {
  const { dir, save, manager } = await openModuleFolder({});
  await save('file', 'x');
  const loader = createModuleLoader({
    dir: join(dir, 'file'),
    toolRegistryManager: manager,
    onError: () => undefined,
    watch: false,
  });
  await expect(loader.start()).rejects.toThrow(/EEXIST/);
  await loader.close();
});

test('closing before the folder has been read lets start end', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'toolwire-modules-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await writeFile(join(dir, 'a.js'), moduleOf('return 1'));
  // At whatever point of its start.
  for (let turns = 0; turns < 12; turns += 1) {
    const manager = createToolRegistryManager();
    const loader = createModuleLoader({
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
