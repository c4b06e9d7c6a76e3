/** `npm start`: builds the workbench if needed, then opens it in Electron, or in the browser if Electron cannot start. */
import { exitCodes } from '../src-core/cli/exitCodes.ts';
import { processTerminal } from '../src-core/cli/processTerminal.ts';
import { describeThrown } from '../src-core/base/describeThrown.ts';
import { ensureBuilt } from './launch/ensureBuilt.ts';
import { start } from './launch/start.ts';

const terminal = processTerminal();
const [argument] = process.argv.slice(2);
let code: number = exitCodes.failed;
try {
  if (argument !== undefined) {
    code = exitCodes.usage;
    terminal.note(
      `npm start takes no options, but got "${argument}". To choose the data directory, set TOOLWIRE_DATA_DIR. ` +
        'For other options, run "npm run serve -- OPTIONS"; "npm run serve -- --help" lists them.\n',
    );
  } else if (await ensureBuilt({ terminal })) code = await start({ terminal });
  else if (terminal.ended.aborted) code = exitCodes.ok;
} catch (error) {
  terminal.note(`${describeThrown(error)}\n`);
}
// A DNS lookup cannot be cancelled and would delay the exit after Ctrl+C.
process.stdout.write('', () => process.exit(code));
