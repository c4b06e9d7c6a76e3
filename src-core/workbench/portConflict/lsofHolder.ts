import type { PortHolder } from './portHolder.ts';

/** Reads what `lsof -Fpcn` prints: one field a line, `p` before the process id and `c` before the command (lsof(8)). */
export function lsofHolder(output: string): PortHolder {
  const field = (letter: string) =>
    output
      .split('\n')
      .find((line) => line.startsWith(letter))
      ?.slice(1)
      .trim();
  const pid = Number(field('p'));
  if (!Number.isInteger(pid) || pid <= 0) return {};
  // lsof writes a blank in a command as \x20.
  const program = field('c')?.replaceAll('\\x20', ' ').slice(0, 64);
  return { pid, ...(program === undefined || program === '' ? {} : { program }) };
}
