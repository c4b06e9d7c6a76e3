/** What electron-builder makes of `dist/` for each system: the files, and what Electron checks them by. */
import { extractFile, getRawHeader, listPackage, statFile } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';

import { fuses } from '../../electron/packaging/fuses.ts';
import { packApp } from './packApp.ts';
import { language, resEdit, standInElectron } from './standInElectron.ts';
import { testFolder, writeFiles } from './testFiles.ts';

// electron-builder takes its time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const main = 'dist/electron/main.js';

/** Names of the fuses in the order of Electron's wire. */
const names = Object.keys(FuseV1Options).filter((name) => Number.isNaN(Number(name)));

/** A project as the build leaves it: what is needed, and what is not. */
function project(): string {
  const dir = testFolder();
  writeFiles(dir, {
    'package.json': JSON.stringify({
      name: 'toolwire',
      productName: 'Toolwire',
      version: '1.0.0',
      description: 'd',
      type: 'module',
      main,
    }),
    LICENSE: 'MIT',
    'README.md': '',
    '.env': 'SECRET=1',
    'dist/electron/main.js': '// the main process',
    'dist/electron/icon.png': '',
    'dist/preload/preload.cjs': '',
    'dist/renderer/index.html': '',
    'dist/renderer/third-party-notices.txt': '',
    'dist/renderer/assets/index-abc.js': '',
    'dist/moduleWorker.js': '',
    'dist/databaseWorker.js': '',
    'dist/worker.js': '',
    'dist/errors-abcd1234.chunk.js': '',
    'dist/cli.js': '// the terminal',
    'dist/core.js': '',
    'dist/realtime.js': '',
    'dist/entry-of-tomorrow.js': '',
    'dist/types/core.d.ts': '',
    'node_modules/ws/index.js': '',
    'tests/secret.ts': '',
  });
  return dir;
}

/** What Electron computes when it starts, and compares with what is written into the program or its Info.plist. */
function headerHash(asar: string): string {
  return createHash('sha256').update(getRawHeader(asar).headerString).digest('hex');
}

/** Compares the fuses that were blown with what is stated, one by one. */
async function expectOurFuses(file: string): Promise<void> {
  const wire = await getCurrentFuseWire(file);
  const digit = (name: string): string =>
    String.fromCharCode(wire[FuseV1Options[name as keyof typeof FuseV1Options]] as unknown as number);
  expect(Object.fromEntries(names.map((name) => [name, digit(name) === '1']))).toEqual({
    RunAsNode: true,
    EnableCookieEncryption: false,
    EnableNodeOptionsEnvironmentVariable: false,
    EnableNodeCliInspectArguments: false,
    EnableEmbeddedAsarIntegrityValidation: true,
    OnlyLoadAppFromAsar: true,
    LoadBrowserProcessSpecificV8Snapshot: false,
    GrantFileProtocolExtraPrivileges: false,
    WasmTrapHandlers: true,
  });
}

test('the package has exactly what the app loads, as an ASAR that is whole', async () => {
  const packed = await packApp({ electronDist: standInElectron(names.length), appDir: project() });
  await expectOurFuses(packed.fuses);
  const { resources } = packed;
  const asar = join(resources, 'app.asar');
  expect(readdirSync(resources)).toEqual(['app.asar', 'bin']);
  expect(statSync(join(resources, 'bin/toolwire')).mode & 0o111).toBe(0o111);
  const entries = listPackage(asar, { isPack: false }).map((path) => path.replaceAll('\\', '/'));
  expect(entries.filter((path) => /\.\w+$|LICENSE/.test(path)).sort()).toEqual([
    '/LICENSE',
    '/dist/cli.js',
    '/dist/databaseWorker.js',
    '/dist/electron/icon.png',
    '/dist/electron/main.js',
    '/dist/errors-abcd1234.chunk.js',
    '/dist/moduleWorker.js',
    '/dist/preload/preload.cjs',
    '/dist/renderer/assets/index-abc.js',
    '/dist/renderer/index.html',
    '/dist/renderer/third-party-notices.txt',
    '/dist/worker.js',
    '/package.json',
  ]);
  const metadata = JSON.parse(extractFile(asar, 'package.json').toString()) as { main: string; version: string };
  expect(metadata).toMatchObject({ main, version: '1.0.0' });

  // What Electron checks each file against, on macOS and Windows, when it reads it from the archive.
  const entry = statFile(asar, main, false);
  const hash = createHash('sha256').update(extractFile(asar, main)).digest('hex');
  expect('integrity' in entry && entry.integrity).toMatchObject({ algorithm: 'SHA256', hash, blocks: [hash] });
});

