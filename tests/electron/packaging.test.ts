import { extractFile, listPackage, statFile } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { load } from 'js-yaml';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { icnsFile, icoFile } from '../../electron/icons/containers.ts';
import { fuses } from '../../electron/packaging/fuses.ts';
import { packApp, standInElectron, testFolder, writeFiles } from './packApp.ts';

interface BuilderConfig {
  appId: string;
  asar: boolean;
  publish: null;
  afterPack: string;
  protocols: { schemes: string[] }[];
  fileAssociations: { ext: string }[];
  linux: { target: string[]; icon: string };
  win: { target: string[]; icon: string };
  mac: { target: { target: string; arch: string[] }[]; icon: string; hardenedRuntime: boolean; entitlements: string };
}

const config = load(readFileSync('electron-builder.yml', 'utf8')) as BuilderConfig;
const main = 'dist/electron/main.js';

/** Names of the fuses in the order of Electron's wire. */
const names = Object.keys(FuseV1Options).filter((name) => Number.isNaN(Number(name)));

/** A project as the build leaves it: what is needed, and what is not. */
function project(): string {
  const dir = testFolder();
  writeFiles(dir, {
    'package.json': JSON.stringify({ name: 'toolwire', version: '1.0.0', description: 'd', type: 'module', main }),
    LICENSE: 'MIT',
    'README.md': '',
    '.env': 'SECRET=1',
    'dist/electron/main.js': '// the main process',
    'dist/preload/preload.cjs': '',
    'dist/renderer/index.html': '',
    'dist/renderer/assets/index-abc.js': '',
    'dist/moduleWorker.js': '',
    'dist/errors-abcd1234.chunk.js': '',
    'dist/cli.js': '',
    'dist/core.js': '',
    'dist/realtime.js': '',
    'dist/entry-of-tomorrow.js': '',
    'dist/types/core.d.ts': '',
    'node_modules/ws/index.js': '',
    'tests/secret.ts': '',
  });
  return dir;
}

test('the package has exactly what the app loads, as an ASAR that is whole', async () => {
  const { binary, resources } = await packApp({ electronDist: standInElectron(names.length), appDir: project() });
  const asar = join(resources, 'app.asar');
  expect(readdirSync(resources)).toEqual(['app.asar']);
  const entries = listPackage(asar, { isPack: false }).map((path) => path.replaceAll('\\', '/'));
  expect(entries.filter((path) => /\.\w+$|LICENSE/.test(path)).sort()).toEqual([
    '/LICENSE',
    '/dist/electron/main.js',
    '/dist/errors-abcd1234.chunk.js',
    '/dist/moduleWorker.js',
    '/dist/preload/preload.cjs',
    '/dist/renderer/assets/index-abc.js',
    '/dist/renderer/index.html',
    '/package.json',
  ]);
  const packed = JSON.parse(extractFile(asar, 'package.json').toString()) as { main: string; version: string };
  expect(packed).toMatchObject({ main, version: '1.0.0' });

  // What Electron checks each file against, on macOS and Windows, when it reads it from the archive.
  const entry = statFile(asar, main, false);
  const hash = createHash('sha256').update(extractFile(asar, main)).digest('hex');
  expect('integrity' in entry && entry.integrity).toMatchObject({ algorithm: 'SHA256', hash, blocks: [hash] });

  // What electron-builder blew is what is stated, fuse by fuse.
  const wire = await getCurrentFuseWire(binary);
  const digit = (name: string): string =>
    String.fromCharCode(wire[FuseV1Options[name as keyof typeof FuseV1Options]] as unknown as number);
  expect(Object.fromEntries(names.map((name) => [name, digit(name) === '1']))).toEqual({
    RunAsNode: false,
    EnableCookieEncryption: true,
    EnableNodeOptionsEnvironmentVariable: false,
    EnableNodeCliInspectArguments: false,
    EnableEmbeddedAsarIntegrityValidation: true,
    OnlyLoadAppFromAsar: true,
    LoadBrowserProcessSpecificV8Snapshot: false,
    GrantFileProtocolExtraPrivileges: false,
    WasmTrapHandlers: true,
  });
});

test('an Electron with a fuse that is not stated is not packed', async () => {
  const packing = packApp({ electronDist: standInElectron(names.length + 1), appDir: project() });
  await expect(packing).rejects.toThrow(/strictlyRequireAllFuses/);
});

test('every fuse that is known is stated', () => {
  const stated = Object.keys(fuses).filter((key) => /^\d+$/.test(key));
  expect(stated.map(Number)).toEqual(names.map((_name, at) => at));
  expect(config.afterPack).toBe('./electron/packaging/afterPack.ts');
});

test('all three systems, macOS for both processors and with the archive its updater wants', () => {
  expect(config.linux.target).toEqual(['AppImage', 'deb']);
  expect(config.win.target).toEqual(['nsis']);
  expect(config.mac.target).toEqual([
    { target: 'dmg', arch: ['x64', 'arm64'] },
    { target: 'zip', arch: ['x64', 'arm64'] },
  ]);
  expect(config.asar).toBe(true);
  expect(config.mac.hardenedRuntime).toBe(true);
  for (const file of [config.win.icon, config.mac.icon, config.mac.entitlements, config.linux.icon])
    expect(existsSync(file), file).toBe(true);
});

test('links of our scheme and captures come to us; updates have no address but a released package’s', () => {
  expect(config.protocols.flatMap(({ schemes }) => schemes)).toEqual(['toolwire']);
  expect(config.fileAssociations.map(({ ext }) => ext)).toEqual(['jsonl']);
  expect(config.publish).toBeNull();
});

test('the package starts where the build puts the main process', () => {
  expect((JSON.parse(readFileSync('package.json', 'utf8')) as { main: string }).main).toBe(main);
});

test('the icons in git are of the pictures in git', () => {
  const pictures = readdirSync('electron/icons')
    .filter((name) => name.endsWith('.png'))
    .map((name) => ({ size: Number.parseInt(name, 10), png: readFileSync(join('electron/icons', name)) }))
    .sort((a, b) => a.size - b.size);
  expect(pictures.map(({ size }) => size)).toEqual([16, 24, 32, 48, 64, 128, 256, 512, 1024]);
  // The width and height of a PNG stand at 16 and 20.
  for (const { size, png } of pictures) expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([size, size]);
  expect(icnsFile(pictures).equals(readFileSync('electron/icons/icon.icns'))).toBe(true);
  expect(icoFile(pictures).equals(readFileSync('electron/icons/icon.ico'))).toBe(true);
});
