import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { createToolDiscoveryService } from '../../../../src-core/engine/discovery.ts';
import { executeSingleRequest } from '../../../../src-core/engine/executor.ts';
import { createProtocolRegistry } from '../../../../src-core/protocols/registry.ts';
import { ModuleLoader } from '../../../../src-core/registry/modules/moduleLoader.ts';
import { moduleOf, openModuleFolder } from './moduleFolder.ts';

const good = 'good: { description: "Works.", agentCallable: true, handler: () => "fine" }';
const method = (fields: string): string =>
  `export default {\n  methods: {\n    run: { ${fields} },\n    ${good},\n  },\n};\n`;

test('a description that cannot be read does not affect the other methods', async () => {
  const { manager, call } = await openModuleFolder({
    'getter.js': method("get description() { throw new Error('No.'); }, handler: () => 1"),
  });
  expect(
    manager
      .getTool('getter')
      ?.getMetadata()
      .methods.map(({ name }) => name),
  ).toContain('good');
  expect(await call('getter', 'good')).toEqual({ value: 'fine' });
});

const faults: [name: string, source: string, error: RegExp][] = [
  [
    'syntax.js',
    'const a = 1;\nexport default { methods: { ;\n',
    /^syntax\.js:2:\d+ has a syntax error: .* Correct the line\./,
  ],
  ['syntax.ts', 'const a: number = 1;\nlet b: = 2;\n', /^syntax\.ts:2:\d+ has a syntax error: /],
  [
    'throws.js',
    'const a = 1;\n\nnull.x;\n',
    /^throws\.js:3:\d+ threw an error while loading: Cannot read properties of null/,
  ],
  [
    'throws-stop.js',
    'throw new Error("No key.");\n',
    /threw an error while loading: No key\. Correct what the file does/,
  ],
  ['throws-text.js', 'throw "plain text";\n', /^throws-text\.js threw an error while loading: plain text/],
  ...['module.exports = { methods: {} };', 'exports.methods = {};', "const fs = require('node:fs');"].map(
    (source, at): [string, string, RegExp] => [
      `common-${String(at)}.js`,
      `${source}\n`,
      /:1:\d+ is a CommonJS module\. Write `export default` instead of `module\.exports`, and `import` instead of `require`\./,
    ],
  ),
  ['empty.js', '', /^empty\.js has no default export\. Write `export default/],
  ['old-style.js', '\nexport const methods = {};', /^old-style\.js:2 has no default export/],
  ['text.js', 'export default "x";', /^text\.js:1 has a default export that is not an object/],
  ['no-methods.js', 'export default { name: "x" };', /^no-methods\.js:1 has no methods/],
  [
    'list.js',
    'export default {\n  methods: [{ name: "a" }],\n};',
    /^list\.js:2 has methods that are not an object\. Write `methods: \{ yourMethod: /,
  ],
  [
    'gone.js',
    '// first\nimport { x } from "./_gone";\n',
    /^gone\.js:2 imports "_gone", which does not exist\. Write the whole name with its ending, as in "\.\/_helper\.ts"\. It is/,
  ],
  [
    'package.js',
    '// first\nimport axios from "package-not-installed";\n',
    /^package\.js:2 imports "package-not-installed", which does not exist\. Install the package in the folder of the modules\. It is/,
  ],
  [
    'package.js',
    'import x from "no-such-package-here";\n',
    /^package\.js:1 imports "no-such-package-here", which does not exist/,
  ],
  [
    'waits.js',
    'await new Promise(() => {});\n',
    /^waits\.js ended its own thread \(exit code 0\) before it had loaded\. .*never resolves/,
  ],
  [
    'exits.js',
    'process.exit(4);\n',
    /^exits\.js ended its own thread \(exit code 4\) before it had loaded\. .*process\.exit/,
  ],
];

/** A method of its own besides: it must not notice. */
const methodFaults: [name: string, source: string, error: RegExp][] = [
  [
    'typo.js',
    method('description: "x", input_schema: {}, handler() {}'),
    /^typo\.js:3 method "run" has an unknown field "input_schema"\. Use "inputSchema"\. Known fields: .*inputSchema/,
  ],
  [
    'misspelt.js',
    method('description: "x", agentCallabel: true, handler() {}'),
    /^misspelt\.js:3 method "run" has an unknown field "agentCallabel"\. Use "agentCallable"\. Known fields: /,
  ],
  [
    'parameters.js',
    method('description: "x", parameters: {}, handler() {}'),
    /^parameters\.js:3 method "run" has an unknown field "parameters"\. Use "inputSchema"\. Known fields: /,
  ],
  [
    'schema-parameters.js',
    'export default class {\n  getMetadata() {\n    return { methods: [{ name: "run", description: "x", parameters: { type: "object" } }, { name: "good", description: "x", agentCallable: true }] };\n  }\n  run() {}\n  good() { return \"fine\"; }\n}\n',
    /^schema-parameters\.js:3 method "run": "parameters" must be an array of objects with a "name"\. Write `parameters: .*inputSchema`\. It is/,
  ],
  [
    'dangerous.js',
    method('description: "x", dangerous: true, handler() {}'),
    /^dangerous\.js:3 method "run" has an unknown field "dangerous"\. Use "danger"\. Known fields: /,
  ],
  [
    'destructiveHint.js',
    method('description: "x", destructiveHint: true, handler() {}'),
    /^destructiveHint\.js:3 method "run" has an unknown field "destructiveHint"\. Use "danger"\. Known fields: /,
  ],
  [
    'annotations.js',
    method('description: "x", annotations: {}, handler() {}'),
    /^annotations\.js:3 method "run" has an unknown field "annotations"\. Use "danger"\. Known fields: /,
  ],
  [
    'title.js',
    method('description: "x", title: "Run", handler() {}'),
    /^title\.js:3 method "run" has an unknown field "title"\. Use "displayName"\. Known fields: /,
  ],
  ['no-handler.js', method('description: "x"'), /^no-handler\.js:3 method "run" has no handler/],
  ['no-description.js', method('handler() {}'), /^no-description\.js:3 method "run" has no description/],
  [
    'bad-flag.js',
    method('description: "x", agentCallable: "yes", handler() {}'),
    /agentCallable that is not a boolean/,
  ],
  ['bad-danger.js', method('description: "x", danger: true, handler() {}'), /danger that is not a string/],
  [
    'schema-kind.js',
    method('description: "x", inputSchema: { type: "string" }, handler() {}'),
    /^schema-kind\.js:3 .*does not describe an object/,
  ],
  [
    'schema-type.js',
    method('description: "x", inputSchema: { type: "object", properties: { n: { type: "nubmer" } } }, handler() {}'),
    /^schema-type\.js:3 .*faulty inputSchema: .*properties\/n\/type/,
  ],
  [
    'schema-ring.js',
    `const s = { type: 'object' };\ns.s = s;\n${method('description: "x", inputSchema: s, handler() {}')}`,
    /inputSchema that is not valid JSON/,
  ],
  [
    'name.js',
    'export default { methods: { "two words": { description: "x", handler() {} }, good: { description: "Works.", agentCallable: true, handler: () => "fine" } } };',
    /"two words" has a name that cannot be called/,
  ],
];

test.each(faults)('%s says what is wrong, where, and how to mend it', async (name, source, error) => {
  const { manager } = await openModuleFolder({ [name]: source });
  const [tool] = manager.getAllTools();
  expect(tool!.getMetadata()).toEqual({ methods: [], error: expect.stringMatching(error) });
});

test.each(methodFaults)(
  '%s loses the one method, which says what is wrong with it, and keeps the other',
  async (name, source, error) => {
    const { manager, call } = await openModuleFolder({ [name]: source });
    const [tool] = manager.getAllTools();
    const { methods, error: whole } = tool!.getMetadata();
    expect(whole).toBeUndefined();
    expect(methods).toEqual([
      expect.objectContaining({ agentCallable: false, error: expect.stringMatching(error) }),
      expect.objectContaining({ name: 'good', agentCallable: true }),
    ]);
    expect(methods[1]).not.toHaveProperty('error');
    expect(await call(tool!.id, 'good')).toEqual({ value: 'fine' });
    await expect(call(tool!.id, methods[0]!.name)).rejects.toMatchObject({ code: 'unknown-method' });
  },
);

test('the line of an unknown field is that of its own method', async () => {
  const one = (name: string): string => `${name}: { description: 'x', dangerous: true, handler() {} },\n`;
  const source = `export default { methods: {\n${one('send')}${one("'send_all'")}}};\n`;
  const { manager } = await openModuleFolder({ 'many.js': source });
  const { methods } = manager.getTool('many')!.getMetadata();
  expect(methods.map(({ error }) => error?.split(' has ')[0])).toEqual([
    'many.js:2 method "send"',
    'many.js:3 method "send_all"',
  ]);
});

test('an unknown field of a module says where it belongs, and its methods stay', async () => {
  const source = `export default {\n  protocolConfig: { vcpCommand: 'X' },\n  methods: { ${good} },\n};\n`;
  const { manager, call } = await openModuleFolder({ 'stray.js': source });
  const [tool] = manager.getAllTools();
  expect(tool!.getMetadata()).toEqual({
    methods: [expect.objectContaining({ name: 'good', agentCallable: true })],
    error: expect.stringMatching(
      /^stray\.js:2 the tool has an unknown field "protocolConfig"\. It belongs inside a method\. Known fields: name, description, methods\. It is loaded/,
    ),
  });
  expect(await call(tool!.id, 'good')).toEqual({ value: 'fine' });
});

test('a method that cannot be used is not run, not offered, and works once its file is right', async () => {
  const broken = method('description: "x", agentCallable: true, inputSchema: { type: "array" }, handler: () => 1');
  const { manager, save, next } = await openModuleFolder({ 'two.js': broken }, { watch: true });
  const discovery = createToolDiscoveryService({ toolRegistryManager: manager, protocols: createProtocolRegistry() });
  const run = (): Promise<unknown> =>
    executeSingleRequest({ toolName: 'two_run', args: {} }, { toolRegistryManager: manager, caller: 'user' });
  expect(discovery.getDiscoveredMethods()).toMatchObject([{ toolId: 'two', methods: [{ name: 'good' }] }]);
  expect(await run()).toMatchObject({
    status: 'error',
    error: { code: 'unusable-method', message: expect.stringMatching(/^two\.js:3 method "run" .* inputSchema /) },
  });
  const changed = next('changed', 'two');
  await save('two.js', broken.replace('"array"', '"object"'));
  await changed;
  expect(discovery.getDiscoveredMethods()).toMatchObject([{ methods: [{ name: 'run' }, { name: 'good' }] }]);
  expect(await run()).toMatchObject({ status: 'success', result: '1' });
});

test('an endless loop at the top level ends at the limit of processor time, and the other modules load', async () => {
  const { manager, call } = await openModuleFolder(
    { 'hangs.js': 'for (;;);', 'good.js': moduleOf('return "ok"') },
    { limits: { loadCpuMs: 2_000 } },
  );
  expect(manager.getTool('hangs')!.getMetadata().error).toMatch(
    /^hangs\.js used 2 s of processor time and did not finish loading\. Look for an endless loop/,
  );
  expect(await call('good', 'run')).toEqual({ value: 'ok' });
});

test('a module that waits for longer than the limit of processor time, as on a busy machine, loads', async () => {
  const sleep = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);';
  const { manager, call } = await openModuleFolder(
    { 'slow.js': moduleOf('return "ok"', sleep) },
    { limits: { loadCpuMs: 2_000 } },
  );
  expect(manager.getTool('slow')!.getMetadata().error).toBeUndefined();
  expect(await call('slow', 'run')).toEqual({ value: 'ok' });
});

