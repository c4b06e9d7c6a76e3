/** electron-builder.yml by electron-builder's own schema, and the choices in it that a release rests on. */
import { Validator } from '@cfworker/json-schema';
import { load } from 'js-yaml';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';

interface BuilderConfig {
  productName: string;
  asar: boolean;
  publish: null;
  afterPack: string;
  protocols: { schemes: string[] }[];
  fileAssociations: { ext: string }[];
  toolsets: { appimage: string };
  linux: { target: object[]; icon: string };
  appImage: { artifactName: string };
  deb: { fpm: string[] };
  win: { target: object[]; icon: string };
  nsis: { artifactName: string; include: string };
  mac: { target: object[]; artifactName: string; icon: string; hardenedRuntime: boolean; entitlements: string };
}

const text = readFileSync('electron-builder.yml', 'utf8');
const config = load(text) as BuilderConfig;
const schema = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('app-builder-lib/scheme.json'), 'utf8'),
) as object;

function problems(value: unknown): string[] {
  return new Validator(schema, '7', false)
    .validate(value)
    .errors.map((error) => `${error.instanceLocation} ${error.error}`);
}

test('electron-builder’s schema knows every key and takes every value', () => {
  expect(problems(config)).toEqual([]);
});

test.each([
  ['a key that is none', { asarIntegrety: true }],
  ['a target that is none', { linux: { target: [{ target: 'AppImage', arch: ['x86'] }] } }],
  ['a toolset that is none', { toolsets: { appimage: '9.9.9' } }],
])('the schema reports %s', (_what, change) => {
  expect(problems({ ...config, ...change })).not.toEqual([]);
});

test('all three systems, macOS for both processors and with the archive its updater wants', () => {
  expect(config.linux.target).toEqual([
    { target: 'AppImage', arch: ['x64'] },
    { target: 'deb', arch: ['x64'] },
  ]);
  expect(config.win.target).toEqual([{ target: 'nsis', arch: ['x64'] }]);
  expect(config.mac.target).toEqual([
    { target: 'dmg', arch: ['x64', 'arm64'] },
    { target: 'zip', arch: ['x64', 'arm64'] },
  ]);
});

test('the security fuses are on', () => {
  expect(config.asar).toBe(true);
  expect(config.mac.hardenedRuntime).toBe(true);
  expect(config.afterPack).toBe('./electron/packaging/afterPack.ts');
  // These would take the hashes away, and have the fuses blown twice.
  for (const key of ['disableAsarIntegrity', 'electronFuses', 'asarUnpack']) expect(config).not.toHaveProperty(key);
  // The older one starts Chromium without its sandbox.
  expect(config.toolsets.appimage).not.toBe('0.0.0');
});

test('the app has one name in its package, its menus, its keychain item and its profile', () => {
  const { productName } = JSON.parse(readFileSync('package.json', 'utf8')) as { productName: string };
  expect([config.productName, productName]).toEqual(['Toolwire', 'Toolwire']);
});

test('every file that it names is there', () => {
  const fpm = config.deb.fpm.map((pair) => pair.split('=')[0]!);
  const { win, mac, linux, nsis, afterPack } = config;
  for (const file of [win.icon, mac.icon, mac.entitlements, linux.icon, nsis.include, afterPack, ...fpm])
    expect(existsSync(file), file).toBe(true);
});

test('links of our scheme and captures come to us; updates have no address but a released package’s', () => {
  expect(config.protocols.flatMap(({ schemes }) => schemes)).toEqual(['toolwire']);
  expect(config.fileAssociations.map(({ ext }) => ext)).toEqual(['jsonl']);
  expect(config.publish).toBeNull();
});

test('a package’s name says its processor, and stays the same on GitHub, which renames what has spaces', () => {
  for (const { artifactName } of [config.appImage, config.nsis, config.mac])
    expect(artifactName).toMatch(/^[\w.${}-]*\$\{arch\}\.\$\{ext\}$/);
});
