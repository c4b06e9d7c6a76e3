import { programName } from './programName.ts';

/** The program's name, of what `tasklist /FO CSV /NH` prints for one process; it prints a sentence where there is none. */
export function tasklistProgram(output: string): string | undefined {
  const name = /^"([^"]{1,260})"/m.exec(output)?.[1];
  return name === undefined ? undefined : programName([name]);
}
