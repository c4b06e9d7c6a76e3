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

/** What a command runs with. */
export interface CommandContext {
  /** The first positional argument. */
  argument: string | undefined;
  /** All of them: more than one only if the argument repeats. */
  positionals: readonly string[];
  flags: GivenFlags;
  terminal: Terminal;
}

/** One command of the terminal. */
export interface Command {
  name: string;
  /** It is for tests: the help does not list it. */
  hidden?: true;
  /** The positional argument as the help shows it: `NAME`, `[FILE|-]`. At most one, unless it repeats. */
  argument?: { label: string; required: boolean; repeats?: true };
  summary: string;
  /** More for `--help`: lines. */
  details?: string;
  flags: Readonly<Record<string, FlagSpec>>;
  /** Returns the exit code. Rejects with a `UsageError`, or with the error that occurred. */
  run(context: CommandContext): Promise<number>;
}
