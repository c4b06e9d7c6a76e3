import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { confinePath, isInside } from '../../../../src-core/registry/builtin/confinePath.ts';
import { createDirectoryTreeTool } from '../../../../src-core/registry/builtin/directoryTree.ts';
import type { JsonObject } from '../../../../src-core/base/json.ts';

let base: string;
let root: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'toolwire-tree-'));
  root = join(base, 'root');
  write('README.md', 'src/main.ts', 'src/tools/clock.ts', 'src/tools/deep/er/x.ts', '文档/说明.md');
  mkdirSync(join(root, 'empty'));
  mkdirSync(join(base, 'outside'));
  writeFileSync(join(base, 'outside', 'secret.txt'), 'secret');
});
afterEach(() => {
  rmSync(base, { recursive: true, force: true });
});

function write(...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), '');
  }
}

async function listFiles(
  args: JsonObject = {},
  { getRoot, signal = new AbortController().signal }: { getRoot?: () => string | undefined; signal?: AbortSignal } = {},
): Promise<string[]> {
  const tool = createDirectoryTreeTool({ getRoot: getRoot ?? (() => root) });
  const { value } = await tool.invoke('listFiles', args, { signal, timeoutMs: 1_000, callId: 'c1' });
  return String(value).split('\n');
}

test.each([undefined, {}, { root: '/tmp' }, { getRoot: '/tmp' }])('the options %j are refused at once', (options) => {
  const create = createDirectoryTreeTool as (wrong: unknown) => unknown;
  expect(() => create(options)).toThrow(
    new TypeError(
      'createDirectoryTreeTool needs the option "getRoot", a function that returns the directory to list. ' +
        "Write createDirectoryTreeTool({ getRoot: () => '/path/of/the/directory' }).",
    ),
  );
});

test.each([
  ['get_root', 'Write "getRoot".'],
  ['maxDepth', 'Its options are: getRoot.'],
])('the option %s beside getRoot is refused', (name, remedy) => {
  const options = { getRoot: () => root, [name]: 1 };
  expect(() => createDirectoryTreeTool(options)).toThrow(
    new TypeError(`createDirectoryTreeTool has no option "${name}". ${remedy}`),
  );
});

describe('the tree', () => {
  test('lists directories first, by name, four levels deep by default', async () => {
    expect(await listFiles()).toEqual([
      './',
      ...[
        '├── empty/',
        '├── src/',
        '│   ├── tools/',
        '│   │   ├── deep/',
        '│   │   │   └── er/',
        '│   │   └── clock.ts',
      ],
      ...['│   └── main.ts', '├── 文档/', '│   └── 说明.md', '└── README.md'],
    ]);
  });

  test('lists one level of a directory', async () => {
    expect(await listFiles({ path: 'src/tools', recursive: false })).toEqual(['tools/', '├── deep/', '└── clock.ts']);
    expect(await listFiles({ path: 'src\\tools', recursive: false })).toEqual(['tools/', '├── deep/', '└── clock.ts']);
    expect(await listFiles({ path: './src/../src/', maxDepth: 1 })).toEqual(['src/', '├── tools/', '└── main.ts']);
  });

  test('depth and number of entries are bounded', async () => {
    expect(await listFiles({ path: 'src', maxDepth: 32 })).toContain('│   │       └── x.ts');
    expect(await listFiles({ limit: 3 })).toEqual([
      './',
      '├── empty/',
      '├── src/',
      '│   ├── tools/',
      '… cut off after 3 entries',
    ]);
    write(...Array.from({ length: 50 }, (_, i) => `many/f${String(i).padStart(2, '0')}`));
    expect(await listFiles({ path: 'many', limit: 50 })).toHaveLength(51);
    const cut = await listFiles({ path: 'many', limit: 49 });
    expect([cut.length, cut.at(-1)]).toEqual([51, '… cut off after 49 entries']);
  });

  test('an empty directory is one line', async () => {
    expect(await listFiles({ path: 'empty' })).toEqual(['empty/']);
  });

  test.runIf(process.platform !== 'win32')('a name cannot break its line', async () => {
    writeFileSync(join(root, 'empty', 'a\nb\u202e'), '');
    expect(await listFiles({ path: 'empty' })).toEqual(['empty/', '└── a\\u000ab\\u202e']);
  });
});

