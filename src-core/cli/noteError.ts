import { describeThrown } from '../base/describeThrown.ts';
import type { Terminal } from './terminal.ts';

/** Where a command's workbench reports failures that belong to no request. */
export function noteError(terminal: Terminal): (error: unknown, where?: string) => void {
  return (error, where) => terminal.note(`toolwire: ${where ? `${where}: ` : ''}${describeThrown(error)}\n`);
}
