import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

import { packagedCommand, toolwireCommand } from '../../../src-core/cli/toolwireCommand.ts';

const here = { platform: 'linux' as NodeJS.Platform, execPath: '/opt/Toolwire/toolwire', env: {} };
const archive = '/opt/Toolwire/resources/app.asar';

/** Node and the program, which may not be built. */
const named = /^[^"]+ [^"]+(?:dist\/cli\.js|src-core\/cli\.ts)$/;

test.each([
  ['/usr/local/bin/toolwire', 'toolwire'],
  ['/home/ada/.npm/_npx/0925776d1fcdab6d/node_modules/.bin/toolwire', named],
  ['/work/toolwire/dist/cli.js', named],
])('after a start as %s, a terminal runs toolwire as %s', (startedAs, text) => {
  const command = toolwireCommand(startedAs);
  expect(command.text).toMatch(text);
  expect(command.words.join(' ')).toBe(command.text);
});

test('the built program is named as soon as there is one, which npm start may build', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolwire-command-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const module = pathToFileURL(join(folder, 'src-core/cli/toolwireCommand.ts')).href;
  const program = () => toolwireCommand('', module).words[1];
  expect(program()).toBe(join(folder, 'src-core/cli.ts'));
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'dist/cli.js'), '');
  expect(program()).toBe(join(folder, 'dist/cli.js'));
});

test('a package of Linux or macOS has a script beside its archive', () => {
  const script = '/opt/Toolwire/resources/bin/toolwire';
  const command = { text: script, words: [script] };
  expect(packagedCommand({ ...here, file: `${archive}/dist/cli.js` })).toEqual(command);
  const odd = packagedCommand({ ...here, file: '/opt/a $b/resources/app.asar/dist/cli.js' });
  expect(odd?.text).toBe("'/opt/a $b/resources/bin/toolwire'");
  // The terminal in which the app was started is another AppImage.
  const env = { APPIMAGE: '/apps/Editor.AppImage', APPDIR: '/tmp/.mount_Editor' };
  expect(packagedCommand({ ...here, env, file: `${archive}/dist/cli.js` })).toEqual(command);
});

test('hosts on Windows start the program itself, because some do not start a .cmd file whose path has a space', () => {
  const [execPath, file] = [
    'C:/Program Files/Toolwire/Toolwire.exe',
    'C:/Program Files/Toolwire/resources/app.asar/dist/cli.js',
  ];
  expect(packagedCommand({ ...here, platform: 'win32', execPath, file })).toEqual({
    text: '"C:/Program Files/Toolwire/resources/bin/toolwire.cmd"',
    words: [execPath, file],
    env: { ELECTRON_RUN_AS_NODE: '1' },
  });
  // PowerShell does not run a path in quotes.
  const unspaced = packagedCommand({ ...here, platform: 'win32', execPath, file: file.replaceAll(' ', '-') });
  expect(unspaced?.text).toBe('C:/Program-Files/Toolwire/resources/bin/toolwire.cmd');
  const chinese = packagedCommand({ ...here, platform: 'win32', execPath, file: '/张三/app.asar/dist/cli.js' });
  expect(chinese?.text).toBe('/张三/bin/toolwire.cmd');
});

test('an AppImage, which is mounted in another folder at each start, has a script in the data directory', () => {
  const env = { APPIMAGE: '/apps/Toolwire.AppImage', APPDIR: '/tmp/.mount_ToolwiXk', TOOLWIRE_DATA_DIR: '/data' };
  expect(packagedCommand({ ...here, env, file: `${env.APPDIR}/resources/app.asar/dist/cli.js` })).toEqual({
    text: '/data/bin/toolwire',
    words: ['/data/bin/toolwire'],
  });
  // Hosts start it in another folder.
  const relative = { ...env, TOOLWIRE_DATA_DIR: 'data' };
  const { words } = packagedCommand({ ...here, env: relative, file: `${env.APPDIR}/resources/app.asar/dist/cli.js` })!;
  expect(words).toEqual([resolve('data/bin/toolwire')]);
});

test('what is not in a package has no such command', () => {
  expect(packagedCommand()).toBeUndefined();
});
