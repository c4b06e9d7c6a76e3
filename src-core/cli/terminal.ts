/** What a command has of the terminal it runs in: passed in, so that a test needs no process. */
export interface Terminal {
  env: Readonly<Record<string, string | undefined>>;
  /** Standard input, whole. Rejects if it has more than 20 MB, or the program is asked to end before its end. */
  readInput(): Promise<string>;
  /** Data. */
  print(text: string): void;
  /** Everything else: notes, questions, errors. */
  note(text: string): void;
  /** Replaces the line that the cursor is in. Absent if the terminal cannot. */
  replaceLine?(line: string): void;
  /** Whether standard output is a terminal, so that greetings are read by the user and not by a program. */
  printsToUser: boolean;
  /** Columns of standard output; undefined if it is not a terminal. */
  columns?: number | undefined;
  /** True if the user can be asked. */
  interactive: boolean;
  /** Aborts when the user or the system asks the program to end (SIGINT, SIGTERM, SIGHUP). */
  ended: AbortSignal;
  /** Asks, and returns the answer's first line. Rejects if the signal aborts. What is typed is not shown if it is secret. */
  ask(question: string, signal?: AbortSignal, secret?: boolean): Promise<string>;
}

/** Whether an answer to a question with `[y/N]` agrees. */
export function isYes(answer: string): boolean {
  return /^y(?:es)?$/i.test(answer.trim());
}
