/** `toolwire serve --cluster` and `toolwire nodes`: what the flags take, and that nothing of NATS is loaded without them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';

import { builtCli } from '../../helpers/builtCli.ts';
import { dataFolder } from '../workbench/openWorkbench.ts';
import { runCli } from './cliProcess.ts';

describe('the flags of a cluster', () => {
  test.each([
    [['--cluster', 'nats://a:b@one,nats://a:c@two'], /--cluster takes one user and password/],
    [['--cluster', 'http://host'], /--cluster takes nats:\/\/HOST:PORT or tls:\/\/HOST:PORT/],
    [['--cluster', 'nats://host/path'], /--cluster takes/],
    [['--cluster', 'nats://a,b'], /--cluster takes/],
    [['--cluster', ''], /--cluster takes/],
    [['--cluster', 'nats://h', '--cluster-name', 'a b'], /--cluster-name takes 1 to 32 letters.*it is "a b"/],
    [['--cluster', 'nats://h', '--node-name', 'x'.repeat(65)], /--node-name takes at most 64 characters/],
    [['--cluster', 'nats://h', '--cluster-nkey', '/nowhere'], /"\/nowhere" \(--cluster-nkey\) cannot be read: ENOENT/],
    [['--cluster', 'nats://h', '--cluster-ca', '/nowhere'], /"\/nowhere" \(--cluster-ca\) cannot be read/],
    [['--cluster', 'nats://h', '--cluster-ca', import.meta.filename], /\(--cluster-ca\) has no certificate/],
    [
      ['--cluster', 'nats://h', '--cluster-token-file', import.meta.filename],
      /Entry 1 of ".*" \(--cluster-token-file\)/,
    ],
    [['--node-name', 'x'], /--node-name needs --cluster URL/],
    [['--public-url', 'devices.example'], /--public-url takes http:\/\/HOST or https.*it is "devices.example"/],
    [['--public-url', 'http://h/path'], /--public-url takes .* but no path/],
    [['--trusted-proxy', '10.0.0.1, proxy'], /--trusted-proxy takes IP addresses .*; "proxy" is none/],
    [['--trusted-proxy', '10.0.0.0/33'], /"10.0.0.0\/33" is none/],
  ])('%j is refused', async (flags, message) => {
    const { code, err } = await runCli(['serve', '--no-open', '--data-dir', dataFolder(), ...flags]);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });

  test('an address with a password is not repeated in the error', async () => {
    const { err } = await runCli(['serve', '--cluster', 'nats://me:secret@host/x']);
    expect(err).toMatch(/--cluster takes/);
    expect(err).not.toContain('secret');
  });
});

test.each(['.', 'mistyped'])(
  'nodes says that no Toolwire runs on the data directory, and creates none: %s',
  async (name) => {
    const dir = join(dataFolder(), name);
    const { code, err } = await runCli(['nodes', '--data-dir', dir]);
    expect(code).toBe(1);
    expect(err).toContain(`No Toolwire runs on "${dir}".`);
    expect(existsSync(dir)).toBe(name === '.');
  },
);

/** Starts a Toolwire. Returns the files that it has loaded, and the connections that it has begun, once it listens and has tried to join. */
async function loadedBy(flags: string[], isDone: (loaded: string) => boolean): Promise<string> {
  const folder = dataFolder();
  const hooks = join(folder, 'hooks.mjs');
  const log = join(folder, 'loaded.txt');
  writeFileSync(
    hooks,
    `import { registerHooks } from 'node:module';
import { appendFileSync } from 'node:fs';
import { subscribe } from 'node:diagnostics_channel';
subscribe('net.client.socket', () => appendFileSync(${JSON.stringify(log)}, 'a connection\\n'));
registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(log)}, url + '\\n'); return next(url, context); } });`,
  );
  const args = [
    'serve',
    '--port',
    '0',
    '--device-port',
    '0',
    '--no-open',
    '--json',
    '--data-dir',
    join(folder, 'data'),
  ];
  const child = spawn(process.execPath, ['--import', hooks, builtCli, ...args, ...flags], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  await once(createInterface({ input: child.stdout }), 'line');
  await expect.poll(() => isDone(readFileSync(log, 'utf8'))).toBe(true);
  return readFileSync(log, 'utf8');
}

test('without a cluster, no code of NATS is loaded and no connection is made', async () => {
  const joins = /transport-node[^]*^a connection$/m;
  expect(await loadedBy([], () => true)).not.toMatch(/transport-node|^a connection$/m);
  expect(await loadedBy(['--cluster', 'nats://127.0.0.1:1'], (loaded) => joins.test(loaded))).toMatch(joins);
});
