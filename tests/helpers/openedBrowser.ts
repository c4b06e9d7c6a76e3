/** `toolwire serve` as a user starts it, with a recorder in place of the program that opens the browser. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished } from 'vitest';

import type { ServedAddresses } from '../../src-core/cli/addresses.ts';
import { openerOf } from '../../src-core/cli/openBrowser.ts';

export interface OpenedBrowser {
  /** The home directory and the temporary folder of the processes: empty, and with a space and a `%` in its path. */
  readonly home: string;
  /** Starts the built `toolwire serve`, always on the same data directory. */
  serve(): Promise<{ child: ChildProcess; link: string }>;
  /** Waits until the opener was started, and returns its arguments. */
  takeArguments(): Promise<string[]>;
}

/** For Linux and macOS: the opener of Windows is no script. */
export function recordOpenedBrowser(): OpenedBrowser {
  const dir = mkdtempSync(join(tmpdir(), 'toolwire-opener-'));
  const [home, recorded] = [join(dir, '50% of home'), join(dir, 'arguments')];
  mkdirSync(home);
  const display = { DISPLAY: ':0', CI: '' };
  const { program = '' } = openerOf(display, process.platform) ?? {};
  const script = `#!/bin/sh\nprintf '%s\\n' "$@" > '${recorded}.new'\nmv '${recorded}.new' '${recorded}'\n`;
  writeFileSync(join(dir, program), script, { mode: 0o755 });
  const path = `${dir}${delimiter}${process.env['PATH'] ?? ''}`;
  const env = { ...process.env, ...display, HOME: home, TMPDIR: home, PATH: path };
  const started: ChildProcess[] = [];
  onTestFinished(async () => {
    for (const child of started) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
  });
  return {
    home,
    async serve() {
      const flags = ['--json', '--port', '0', '--device-port', '0', '--data-dir', join(dir, 'data')];
      const child = spawn(process.execPath, ['dist/cli.js', 'serve', ...flags], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env,
      });
      started.push(child);
      const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
      return { child, link: (JSON.parse(line) as ServedAddresses).link };
    },
    async takeArguments() {
      await expect.poll(() => existsSync(recorded)).toBe(true);
      const words = readFileSync(recorded, 'utf8').trimEnd().split('\n');
      rmSync(recorded);
      return words;
    },
  };
}