describe('nothing outside the root', () => {
  test.each([
    ['..', 'leads out of the root directory'],
    ['src/../../outside', 'leads out of the root directory'],
    ['src\\..\\..\\outside', 'leads out of the root directory'],
    ['/etc', 'is absolute; write it relative to the root'],
    ['\\\\server\\share', 'is absolute'],
    ['C:\\Windows', 'is absolute'],
    ['C:secret', 'is absolute'],
    ['a\0b', 'holds a NUL character'],
    ['nowhere', 'does not exist'],
    ['README.md/x', 'does not exist'],
    ['README.md', 'The path "README.md" is a file, not a directory.'],
  ])('%j is refused', async (path, reason) => {
    await expect(listFiles({ path })).rejects.toMatchObject({
      code: 'tool-error',
      message: expect.stringContaining(reason),
    });
  });

  test('links are shown and never followed, and where they lead outside stays untold', async () => {
    symlinkSync(join(base, 'outside'), join(root, 'empty', 'out'));
    symlinkSync(join('..', 'src'), join(root, 'empty', 'in'));
    symlinkSync('gone', join(root, 'empty', 'broken'));
    symlinkSync('.', join(root, 'empty', 'circle'));
    expect(await listFiles({ path: 'empty', maxDepth: 32 })).toEqual([
      'empty/',
      '├── broken -> (broken link: ENOENT)',
      '├── circle -> .',
      '├── in -> ../src',
      '└── out -> (leads outside the root, not followed)',
    ]);
  });

  test('a path through a link that leads out is refused, one that stays inside is not', async () => {
    symlinkSync(join(base, 'outside'), join(root, 'out'));
    symlinkSync('src', join(root, 'in'));
    await expect(listFiles({ path: 'out' })).rejects.toMatchObject({
      message: 'The path "out" is a link that leads out of the root directory.',
    });
    expect(await listFiles({ path: 'in', maxDepth: 1 })).toEqual(['src/', '├── tools/', '└── main.ts']);
  });

  test('the root itself may be a link', async () => {
    symlinkSync(root, join(base, 'link'));
    expect(await listFiles({ path: 'empty' }, { getRoot: () => join(base, 'link') })).toEqual(['empty/']);
  });

  test('a directory beside the root with a longer name is outside', () => {
    expect(isInside('/a/root', '/a/root-2')).toBe(false);
    expect(isInside('/a/root', '/a/root/..x')).toBe(true);
    expect(isInside('/a/root', '/a/root')).toBe(true);
    expect(isInside('/a/root', '/a')).toBe(false);
  });
});

describe('what can be missing', () => {
  test.each([undefined, ''])('no root is chosen: %j', async (chosen) => {
    await expect(listFiles({}, { getRoot: () => chosen })).rejects.toMatchObject({
      message: 'No folder is chosen yet. In Settings, choose the folder that tools may list.',
      info: { details: { setting: 'directoryRoot' } },
    });
  });

  test('the chosen root is gone', async () => {
    await expect(confinePath({ root: join(base, 'gone'), path: '.' })).rejects.toMatchObject({
      message: 'The folder chosen in Settings does not exist.',
      info: { details: { setting: 'directoryRoot' } },
    });
  });

  // root may read everything, whatever the mode says.
  test.runIf(process.getuid?.() !== 0 && process.platform !== 'win32')(
    'a directory that cannot be read says so in its line (not run as root, who can read all, nor on Windows)',
    async () => {
      chmodSync(join(root, 'empty'), 0);
      expect(await listFiles({ maxDepth: 2 })).toContain('├── empty/ (cannot be read: EACCES)');
      chmodSync(join(root, 'empty'), 0o700);
    },
  );
});

test('a listing that is cancelled ends', async () => {
  const controller = new AbortController();
  const listing = listFiles({ maxDepth: 32 }, { signal: controller.signal });
  controller.abort(new Error('enough'));
  await expect(listing).rejects.toThrow('enough');
});
