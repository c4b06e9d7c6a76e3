import { serve } from '../../src-core/cli/serve.ts';
import type { Terminal } from '../../src-core/cli/terminal.ts';
import { defaultDataDir } from '../../src-core/dataDir.ts';
import { defaultPorts } from '../../src-core/defaultPorts.ts';

/** The same workbench in the browser, with one line that says why and where. */
export function serveInstead({ reason, terminal }: { reason: string; terminal: Terminal }): Promise<number> {
  return serve({
    dataDir: defaultDataDir(),
    uiPort: { port: defaultPorts.ui, mayMove: true },
    devicePort: { port: defaultPorts.devices, mayMove: true },
    mayOpen: true,
    terminal,
    show: ({ link }) => terminal.print(`${reason}: serving the workbench in your browser instead: ${link}\n`),
  });
}
