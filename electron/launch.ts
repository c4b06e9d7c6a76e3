/** `npm start`: builds the workbench if needed, then opens it in Electron, or in the browser if Electron cannot start. */
import { processTerminal } from '../src-core/cli/processTerminal.ts';
import { describeThrown } from '../src-core/tools/describeThrown.ts';
import { ensureBuilt } from './launch/ensureBuilt.ts';
import { start } from './launch/start.ts';

const terminal = processTerminal();
let code = 1;
try {
  if (await ensureBuilt({ terminal })) code = await start({ terminal });
  else if (terminal.ended.aborted) code = 0;
} catch (error) {
  terminal.note(`${describeThrown(error)}\n`);
}
// A DNS lookup cannot be cancelled and would delay the exit after Ctrl+C.
process.stdout.write('', () => process.exit(code));
