import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { setTimeout as after } from 'node:timers/promises';

import type { Terminal } from '../../src-core/cli/terminal.ts';
import { toolwireCommand } from '../../src-core/cli/toolwireCommand.ts';
import { projectPath } from './project.ts';
import type { NoWindow } from './serveInstead.ts';

/** A crash in this time, in milliseconds, means that Electron cannot start here. */
const startMs = 15_000;

/** Signals by which Chromium ends after a fatal error, with their numbers: a shell reports 128 plus the number. */
const crashSignals = new Map<string, number>([
  ['SIGILL', 4],
  ['SIGTRAP', 5],
  ['SIGABRT', 6],
  ['SIGBUS', 7],
  ['SIGSEGV', 11],
]);

/** What Electron's program left behind. */
interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** End of its standard error. */
  errors: string;
  binary: string;
}

/**
 * Runs the app in Electron until it ends. Returns its exit code (0 after a signal to us, which ends the app), or why
 * Electron could not start.
 */
export async function runElectron(options: {
  binary: string;
  terminal: Pick<Terminal, 'ended' | 'note'>;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
}): Promise<{ exitCode: number } | NoWindow> {
  const { binary, terminal, now = () => performance.now() } = options;
  const { ended } = terminal;
  if (ended.aborted) return { exitCode: 0 };
  // Configurations of MCP hosts name this command.
  const env: NodeJS.ProcessEnv = { ...process.env, TOOLWIRE_COMMAND: JSON.stringify(toolwireCommand()) };
  delete env['ELECTRON_RUN_AS_NODE'];
  const startedAt = now();
  const child = spawn(binary, [projectPath()], { stdio: ['inherit', 'inherit', 'pipe'], env });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    terminal.note(text);
    errors = (errors + text).slice(-10_000);
  });
  const stop = (): void => void child.kill();
  ended.addEventListener('abort', stop);
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    if (ended.aborted) return { exitCode: 0 };
    if (now() - startedAt <= startMs) {
      // The last lines may still be in the pipe. A helper process that lives on may keep it open.
      await Promise.race([finished(child.stderr), after(1000, undefined, { ref: false })]);
      const failure = whyNotStarted({ code, signal, errors, binary });
      if (failure) return failure;
    }
    return { exitCode: code ?? 1 };
  } catch (error) {
    return { reason: `Electron could not start (${(error as Error).message})` };
  } finally {
    ended.removeEventListener('abort', stop);
  }
}

/** Why Electron ended right after its start; undefined if the app ended by itself. */
function whyNotStarted({ code, signal, errors, binary }: Ended): NoWindow | undefined {
  const library = /error while loading shared libraries: ([\w.+-]+)/.exec(errors)?.[1];
  if (code === 127 && library) return missingLibrary(library);
  if (errors.includes('The platform failed to initialize'))
    return { reason: 'Electron cannot connect to the display that DISPLAY or WAYLAND_DISPLAY names' };
  const crash = crashOf(code, signal);
  if (!crash) return undefined;
  if (/chrome-sandbox|No usable sandbox/.test(errors)) return noSandbox(dirname(binary));
  if (errors.includes("GPU process isn't usable"))
    return {
      reason: 'Electron cannot use the graphics driver',
      remedy: 'To open the window without hardware acceleration, run:\n  TOOLWIRE_DISABLE_GPU=1 npm start\n',
    };
  return {
    reason: `Electron ended with ${crash} right after its start`,
    remedy: errors && 'Its own lines are above.\n',
  };
}

function missingLibrary(library: string): NoWindow {
  return {
    reason: `Electron needs the library ${library}, which is not installed`,
    // alsa-utils brings libasound.so.2, whose own package has different names in different releases.
    remedy:
      'To open the window, install its libraries, then run npm start. On Debian and Ubuntu:\n' +
      '  sudo apt install libgtk-3-0 libnss3 libgbm1 alsa-utils\n',
  };
}

/** The signal or exit code of a crash; undefined for any other end. */
function crashOf(code: number | null, signal: NodeJS.Signals | null): string | undefined {
  if (signal) return crashSignals.has(signal) ? signal : undefined;
  if (code === null) return undefined;
  const isCrash =
    code === 127 ||
    [...crashSignals.values()].includes(code - 128) ||
    // Windows: an NTSTATUS of severity "error" or "warning", such as 0xC0000005 (access violation).
    code >= 0x8000_0000;
  return isCrash ? `exit code ${code}` : undefined;
}

/** Why Chromium's sandbox does not start, with the command that enables its setuid helper. */
function noSandbox(distDir: string): NoWindow {
  const helper = shellQuote(join(distDir, 'chrome-sandbox'));
  return {
    reason: "Electron's sandbox cannot start, because this system restricts user namespaces",
    remedy:
      'To open the window, run this command, then npm start. npm ci undoes it, so repeat it after each npm ci.\n' +
      `  sudo chown root:root ${helper} && sudo chmod 4755 ${helper}\n`,
  };
}

function shellQuote(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
