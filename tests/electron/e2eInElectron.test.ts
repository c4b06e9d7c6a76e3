/** That the browser suite is the Electron suite: the same files, through the one place that chooses. A stand-in is what starts. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { testFolder, writeFiles } from './testFiles.ts';

const suite = readdirSync('tests/e2e').filter((name) => name.endsWith('.test.ts'));

test('every file of the suite opens its window through startApp and starts no other browser', () => {
  const others = suite.filter((name) => {
    const code = readFileSync(join('tests/e2e', name), 'utf8');
    return !/\bstartApp\(/.test(code) || /\bchromium\b|\.browser\(\)|\.newContext\(/.test(code);
  });
  // The first is about the system's browser, the second about one that never saw the window; the next takes the
  // package apart, and the last kills the engine that a window of a browser is connected to.
  expect(others).toEqual(['browserLink.test.ts', 'firstLoad.test.ts', 'packaged.test.ts', 'restart.test.ts']);
  expect(suite.length).toBeGreaterThan(10);
});

test.skipIf(process.platform !== 'linux')(
  'with TOOLWIRE_E2E=electron it is Electron that is started, with the built app',
  () => {
    const dir = testFolder();
    const seen = join(dir, 'seen');
    writeFiles(dir, { electron: `#!/bin/sh\nprintf '%s\\n' "$@" > '${seen}'\nexit 7\n` });
    chmodSync(join(dir, 'electron'), 0o755);
    // In a process of its own: Playwright leaves rejections behind where what it starts ends at once.
    const script = `process.on('unhandledRejection', () => process.exit(3));
    const { startApp } = await import('./tests/e2e/app.ts');
    await startApp({ flags: ['--use-fake-ui-for-media-stream'] }).catch(() => process.exit(3));`;
    const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, TOOLWIRE_E2E: 'electron', ELECTRON_OVERRIDE_DIST_PATH: dir },
    });
    expect(status).toBe(3);
    expect(existsSync(seen)).toBe(true);
    const words = readFileSync(seen, 'utf8').split('\n');
    expect(words).toEqual(expect.arrayContaining(['.', '--use-fake-ui-for-media-stream', '--remote-debugging-port=0']));
  },
);
