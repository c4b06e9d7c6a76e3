import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const config = readFileSync('electron-builder.yml', 'utf8');

/** The lines of one top-level block. */
function block(name: string): string[] {
  const match = new RegExp(`^${name}:\\n((?:  .*\\n|\\n)*)`, 'm').exec(config);
  return match![1]!
    .trimEnd()
    .split('\n')
    .map((line) => line.trim());
}

test('every fuse is stated, as the security checklist wants it', () => {
  expect(block('electronFuses')).toEqual([
    'runAsNode: false',
    'enableCookieEncryption: true',
    'enableNodeOptionsEnvironmentVariable: false',
    'enableNodeCliInspectArguments: false',
    'enableEmbeddedAsarIntegrityValidation: true',
    'onlyLoadAppFromAsar: true',
    'loadBrowserProcessSpecificV8Snapshot: false',
    'grantFileProtocolExtraPrivileges: false',
  ]);
});

test('only the build goes into the package, as an ASAR, for all three systems', () => {
  const files = block('files');
  expect(files[0]).toBe("- '!**/*'");
  expect(files).toContain('- dist/**/*');
  expect(files.join()).not.toContain('node_modules');
  expect(config).toMatch(/^asar: true$/m);
  for (const system of ['linux', 'win', 'mac']) expect(block(system)[0]).toMatch(/^target:/);
});

test('the package starts where the build puts the main process', () => {
  const { main } = JSON.parse(readFileSync('package.json', 'utf8')) as { main: string };
  expect(main).toBe('dist/electron/main.js');
});
