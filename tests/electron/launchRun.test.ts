/** How Electron ends: a shell script runs in its place. */
import { chmodSync, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

import { runElectron } from '../../electron/launch/runElectron.ts';
import { testFolder, writeFiles } from './testFiles.ts';
import { testTerminal } from './testTerminal.ts';

function script(body: string, folder = ''): string {
  const dir = join(testFolder(), folder);
  writeFiles(dir, { electron: `#!/bin/sh\n${body}\n` });
  chmodSync(join(dir, 'electron'), 0o755);
  return join(dir, 'electron');
}

/** Runs a script in Electron's place that ends after `seconds` of the injected clock. */
async function run(body: string, seconds = 1) {
  const terminal = testTerminal();
  const times = [0, seconds * 1000];
  const end = await runElectron({ binary: script(body), terminal, now: () => times.shift()! });
  return { end, notes: terminal.notes };
}

/** What Chromium prints if neither user namespaces nor the setuid helper work. */
const sandboxErrors = {
  'a helper without its rights':
    '[1:FATAL:sandbox/linux/suid/client/setuid_sandbox_host.cc:163] The SUID sandbox helper binary was found, but is not ' +
    'configured correctly. Rather than run without sandboxing I am aborting now. You need to make sure that ' +
    '/app/dist/chrome-sandbox is owned by root and has mode 4755.',
  'a missing helper':
    '[1:FATAL:content/browser/zygote_host/zygote_host_impl_linux.cc:128] No usable sandbox! If you are running on Ubuntu ' +
    '23.10+ or another Linux distro that has disabled unprivileged user namespaces with AppArmor, see ...',
};
const noLibrary =
  'electron: error while loading shared libraries: libnss3.so: cannot open shared object file: No such file or directory';

describe.skipIf(process.platform === 'win32')('with a shell script for Electron', () => {
  test.each([0, 1, 3])('the exit code %i of the app is ours', async (code) => {
    expect((await run(`exit ${code}`)).end).toEqual({ exitCode: code });
  });

  test('the app is told how a terminal runs toolwire: Electron itself does not run it', async () => {
    const { notes } = await run('echo "$TOOLWIRE_COMMAND" >&2');
    const words = [process.execPath, resolve('dist/cli.js')];
    expect(JSON.parse(notes)).toEqual({ text: words.join(' '), words });
  });

  test('Ctrl+C ends the app', async () => {
    const started = join(testFolder(), 'started');
    const terminal = testTerminal();
    const running = runElectron({ binary: script(`touch ${started}; exec sleep 60`), terminal });
    await expect.poll(() => existsSync(started)).toBe(true);
    terminal.end();
    expect(await running).toEqual({ exitCode: 0 });
  });

  test('after Ctrl+C Electron is not started', async () => {
    const terminal = testTerminal();
    terminal.end();
    expect(await runElectron({ binary: '/nonexistent', terminal })).toEqual({ exitCode: 0 });
  });

  test.each(['SIGTRAP', 'SIGABRT', 'SIGSEGV', 'SIGILL', 'SIGBUS'])('%s right after the start', async (signal) => {
    const { end, notes } = await run(`echo something else >&2; kill -${signal.slice(3)} $$`);
    expect(notes).toBe('something else\n');
    expect(end).toEqual({ reason: `Electron ended with ${signal} right after its start`, remedy: expect.any(String) });
  });

  test.each([127, 133, 134, 139])('exit code %i right after the start', async (code) => {
    const { end } = await run(`exit ${code}`);
    expect(end).toMatchObject({ reason: `Electron ended with exit code ${code} right after its start` });
  });

  test.each(['kill -TRAP $$', 'exit 133', 'exit 127'])('"%s" after a long run is the end of the app', async (body) => {
    expect((await run(`echo '${noLibrary}' >&2; ${body}`, 16)).end).toHaveProperty('exitCode');
  });

  test('a missing library is named, with the command that installs it', async () => {
    const { end, notes } = await run(`echo '${noLibrary}' >&2; exit 127`);
    expect(notes).toBe(`${noLibrary}\n`);
    expect(end).toEqual({
      reason: 'Electron needs the library libnss3.so, which is not installed',
      remedy: expect.stringMatching(/^ {2}sudo apt install .*libnss3/m),
    });
  });

  test.each(Object.entries(sandboxErrors))('a sandbox that does not start (%s) has a remedy', async (_what, line) => {
    const binary = script(`cat >&2 <<'END'\n${line}\nEND\nkill -TRAP $$`, "Ann's dist");
    const helper = `'${join(binary, '..', 'chrome-sandbox').replace("'", `'\\''`)}'`;
    expect(await runElectron({ binary, terminal: testTerminal() })).toEqual({
      reason: "Electron's sandbox cannot start, because this system restricts user namespaces",
      remedy: expect.stringContaining(`\n  sudo chown root:root ${helper} && sudo chmod 4755 ${helper}\n`),
    });
  });

  test('a graphics driver that does not work has a remedy', async () => {
    const line = "[1:FATAL:gpu_data_manager_impl_private.cc(415)] GPU process isn't usable. Goodbye.";
    expect((await run(`echo "${line}" >&2; kill -TRAP $$`)).end).toEqual({
      reason: 'Electron cannot use the graphics driver',
      remedy: expect.stringContaining('\n  TOOLWIRE_DISABLE_GPU=1 npm start\n'),
    });
  });

  test('a display without a server is named', async () => {
    const { end } = await run(`echo '[1:ERROR:env.cc(257)] The platform failed to initialize.  Exiting.' >&2; exit 1`);
    expect(end).toEqual({ reason: 'Electron cannot connect to the display that DISPLAY or WAYLAND_DISPLAY names' });
  });

  test('a helper process that keeps the pipe open does not hold up the reason', async () => {
    const { end, notes } = await run('sleep 60 & echo $! >&2; kill -TRAP $$');
    process.kill(Number(notes));
    expect(end).toHaveProperty('reason');
  });

  test('a program that the system cannot run is a reason', async () => {
    const terminal = testTerminal();
    expect(await runElectron({ binary: '/nonexistent/electron', terminal })).toEqual({
      reason: 'Electron could not start (spawn /nonexistent/electron ENOENT)',
    });
  });
});
