import { openerOf } from '../../src-core/cli/openBrowser.ts';
import { serve } from '../../src-core/cli/serve.ts';
import type { Terminal } from '../../src-core/cli/terminal.ts';
import { defaultDataDir } from '../../src-core/dataDir.ts';
import { defaultPorts } from '../../src-core/defaultPorts.ts';

/** Why Electron's window does not open. */
export interface NoWindow {
  /** A sentence without its full stop. */
  reason: string;
  /** Lines that say what the user can do, each with its line break. */
  remedy?: string;
}

/** Serves the same workbench in the browser, and prints why, where, and how to get the window. */
export function serveInstead({ reason, remedy, terminal }: NoWindow & { terminal: Terminal }): Promise<number> {
  const canOpen = openerOf(terminal.env, process.platform) !== undefined;
  return serve({
    at: {
      dataDir: defaultDataDir(),
      uiPort: { port: defaultPorts.ui, mayMove: true },
      devicePort: { port: defaultPorts.devices, mayMove: true },
    },
    mayOpen: true,
    terminal,
    show: ({ link }) => {
      const where = canOpen ? 'The workbench opens in your browser instead' : 'Open the workbench in a browser';
      terminal.print(`${reason}. ${where}: ${link}   (opens once)\n`);
      if (remedy) terminal.note(remedy);
    },
  });
}
