/** The notices of what a build really bundles: real builds of small projects, and the text they end in. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBuilder } from 'vite';
import { expect, test } from 'vitest';

import { bundledPackages, watchBundledPackages } from '../../electron/packaging/notices/bundledPackages.ts';
import { writeNotices } from '../../electron/packaging/notices/writeNotices.ts';
import { testFolder, writeFiles } from './testFiles.ts';

const mit = `MIT License\n\nCopyright (c) Somebody\n\n${'Permission is hereby granted, free of charge. '.repeat(15)}`;

function packageFiles(name: string, files: Record<string, string>, license = 'MIT'): Record<string, string> {
  const all = { 'package.json': JSON.stringify({ name, version: '1.2.3', license, main: 'index.js' }), ...files };
  return Object.fromEntries(Object.entries(all).map(([path, text]) => [`node_modules/${name}/${path}`, text]));
}

/** Builds `main.js` of a project with these files, and writes the notices; gives their text. */
async function notices(files: Record<string, string>, added: Record<string, string> = {}): Promise<string> {
  const root = testFolder();
  writeFiles(root, {
    'index.html': '<script type="module" src="/main.js"></script>',
    'added/other.txt': mit,
    ...files,
  });
  writeFiles(join(root, 'added'), added);
  // The bundler's own lines are in every build.
  for (const name of ['vite', 'rolldown'])
    writeFiles(join(root, 'node_modules', name), {
      'package.json': JSON.stringify({ name, version: '9.0.0', license: 'MIT' }),
      LICENSE: mit,
    });
  const watching = watchBundledPackages(root);
  const builder = await createBuilder({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [watching],
    build: { outDir: join(root, 'dist'), assetsInlineLimit: 0 },
    worker: { format: 'es', plugins: () => [watching] },
  });
  await builder.build(builder.environments['client']!);
  const file = join(root, 'notices.txt');
  writeNotices({ packages: bundledPackages(builder), addedDir: join(root, 'added'), file });
  return readFileSync(file, 'utf8');
}

/** The lines `NAME VERSION (LICENCE)` of the list. */
function listed(text: string): string[] {
  const lines = text.slice(0, text.indexOf('====')).split('\n');
  return lines.filter((line) => /^\S+ 1\.2\.3 \(/.test(line)).map((line) => line.split(' ')[0]!);
}

test('code, a worker’s code, styles and fonts are listed; what was shaken off and what was not imported are not', async () => {
  const text = await notices({
    'main.js': `
      import { used } from 'used'; import { gone } from 'shaken'; import 'styles/a.css'; import url from '@fonts/one/a.woff2?url';
      new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }); console.log(used, url);`,
    'worker.js': `import { inner } from 'of-worker'; console.log(inner);`,
    ...packageFiles('used', { 'index.js': 'export const used = globalThis.used;', LICENSE: mit }),
    ...packageFiles('shaken', { 'index.js': 'export const gone = 1;' }),
    ...packageFiles('styles', { 'a.css': 'a { color: red }', 'licence.md': mit }),
    ...packageFiles('@fonts/one', { 'a.woff2': 'font', 'LICENSE.txt': mit, NOTICE: 'made by one' }),
    ...packageFiles('of-worker', { 'index.js': 'export const inner = globalThis.inner;', COPYING: mit }),
    ...packageFiles('not-imported', { 'index.js': '' }),
  });
  expect(listed(text)).toEqual(['@fonts/one', 'of-worker', 'styles', 'used']);
  expect(text).toContain('[NOTICE]\n\nmade by one');
  for (const name of ['LICENSE', 'licence.md', 'LICENSE.txt', 'COPYING'])
    expect(text).toContain(`[${name}]\n\n${mit.trim()}`);
});

test('a licence inside of a package, and the text of what a package has taken in, stand beside its own', async () => {
  const text = await notices(
    {
      'main.js': `import { wasm } from 'codec'; console.log(wasm);`,
      ...packageFiles('codec', {
        'index.js': `export * from './lib/in.js';`,
        'lib/in.js': 'export const wasm = globalThis.wasm;',
      }),
      'node_modules/codec/LICENSE': mit,
      'node_modules/codec/lib/LICENSE': 'of the inner part',
    },
    { 'codec+libcodec.txt': 'BSD of libcodec' },
  );
  expect(text).toMatch(
    /\[LICENSE\]\n\nMIT License[^]*\[lib\/LICENSE\]\n\nof the inner part[^]*\[codec\+libcodec\.txt\]\n\nBSD/,
  );
});

test('a build with packages without a text, or with an unknown licence, fails and names them all', async () => {
  const files = {
    'main.js': `import { a } from 'bare'; import { b } from '@x/linked'; import { c } from 'copyleft'; console.log(a, b, c);`,
    ...packageFiles('bare', { 'index.js': 'export const a = globalThis.a;' }),
    ...packageFiles('@x/linked', {
      'index.js': 'export const b = globalThis.b;',
      LICENSE: 'See the root of the repository.',
    }),
    ...packageFiles('copyleft', { 'index.js': 'export const c = globalThis.c;', LICENSE: mit }, 'GPL-3.0-only'),
  };
  await expect(notices(files)).rejects.toThrow(
    /^bare 1\.2\.3 is bundled, and has no licence text\. Put it into \S+bare\.txt\.\n@x\/linked [^]*@x__linked\.txt\.\ncopyleft 1\.2\.3 is bundled under "GPL-3\.0-only"/,
  );
});

test('uses our text if a package has none, and adds Apache’s if a package only refers to it', async () => {
  const text = await notices(
    {
      'main.js': `import { a } from 'bare'; import { b } from 'apache'; console.log(a, b);`,
      ...packageFiles('bare', { 'index.js': 'export const a = globalThis.a;' }),
      ...packageFiles(
        'apache',
        { 'index.js': 'export const b = globalThis.b;', LICENSE: 'Licensed under Apache…' },
        'Apache-2.0',
      ),
    },
    { 'bare.txt': mit, 'Apache-2.0.txt': readFileSync('electron/packaging/licences/Apache-2.0.txt', 'utf8') },
  );
  expect(text).toContain(`[bare.txt]\n\n${mit.trim()}`);
  expect(text).toMatch(/\[LICENSE\]\n\nLicensed under Apache…\n\n\[Apache-2\.0\.txt\][^]*END OF TERMS AND CONDITIONS/);
});

test('the built app’s own notices have every dependency, but for those of which nothing is bundled', () => {
  const text = readFileSync('dist/renderer/third-party-notices.txt', 'utf8');
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> };
  const missing = Object.keys(dependencies).filter((name) => !text.includes(`\n${name} ${dependencies[name]!} (`));
  // Pinia asks for it; the bundler shakes it off.
  expect(missing).toEqual(['@vue/devtools-api']);
  for (const whole of ['SIL OPEN FONT LICENSE', 'Jean-Marc Valin', 'Copyright (c) 2010-2014 Emscripten authors'])
    expect(text).toContain(whole);
});
