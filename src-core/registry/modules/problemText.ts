import { basename } from 'node:path';

import type { ModuleProblem } from './types.ts';

/** What is wrong with a module or a method of it, in sentences that begin with the place. `label` names the module's own file. */
export function problemText({ message, fix, file, line, column }: ModuleProblem, label: string): string {
  // One word, so that its end is known.
  const name = (file ? basename(file) : label).replaceAll(' ', '\u00a0');
  const place = line ? `${name}:${line}${column ? `:${column}` : ''}` : name;
  return `${place} ${message}. ${fix} It is loaded again when the file is saved.`;
}
