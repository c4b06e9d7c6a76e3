/** `npm start`: builds what is not built, then opens the window in Electron, or in the browser where it cannot. */
import { processTerminal } from '../src-core/cli/processTerminal.ts';
import { ensureBuilt } from './launch/ensureBuilt.ts';
import { findElectron } from './launch/findElectron.ts';
import { runElectron } from './launch/runElectron.ts';
import { serveInstead } from './launch/serveInstead.ts';

const terminal = processTerminal();

if (await ensureBuilt({ terminal })) {
  const found = await findElectron({ env: process.env, platform: process.platform, ended: terminal.ended });
  process.exitCode =
    'binary' in found
      ? await runElectron({ binary: found.binary, ended: terminal.ended })
      : await serveInstead({ reason: found.reason, terminal });
} else {
  process.exitCode = 1;
}