test('a module that waits without an end fails, and the text says how long it waited', async () => {
  const { manager } = await openModuleFolder(
    { 'waits.js': 'await new Promise((resolve) => setTimeout(resolve, 1e9));' },
    { limits: { loadWaitMs: 1_000 } },
  );
  expect(manager.getTool('waits')!.getMetadata().error).toMatch(
    /^waits\.js did not finish loading within 1 s\. Look for a long wait/,
  );
});

test('a syntax error in a helper names the helper', async () => {
  const { manager } = await openModuleFolder({
    '_helper.ts': 'export const a = 1;\nconst b = ;\n',
    'tool.ts': `import { a } from './_helper.ts';\n${moduleOf('return a')}`,
  });
  expect(manager.getTool('tool')!.getMetadata().error).toMatch(/^_helper\.ts:2:\d+ has a syntax error/);
});

test('a file that fills its memory while it loads fails alone', async () => {
  const { manager } = await openModuleFolder(
    { 'big.js': 'const all = []; for (;;) all.push(new Array(100_000).fill(Math.random()));' },
    { limits: { maxHeapMb: 32 } },
  );
  expect(manager.getTool('big')!.getMetadata().error).toMatch(
    /^big\.js used more than its 32 MB of memory before it had loaded/,
  );
});

test.each([
  ['big.js', 'big.js', {}],
  ['big.ts', 'big.ts', {}],
  ['_data.js', 'tool.js', { 'tool.js': `import './_data.js';\n${moduleOf('return 1')}` }],
])('%s of more than 4 MB is not read, and the error names its size and the limit', async (name, module, others) => {
  const fill = `// ${'x'.repeat(4 * 1024 * 1024)}\n`;
  const { manager, call } = await openModuleFolder({
    ...others,
    [name]: fill + moduleOf('return 1'),
    'good.js': moduleOf('return "ok"'),
  });
  const tool = manager.getAllTools().find(({ source }) => source.label === module);
  const size = (fill + moduleOf('return 1')).length.toLocaleString('en');
  expect(tool?.getMetadata()).toEqual({
    methods: [],
    error:
      `${name} has ${size} bytes; the limit is 4,194,304. ` +
      'Split the file, or move its data into files that a handler reads. It is loaded again when the file is saved.',
  });
  expect(await call('good', 'run')).toEqual({ value: 'ok' });
});

