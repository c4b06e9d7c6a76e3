/**
 * `npm test`: static checks, build, every suite. Gets what it needs by itself and closes on one line:
 * `N passed, N failed, N skipped`. `npm test -- core devices` runs only the test files whose path has these words.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join, resolve } from 'node:path';

import { ensureChromium, findChromium } from './e2e/chromium.ts';
import { haproxy } from './helpers/findHaproxy.ts';
import { natsServer } from './helpers/findNatsServer.ts';

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
}

const out = 'tests/.out';
const words = process.argv.slice(2);
const count = { passed: 0, failed: 0, skipped: 0 };
const env: NodeJS.ProcessEnv = {
  ...process.env,
  ELECTRON_OVERRIDE_DIST_PATH: '/nonexistent',
  FORCE_COLOR: '0',
  // Threads and programs that the tests start load the same files over and over.
  NODE_COMPILE_CACHE: resolve('node_modules/.cache/node'),
};

/** Runs a script of package.json; what it prints comes in one piece, so that two can run side by side. */
async function step(name: string, script: string, priority = constants.priority.PRIORITY_NORMAL): Promise<boolean> {
  const started = Date.now();
  const child = spawn(process.execPath, ['--run', script], { stdio: ['ignore', 'pipe', 'pipe'], env });
  if (child.pid !== undefined) setPriority(child.pid, priority);
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => printed.push(piece));
  const [status] = (await once(child, 'close')) as [number | null];
  console.log(`\n== ${name}\n${Buffer.concat(printed).toString()}`);
  console.log(`== ${name}: ${status === 0 ? 'ok' : 'FAILED'} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  count[status === 0 ? 'passed' : 'failed'] += 1;
  return status === 0;
}

/** They take the time that the suites leave, which mostly wait. */
async function staticChecks(): Promise<void> {
  const low = constants.priority.PRIORITY_BELOW_NORMAL;
  await step('types', 'typecheck', low);
  await step('lint', 'lint', low);
  await step('import rules', 'imports', low);
  await step('figures', 'figures', low);
  await step('format', 'format:check', low);
}

async function vitest(): Promise<void> {
  const report = join(out, 'vitest.json');
  rmSync(report, { force: true });
  console.log('\n== suites');
  const child = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config',
      'tests/vitest.config.ts',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...words,
    ],
    { stdio: 'inherit', env },
  );
  const [status] = (await once(child, 'close')) as [number | null];
  const before = count.failed;
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
    readFileSync(report, 'utf8'),
  ) as VitestReport;
  count.passed += numPassedTests;
  count.failed += numFailedTests;
  count.skipped += numPendingTests + numTodoTests;
  for (const file of testResults) {
    for (const test of file.assertionResults) {
      if (test.status === 'pending' || test.status === 'skipped') console.log(`skipped: ${file.name} ${test.fullName}`);
    }
    // A file that could not even be loaded has no test of its own to fail.
    if (file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed')) {
      console.log(`failed to run: ${file.name}\n${file.message}`);
      count.failed += 1;
    }
  }
  // An unhandled error fails the run though every test passed.
  if (status !== 0 && count.failed === before) count.failed += 1;
}

/** Gets programs that tests drive, if they are not here and we are root on Debian. Without them, most of these tests are skipped. */
async function installPackages(): Promise<void> {
  const missing = [
    ...(spawnSync('/usr/bin/python3', ['-c', 'import websockets']).status === 0 ? [] : ['python3-websockets']),
    ...(natsServer === undefined ? ['nats-server'] : []),
    ...(haproxy === undefined ? ['haproxy'] : []),
    ...(spawnSync('ip', ['-V']).error === undefined ? [] : ['iproute2']),
  ];
  const browser = findChromium() === undefined ? ['chromium-headless-shell', 'fonts-noto-cjk'] : [];
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || missing.length + browser.length === 0) return;
  console.log(`Not here: ${[...missing, ...browser].join(', ')}; asking apt`);
  await apt('update');
  if (missing.length > 0) await apt('install', '-y', '--no-install-recommends', ...missing);
  if (browser.length > 0) await apt('install', '-y', ...browser);
}

async function apt(...args: string[]): Promise<void> {
  const child = spawn('apt-get', ['-qq', ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: 240_000,
    env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  // Linux without apt.
  await once(child, 'close').catch((error: unknown) => console.log(String(error)));
}

/** MCP Inspector, which tests/interop uses as a host: in a folder of its own, because it has 77 MB of packages. */
async function installInspector(): Promise<void> {
  const folder = 'node_modules/.cache/inspector';
  const files = ['package.json', 'package-lock.json'];
  for (const file of files) cpSync(join('tests/fixtures/inspector', file), join(folder, file));
  const flags = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--prefer-offline'];
  const child = spawn('npm', ['install', ...flags], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: true,
  });
  const [status] = (await once(child, 'close')) as [number | null];
  if (status === 0) env['TOOLWIRE_INSPECTOR'] = folder;
  else console.log('MCP Inspector could not be installed: its tests are skipped');
}

mkdirSync(out, { recursive: true });
const usesInspector = words.length === 0 || words.some((word) => 'interop/inspector.test.ts'.includes(word));
const installing = usesInspector ? installInspector() : undefined;
const checking = words.length === 0 ? staticChecks() : undefined;
const building = step('build', 'build');
await Promise.all([installing, installPackages()]);
const chromium = ensureChromium();
console.log(chromium ? `Chromium: ${chromium}` : 'No Chromium could be had: the browser tests will fail');
if (await building) await vitest();
await checking;
console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exitCode = count.failed === 0 ? 0 : 1;
