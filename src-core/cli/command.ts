import type { Terminal } from './terminal.ts';

/** One flag of a command. */
export interface FlagSpec {
  type: 'string' | 'boolean';
  /** The placeholder of the value in the help: `PORT`. */
  value?: string;
  help: string;
  /** It may be given several times. */
  repeats?: true;
  /** It is for tests: the help does not list it. */
  hidden?: true;
}

/** What was given, checked against the command's flags. */
export interface GivenFlags {
  /** The text of a flag; undefined if it was not given. */
  text(flag: string): string | undefined;
  /** Every text of a flag that may be given several times. */
  texts(flag: string): readonly string[];
  isSet(flag: string): boolean;
  /** A whole number in a range. @throws UsageError */
  number(flag: string, range: { min: number; max: number }): number | undefined;
}

/** One command of the terminal. */
export interface Command {
  name: string;
  /** It is for tests: the help does not list it. */
  hidden?: true;
  /** Positional arguments as the help shows them: `NAME`, `[FILE|-]`. At most one. */
  argument?: { label: string; required: boolean };
  summary: string;
  /** More for `--help`: lines. */
  details?: string;
  flags: Readonly<Record<string, FlagSpec>>;
  /** Returns the exit code. Rejects with a `UsageError`, or with the error that occurred. */
  run(context: { argument: string | undefined; flags: GivenFlags; terminal: Terminal }): Promise<number>;
}
