import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { measure, problemOf, type Figures } from '../figures.ts';

const emptyFolders = { 'renderer/main.ts': '', 'electron/main.ts': '', 'src-core/core.js': '' };

/** A project of these files; `measure` reads it as it reads Toolwire. */
async function measureFiles(files: Record<string, string>): Promise<Figures> {
  const root = mkdtempSync(join(tmpdir(), 'toolwire-figures-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries({ ...emptyFolders, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return measure(root);
}

function lines(count: number, text: string): string {
  return `${text}\n`.repeat(count);
}

test('lines and files of the three folders, components and styles included', async () => {
  const { lines: all, files } = await measureFiles({
    'src-core/base/a.ts': 'export {};\n\n// end',
    'renderer/App.vue': '<template>\n  <p />\n</template>\n',
    'renderer/app.css': 'p {\n}\n',
    'renderer/index.html': lines(50, '<p>'),
    'tests/a.test.ts': lines(50, '//'),
  });
  expect(all.value).toBe(8);
  expect(files.found).toEqual([
    'electron/main.ts',
    'renderer/App.vue',
    'renderer/app.css',
    'renderer/main.ts',
    'src-core/base/a.ts',
  ]);
});

test('files of MCP servers and hosts are not among the lines, the files and those with one importer', async () => {
  const {
    lines: all,
    files,
    oneImporter,
  } = await measureFiles({
    'src-core/mcp/a.ts': 'export type A = 1;\n',
    'src-core/features/servers/b.ts': "import type { A } from '../../mcp/a.ts';\nexport type B = A;\n",
    'src-core/contract/hosts.ts': '\n',
    'src-core/base/messages/en/servers.ts': '\n',
    'renderer/i18n/zh/hosts.ts': '\n',
    'renderer/features/hosts/c.vue': '\n',
    'renderer/features/calls/servers.ts': '\n',
  });
  expect(files.found).toEqual(['electron/main.ts', 'renderer/features/calls/servers.ts', 'renderer/main.ts']);
  expect(all.value).toBe(1);
  expect(oneImporter.found).toEqual([]);
});

test('a file that one other imports, be it a type or a component', async () => {
  const { oneImporter } = await measureFiles({
    'renderer/main.ts': "import App from './App.vue';\nimport { twice } from './twice.ts';\nconsole.log(App, twice);\n",
    'renderer/App.vue': `<script setup lang="ts">
import type { Once } from './once.ts';
import { twice } from './twice.ts';
defineProps<{ once: Once }>();
console.log(twice);
</script>
`,
    'renderer/once.ts': 'export type Once = 1;\n',
    'renderer/twice.ts': 'export const twice = 2;\n',
  });
  expect(oneImporter.found).toEqual(['renderer/App.vue (renderer/main.ts)', 'renderer/once.ts (renderer/App.vue)']);
});

test('functions over 80 and over 100 lines: functions, arrow functions, methods, in components too', async () => {
  const body = (count: number): string => lines(count - 2, '  //');
  const { functionsOver80, functionsOver100 } = await measureFiles({
    'src-core/base/long.ts': [
      `export function f100() {\n${body(100)}}`,
      `export function f101() {\n${body(101)}}`,
      `export const f80 = () => {\n${body(80)}};`,
      `export const f81 = () => {\n${body(81)}};`,
      `export class Long {\n  method() {\n${body(102)}  }\n}`,
    ].join('\n'),
    'renderer/Long.vue': `<template>\n  <p />\n</template>\n<script setup lang="ts">\nfunction run() {\n${body(103)}}\n</script>\n`,
  });
  const over100 = [
    'renderer/Long.vue:5 (103 lines)',
    'src-core/base/long.ts:101 (101 lines)',
    'src-core/base/long.ts:364 (102 lines)',
  ];
  expect(functionsOver100.found).toEqual(over100);
  expect(functionsOver80.found.toSorted()).toEqual(
    [...over100, 'src-core/base/long.ts:1 (100 lines)', 'src-core/base/long.ts:282 (81 lines)'].toSorted(),
  );
});

test('imports of a higher layer', async () => {
  const { upwardImports } = await measureFiles({
    'src-core/base/low.ts': "import '../protocols/middle.ts';\n",
    'src-core/protocols/middle.ts':
      "import '../base/lowest.ts';\nimport type { Top } from '../top.ts';\nexport const a: Top = 1;\n",
    'src-core/base/lowest.ts': 'export {};\n',
    'src-core/features/chat/service.ts': "import '../../rpc/router.ts';\n",
    'src-core/rpc/router.ts': "import '../engine/engine.ts';\n",
    'src-core/engine/engine.ts': 'export {};\n',
    'src-core/cli/main.ts': "import '../top.ts';\n",
    'src-core/top.ts': "import './cli/other.ts';\nexport type Top = 1;\n",
    'src-core/cli/other.ts': 'export {};\n',
  });
  expect(upwardImports.found.toSorted()).toEqual([
    'src-core/base/low.ts → src-core/protocols/middle.ts',
    'src-core/features/chat/service.ts → src-core/rpc/router.ts',
    'src-core/protocols/middle.ts → src-core/top.ts',
  ]);
});

test('a folder without a layer is an error that says where to add it', async () => {
  const measured = measureFiles({
    'src-core/base/a.ts': "import '../unheard/b.ts';\n",
    'src-core/unheard/b.ts': 'export {};\n',
  });
  await expect(measured).rejects.toThrow('src-core/unheard has no layer: add it to `layers` in tests/figures.ts');
});

test('cycles, each once, of types too', async () => {
  const { cycles } = await measureFiles({
    'src-core/base/a.ts': "import { b } from './b.ts';\nexport const a = () => b;\n",
    'src-core/base/b.ts': "import { a } from './a.ts';\nexport const b = () => a;\n",
    'src-core/base/c.ts': "import type { D } from './d.ts';\nexport type C = D[];\n",
    'src-core/base/d.ts': "import type { C } from './c.ts';\nexport type D = C[];\n",
    'src-core/base/e.ts': "import { a } from './a.ts';\nexport const e = a;\n",
  });
  expect(cycles.found).toEqual(['src-core/base/a.ts, src-core/base/b.ts', 'src-core/base/c.ts, src-core/base/d.ts']);
});

test('exported names that nobody imports', async () => {
  const { unusedExports } = await measureFiles({
    'vite.config.ts':
      "import { forBuild } from './electron/build.ts';\nforBuild();\nexport default { input: 'src-core/entry.ts' };\n",
    'electron/build.ts': 'export const forBuild = () => {};\nexport const unusedInBuild = 1;\n',
    'src-core/entry.ts': "export { reached } from './base/names.ts';\nexport * from './base/whole.ts';\n",
    'src-core/base/whole.ts': 'export const ofWhole = 1;\n',
    'src-core/base/names.ts': `export const reached = 1;
export const [unusedOne, { unusedTwo }] = [1, { unusedTwo: 2 }];
export const usedOnlyHere = usedAsOther;
console.log(usedOnlyHere);
export default 1;
export function usedAsOther(options: OptionsOfUsed): void {
  const inside: UnusedType = options;
}
export interface OptionsOfUsed extends BaseOfOptions {}
export interface BaseOfOptions { itself?: BaseOfOptions }
export interface UnusedType { itself?: UnusedType }
const local = 1;
export { local as unusedAlias };
`,
    'src-core/base/barrel.ts': "export * from './behind.ts';\nexport { usedLate as renamed } from './late.ts';\n",
    'src-core/base/behind.ts': 'export const behindBarrel = 1;\nexport const unusedBehindBarrel = 1;\n',
    'src-core/base/late.ts': 'export const usedLate = 1;\n',
    'src-core/base/all.ts': 'export const inNamespace = 1;\n',
    'src-core/base/lazy.ts': 'export const loadedLate = 1;\n',
    'renderer/App.vue': `<script setup lang="ts">
import { usedAsOther as other } from '../src-core/base/names.ts';
import { behindBarrel } from '../src-core/base/barrel.ts';
import * as all from '../src-core/base/all.ts';
const late = () => import('../src-core/base/lazy.ts');
</script>
`,
    'tests/a.test.ts': "import { unusedOne } from '../src-core/base/names.ts';\nconsole.log(unusedOne);\n",
  });
  expect(unusedExports.found).toEqual([
    'electron/build.ts: unusedInBuild',
    'src-core/base/barrel.ts: renamed',
    'src-core/base/behind.ts: unusedBehindBarrel',
    ...['unusedOne', 'unusedTwo', 'usedOnlyHere', 'default', 'UnusedType', 'unusedAlias'].map(
      (name) => `src-core/base/names.ts: ${name}`,
    ),
  ]);
});

test.each([
  ['/** Undefined where there is none. */', 1],
  ["const text = 'Rejects where it is closed.';", 1],
  ['// It fails\n// where `signal` aborts.', 1],
  ['/**\n * True\n * where it fits.\n */', 1],
  ['// Where it is absent, the default holds.', 1],
  ['<!-- Absent where it has none. -->', 1],
  ['/** Where settings are kept. */', 0],
  ['// It stays where it is.', 0],
  ['// The node, and where it begins.', 0],
  ['// Nobody knows where the text ends.', 0],
  ['// A server: where it is, how it speaks.', 0],
  ["const where = 'here';\nreturn { where };", 0],
  ["const sql = 'SELECT 1 FROM calls WHERE id = 1';", 0],
])('%j has %i "where" for "if"', async (text, count) => {
  const { whereForIf } = await measureFiles({ 'renderer/a.vue': text });
  expect(whereForIf.value).toBe(count);
});

test('a figure above its ceiling fails', () => {
  expect(problemOf('files', 1501, 1500)).toBe(
    'files: 1501 is above the ceiling of 1500. List: node tests/figures.ts files',
  );
  expect(problemOf('files', 1500, 1500)).toBeUndefined();
  expect(problemOf('files', 900, 1500)).toBeUndefined();
});
