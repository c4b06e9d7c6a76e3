import { spawn } from 'node:child_process';

import { describeThrown } from '../base/describeThrown.ts';
import type { Terminal } from './terminal.ts';

/**
 * Opens the workbench in the user's browser, unless this is CI or there is no display. If that fails, says so.
 * @param options.createLinkFile Returns the `file:` URL of a page that forwards to the link. Other users can see the
 * arguments of a process, so the link itself must not be among them. A URL, unlike a path, needs no quoting.
 */
export async function openBrowser(options: {
  createLinkFile: () => string | Promise<string>;
  terminal: Terminal;
}): Promise<void> {
  const { createLinkFile, terminal } = options;
  const opener = openerOf(terminal.env, process.platform);
  if (!opener) return;
  const noteFailure = (error: unknown): void =>
    terminal.note(`The browser could not be opened (${describeThrown(error)}): open the link above.\n`);
  try {
    const child = spawn(opener.program, [...opener.args, await createLinkFile()], { stdio: 'ignore', detached: true });
    child.on('error', noteFailure);
    // xdg-open ends with an error if it finds no browser. One that stays open is not waited for.
    child.on('exit', (code) => {
      if (code) noteFailure(new Error(`${opener.program} ended with code ${code}`));
    });
    child.unref();
  } catch (error) {
    noteFailure(error);
  }
}

/** The system's program that opens a URL; `undefined` in CI and if there is no display. */
export function openerOf(
  env: Terminal['env'],
  platform: NodeJS.Platform,
): { program: string; args: string[] } | undefined {
  if (env['CI']) return undefined;
  if (platform === 'darwin') return { program: 'open', args: [] };
  if (platform === 'win32') return { program: 'rundll32', args: ['url.dll,FileProtocolHandler'] };
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? { program: 'xdg-open', args: [] } : undefined;
}
