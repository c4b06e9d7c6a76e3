import { join } from 'node:path';

import type { NoWindow } from './serveInstead.ts';

/** Why Chromium's sandbox does not start, with the command that enables its setuid helper. */
export function noSandbox(distDir: string): NoWindow {
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
