/** Receives the lines of a stream of bytes, each decoded from UTF-8 and without its line end. */
export interface LineReader {
  push(chunk: Buffer): void;
  /** Passes on the text after the last line end. */
  end(): void;
}

export interface LineReaderOptions {
  /** Longer lines are dropped; of each, `onTooLong` receives its first and last characters. */
  maxBytes: number;
  onLine(line: string, bytes: number): void;
  onTooLong(start: string, end: string, bytes: number): void;
}

/** How much of both ends of a line that is too long is kept, in bytes. */
const endBytes = 4096;

/** Splits a stream into lines. It holds at most `maxBytes` of a line. */
export function createLineReader({ maxBytes, onLine, onTooLong }: LineReaderOptions): LineReader {
  let parts: Buffer[] = [];
  let length = 0;
  let dropped: { start: string; end: Buffer } | undefined;

  const add = (bytes: Buffer): void => {
    length += bytes.length;
    if (dropped) {
      dropped.end = Buffer.concat([dropped.end, bytes.subarray(-endBytes)]).subarray(-endBytes);
      return;
    }
    parts.push(bytes);
    if (length <= maxBytes) return;
    const all = Buffer.concat(parts);
    dropped = { start: all.subarray(0, endBytes).toString(), end: Buffer.from(all.subarray(-endBytes)) };
    parts = [];
  };
  const finish = (): void => {
    const bytes = length;
    const line = dropped ? '' : Buffer.concat(parts).toString();
    const tooLong = dropped;
    parts = [];
    length = 0;
    dropped = undefined;
    if (tooLong) onTooLong(tooLong.start, tooLong.end.toString(), bytes);
    else if (line.trim() !== '') onLine(line.endsWith('\r') ? line.slice(0, -1) : line, bytes);
  };
  return {
    push(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
        add(chunk.subarray(from, at));
        finish();
        from = at + 1;
      }
      if (from < chunk.length) add(chunk.subarray(from));
    },
    end() {
      if (length > 0) finish();
    },
  };
}
