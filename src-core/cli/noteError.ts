import { describeThrown } from '../base/describeThrown.ts';
import type { ErrorReporter } from '../base/reportError.ts';
import { createLogFile, logFilePath } from '../logFile.ts';
import type { Terminal } from './terminal.ts';

/** Where a command's workbench reports failures that belong to no request. */
export function noteError(terminal: Terminal): (error: unknown, where?: string) => void {
  return (error, where) => terminal.note(`toolwire: ${where ? `${where}: ` : ''}${describeThrown(error)}\n`);
}

/** As `noteError`, and in the log file of the data directory. */
export function noteAndLogError(terminal: Terminal, dataDir: string): ErrorReporter {
  const note = noteError(terminal);
  const log = createLogFile({ path: logFilePath(dataDir) });
  return (error, where) => {
    note(error, where);
    log(error, where);
  };
}