test('for Windows the hash of the ASAR is a resource of the program, beside our name', async () => {
  const electronDist = standInElectron(names.length, 'win');
  const { fuses: program, resources } = await packApp({ system: 'win', electronDist, appDir: project() });
  await expectOurFuses(program);
  // What the script starts.
  for (const file of ['../Toolwire.exe', 'bin/toolwire.cmd'])
    expect(existsSync(join(resources, file)), file).toBe(true);
  expect(readFileSync(join(resources, 'bin/toolwire.cmd'), 'utf8')).toContain(String.raw`"%~dp0..\..\Toolwire.exe"`);
  const { NtExecutable, NtExecutableResource, Resource } = resEdit();
  const { entries } = NtExecutableResource.from(NtExecutable.from(readFileSync(program)));
  const integrity = entries.find(({ type, id }) => type === 'INTEGRITY' && id === 'ELECTRONASAR');
  expect(JSON.parse(Buffer.from(integrity!.bin).toString())).toEqual([
    { file: 'resources\\app.asar', alg: 'SHA256', value: headerHash(join(resources, 'app.asar')) },
  ]);
  expect(Resource.VersionInfo.fromEntries(entries)[0]!.getStringValues(language)).toMatchObject({
    ProductName: 'Toolwire',
    FileDescription: 'Toolwire',
    LegalCopyright: 'Copyright © 2026 The Toolwire authors',
  });
});

test('Info.plist for macOS has the hash of the ASAR, the file types, links and permission texts', async () => {
  const electronDist = standInElectron(names.length, 'mac');
  const { app, fuses: withFuses, resources } = await packApp({ system: 'mac', electronDist, appDir: project() });
  await expectOurFuses(withFuses);
  // What the script starts.
  for (const file of ['MacOS/Toolwire', 'Resources/bin/toolwire'])
    expect(existsSync(join(app, 'Contents', file)), file).toBe(true);
  const plist = readFileSync(join(app, 'Contents/Info.plist'), 'utf8').replace(/>\s+</g, '><');
  const hash = headerHash(join(resources, 'app.asar'));
  expect(plist).toContain(
    `<key>ElectronAsarIntegrity</key><dict><key>Resources/app.asar</key><dict><key>algorithm</key><string>SHA256</string><key>hash</key><string>${hash}</string>`,
  );
  expect(plist).toContain('<key>CFBundleTypeExtensions</key><array><string>jsonl</string>');
  expect(plist).toContain('<array><string>public.json</string><string>public.folder</string></array>');
  expect(plist).toContain('<key>CFBundleURLSchemes</key><array><string>toolwire</string></array>');
  expect(plist).toContain('<key>NSMicrophoneUsageDescription</key>');
  expect(plist).toContain('<key>NSLocalNetworkUsageDescription</key><string>To reach model servers');
  expect(plist).toContain('<key>CFBundleIdentifier</key><string>dev.toolwire.app</string>');
  // Nothing takes a kind of file away from another program.
  expect(plist.match(/<key>LSHandlerRank<\/key><string>\w+/g)).toEqual(
    Array(2).fill('<key>LSHandlerRank</key><string>Alternate'),
  );
});

test('an Electron with a fuse that is not stated is not packed', async () => {
  const packing = packApp({ electronDist: standInElectron(names.length + 1), appDir: project() });
  await expect(packing).rejects.toThrow(/strictlyRequireAllFuses/);
});

test('every fuse that is known is stated', () => {
  const stated = Object.keys(fuses).filter((key) => /^\d+$/.test(key));
  expect(stated.map(Number)).toEqual(names.map((_name, at) => at));
});

test('the package starts where the build puts the main process', () => {
  expect((JSON.parse(readFileSync('package.json', 'utf8')) as { main: string }).main).toBe(main);
});
