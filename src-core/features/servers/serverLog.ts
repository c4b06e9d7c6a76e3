import type { ServerLogLine } from '../../contract/servers.ts';

const maxLines = 500;

/** The newest lines that a server and its starts wrote. */
export class ServerLog {
  readonly lines: ServerLogLine[] = [];
  #lastFailure: ServerLogLine | undefined;
  #lastAttempt = '';

  /** Writes a line. What Toolwire says again and again is written once, with a count. */
  write(line: ServerLogLine): void {
    const last = this.lines.at(-1);
    const isAgain = line.message && last !== this.#lastFailure && last?.kind === line.kind && last.text === line.text;
    if (isAgain) this.lines.splice(-1, 1, { ...line, count: (last.count ?? 1) + 1 });
    else this.#push(line);
  }

  #push(line: ServerLogLine): void {
    this.lines.push(line);
    if (this.lines.length > maxLines) this.lines.shift();
  }

  /** Writes why the present attempt failed. If it went like the one before, its lines are replaced by a count. */
  fail(line: ServerLogLine): void {
    const begin = this.#lastFailure === undefined ? 0 : this.lines.indexOf(this.#lastFailure) + 1;
    const attempt = JSON.stringify([...this.lines.slice(begin), line].flatMap(comparable));
    if (this.#lastFailure !== undefined && begin > 0 && attempt === this.#lastAttempt) {
      const { count = 1 } = this.#lastFailure;
      this.#lastFailure = { ...line, count: count + 1 };
      this.lines.splice(begin - 1, Infinity, this.#lastFailure);
      return;
    }
    this.#push(line);
    this.#lastFailure = line;
    this.#lastAttempt = attempt;
  }
}

/** Each process has its own number. */
function comparable({ kind, text, message }: ServerLogLine): string[] {
  return message?.code === 'servers.note.process-started' ? [] : [kind, text];
}
