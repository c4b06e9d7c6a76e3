/** The JSON of a value up to so many characters. */
export interface BoundedJson {
  text: string;
  /** Nothing is missing. */
  isWhole: boolean;
}

/** Writes the JSON of plain data. Stops after `most` characters, so it takes time in proportion to them. */
export function boundedJson(value: unknown, most: number): BoundedJson {
  const pieces: string[] = [];
  let left = most;

  function write(piece: string): void {
    pieces.push(piece);
    left -= piece.length;
  }

  function writeMembers(members: Iterable<[key: string | undefined, value: unknown]>): void {
    let isFirst = true;
    for (const [key, member] of members) {
      if (left < 0) return;
      if (key !== undefined && member === undefined) continue;
      if (!isFirst) write(',');
      isFirst = false;
      if (key !== undefined) write(`${JSON.stringify(key)}:`);
      writeValue(member);
    }
  }

  function writeValue(part: unknown): void {
    if (left < 0) return;
    if (typeof part === 'string') write(JSON.stringify(part.length > left ? part.slice(0, left + 1) : part));
    else if (typeof part !== 'object' || part === null) write(JSON.stringify(part) ?? 'null');
    else if (Array.isArray(part)) {
      write('[');
      writeMembers(part.map((item: unknown) => [undefined, item]));
      write(']');
    } else {
      write('{');
      writeMembers(Object.entries(part));
      write('}');
    }
  }

  writeValue(value);
  const isWhole = left >= 0;
  const text = pieces.join('');
  return { text: isWhole ? text : text.slice(0, most).toWellFormed(), isWhole };
}
