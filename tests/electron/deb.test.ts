/** The deb as electron-builder asks fpm for it, which stands here as a script that keeps what it is asked for. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test, vi } from 'vitest';

import { packApp } from './packApp.ts';
import { standInElectron } from './standInElectron.ts';
import { testFolder, writeFiles } from './testFiles.ts';

// electron-builder takes its time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

/** The key and value lines of a desktop entry. */
function entryOf(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

test.skipIf(process.platform !== 'linux')(
  'the deb says what it is, and registers the window, captures, collections and links',
  async () => {
    const dir = testFolder();
    const main = 'dist/electron/main.js';
    const metadata = {
      name: 'toolwire',
      productName: 'Toolwire',
      version: '1.0.0',
      description: 'd',
      license: 'MIT',
      main,
      desktopName: 'toolwire.desktop',
    };
    const appDir = testFolder();
    writeFiles(appDir, { 'package.json': JSON.stringify(metadata), [main]: '// main' });
    await packApp({
      electronDist: standInElectron(9),
      appDir,
      targets: ['deb'],
      flags: ['-c.extraMetadata.homepage=https://toolwire.example'],
      env: { CUSTOM_FPM_PATH: resolve('tests/electron/standInFpm.sh'), STAND_IN_FPM: dir },
    });
    const words = readFileSync(join(dir, 'words'), 'utf8').split('\n');
    const after = (flag: string): string | undefined => words[words.indexOf(flag) + 1];
    expect(
      ['--name', '--maintainer', '--url', '--category', '--license', '--architecture', '--version'].map(after),
    ).toEqual(['toolwire', 'The Toolwire authors', 'https://toolwire.example', 'devel', 'MIT', 'amd64', '1.0.0']);
    expect(after('--package')).toMatch(/toolwire_1\.0\.0_amd64\.deb$/);

    const desktop = join(dir, 'root/usr/share/applications/toolwire.desktop');
    const { MimeType, ...entry } = entryOf(readFileSync(desktop, 'utf8'));
    expect(entry).toMatchObject({
      Name: 'Toolwire',
      Exec: '/opt/Toolwire/toolwire %U',
      Icon: 'toolwire',
      StartupWMClass: 'toolwire',
      Terminal: 'false',
      Type: 'Application',
      Categories: 'Development;',
    });
    expect(MimeType!.split(';').filter(Boolean).sort()).toEqual([
      'application/jsonl',
      'application/vnd.toolwire.collection+json',
      'x-scheme-handler/toolwire',
    ]);
    const types = (name: string): string => readFileSync(join(dir, `root/usr/share/mime/packages/${name}.xml`), 'utf8');
    expect(types('toolwire')).toMatch(/type="application\/jsonl"[^]*glob pattern="\*\.jsonl"/);
    expect(types('toolwire-collection')).toMatch(/glob pattern="toolwire\.json"[^]*glob pattern="\*\.call\.json"/);
    for (const size of [16, 48, 256, 512])
      expect(
        existsSync(join(dir, `root/usr/share/icons/hicolor/${size}x${size}/apps/toolwire.png`)),
        String(size),
      ).toBe(true);
    expect(existsSync(join(dir, 'root/usr/share/doc/toolwire/copyright'))).toBe(true);
    // update-alternatives replaces no file by its link to the app.
    expect(statSync(join(dir, 'root/usr/bin/toolwire')).mode & 0o111).toBe(0o111);
    expect(readFileSync(join(dir, 'root/usr/bin/toolwire'), 'utf8')).toContain(
      '/opt/Toolwire/resources/bin/toolwire "$@"',
    );
    // Ubuntu lets only programs with a profile make Chromium's sandbox.
    expect(readFileSync(join(dir, 'after-install'), 'utf8')).toMatch(/update-mime-database[^]*apparmor_parser/);

    const validate = spawnSync('desktop-file-validate', [desktop], { encoding: 'utf8' });
    if (validate.error === undefined) expect(validate.stdout + validate.stderr).not.toMatch(/error/);
  },
);
