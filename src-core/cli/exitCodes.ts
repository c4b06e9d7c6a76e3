/** What the program ends with: the table in docs/terminal.md. */
export const exitCodes = Object.freeze({
  ok: 0,
  failed: 1,
  usage: 2,
  /** The user has to approve or to answer something, and has not. */
  refused: 3,
  /** An MCP server does not start or cannot be reached. */
  unreachable: 4,
  /** Ctrl+C, SIGTERM or SIGHUP. */
  interrupted: 130,
});

/** An error with an exit code of its own. */
export class ExitError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.name = 'ExitError';
    this.exitCode = exitCode;
  }
}
