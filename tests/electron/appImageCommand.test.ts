import { linkSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { writeAppImageCommand } from '../../electron/appImageCommand.ts';
import { testFolder } from './testFiles.ts';

test('a host that is starting the command keeps its whole text while it is written again', () => {
  const folder = join(testFolder(), 'bin');
  mkdirSync(folder);
  const [file, opened] = [join(folder, 'toolwire'), join(folder, 'opened')];
  writeFileSync(file, 'before', { mode: 0o600 });
  linkSync(file, opened);
  writeAppImageCommand(file, '/apps/Tool wire.AppImage');
  expect(readFileSync(opened, 'utf8')).toBe('before');
  expect(readFileSync(file, 'utf8')).toContain("exec '/apps/Tool wire.AppImage' -e ");
  expect(statSync(file).mode & 0o777).toBe(0o755);
  expect(readdirSync(folder)).toEqual(['opened', 'toolwire']);
});
