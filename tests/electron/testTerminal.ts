import type { Terminal } from '../../src-core/cli/terminal.ts';

/** A terminal that keeps what is written to it. */
export interface TestTerminal extends Terminal {
  /** What was noted so far. */
  notes: string;
  /** As Ctrl+C does. */
  end(): void;
}

/** A Linux terminal on a desktop, in which no user types. */
export function testTerminal(parts: Partial<Pick<Terminal, 'env' | 'interactive'>> = {}): TestTerminal {
  const ended = new AbortController();
  const terminal: TestTerminal = {
    env: { DISPLAY: ':0', ...parts.env },
    printsToUser: false,
    interactive: parts.interactive ?? false,
    ended: ended.signal,
    end: () => ended.abort(),
    notes: '',
    note: (text) => void (terminal.notes += text),
    replaceLine: (line) => void (terminal.notes += `\r${line}\x1b[K`),
    print: () => undefined,
    readInput: () => Promise.resolve(''),
    ask: () => Promise.resolve(''),
  };
  return terminal;
}
