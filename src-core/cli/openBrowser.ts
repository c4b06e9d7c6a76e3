import { spawn } from 'node:child_process';

import type { Terminal } from './terminal.ts';

/** Opens a link in the person's browser where there is a person and a screen; says so where that fails. */
export function openBrowser(url: string, terminal: Terminal, platform: NodeJS.Platform = process.platform): void {
  const opener = openerOf(terminal.env, platform);
  if (!opener) return;
  const child = spawn(opener.program, [...opener.args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => terminal.note('The browser could not be opened: open the link above yourself.\n'));
  child.unref();
}

/** The system's way to open a link; undefined in CI and where there is no screen. */
export function openerOf(
  env: Terminal['env'],
  platform: NodeJS.Platform,
): { program: string; args: string[] } | undefined {
  if (env['CI']) return undefined;
  if (platform === 'darwin') return { program: 'open', args: [] };
  if (platform === 'win32') return { program: 'rundll32', args: ['url.dll,FileProtocolHandler'] };
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? { program: 'xdg-open', args: [] } : undefined;
}
