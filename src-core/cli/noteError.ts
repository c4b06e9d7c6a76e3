import { describeThrown } from '../base/describeThrown.ts';
import type { Terminal } from './terminal.ts';

/** Where a command's workbench tells of failures that belong to nobody's request. */
export function noteError(terminal: Terminal): (error: unknown, where?: string) => void {
  return (error, where) => terminal.note(`toolwire: ${where ? `${where}: ` : ''}${describeThrown(error)}\n`);
}