test.skipIf(process.platform === 'win32')('a pipe and an endless device are refused, and hold no thread', async () => {
  const { dir, manager, loader } = await openModuleFolder({});
  await loader.close();
  execFileSync('mkfifo', [join(dir, 'pipe.js'), join(dir, 'pipe.ts')]);
  await symlink('/dev/zero', join(dir, 'zero.js'));
  const other = new ModuleLoader({
    dir,
    toolRegistryManager: manager,
    onError: (error) => expect.unreachable(String(error)),
    watch: false,
  });
  onTestFinished(() => other.close());
  await other.start();
  const errors = manager.getAllTools().map((tool) => tool.getMetadata().error);
  const fix = 'Replace it with a file of source text. It is loaded again when the file is saved.';
  expect(errors.sort()).toEqual(['pipe.js', 'pipe.ts', 'zero'].map((name) => `${name} is not a regular file. ${fix}`));
});

test('a call of a failed module fails with its error', async () => {
  const { call } = await openModuleFolder({ 'bad.js': 'nonsense(' });
  await expect(call('bad', 'run')).rejects.toMatchObject({
    code: 'tool-error',
    message: expect.stringMatching(/^bad\.js:1/),
  });
});

test('a method with a mistake keeps its description and its parameters', async () => {
  const source = method(
    "description: 'Rolls.', inputSchema: { type: 'object', properties: { n: { type: 'integer' } } }, handlr() {}",
  );
  const { manager } = await openModuleFolder({ 'dice.js': source });
  const [broken] = manager.getAllTools()[0]!.getMetadata().methods;
  expect(broken).toMatchObject({
    description: 'Rolls.',
    agentCallable: false,
    inputSchema: { properties: { n: { type: 'integer' } } },
    error: expect.stringContaining('"handlr"'),
  });
});
