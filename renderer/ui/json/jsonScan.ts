/** The kinds of lines of a JSON tree. */
export const kinds = ['object', 'array', 'end', 'string', 'number', 'word'] as const;
export type JsonKind = (typeof kinds)[number];
const [object, array, end, string, number, word] = [0, 1, 2, 3, 4, 5];

/** The lines of a JSON text, indexed by line. A value has one; an object or array with members has another for its end. */
export interface JsonLines {
  readonly text: string;
  readonly count: number;
  /** Indexes into `kinds`. */
  readonly kind: Uint8Array;
  readonly depth: Uint16Array;
  /** Offset of the value in the text; for an end, of its bracket. */
  readonly start: Uint32Array;
  /** Offset of the member's name in the text, including its quote; -1 if there is none. */
  readonly name: Int32Array;
  /** The line of the containing object or array; -1 for the root. For an end, the line of its object or array. */
  readonly parent: Int32Array;
  /** For an object or array, the line of its end, or its own line if it is empty. For all others, the line itself. */
  readonly last: Uint32Array;
  /** For an object or array, the number of members. For a value, its end offset in the text. */
  readonly size: Uint32Array;
}

const numberAt = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const escapeAt = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const maxDepth = 10_000;
/** Lines between two checks of the time. */
const linesAtOnce = 512;

type Expects = 'value' | 'first-item' | 'name' | 'first-name' | 'after';

/**
 * Finds the lines of a JSON text without creating its values, so that 10 MB take a fraction of a second and no object
 * per member. Works in parts, so that the window can draw in between. Strict: rejects whatever `JSON.parse` rejects.
 */
export class JsonScan {
  readonly #text: string;
  #at = 0;
  #expects: Expects = 'value';
  #name = -1;
  #open = -1;
  #depth = 0;
  #count = 0;
  #kind = new Uint8Array(1024);
  #depths = new Uint16Array(1024);
  #start = new Uint32Array(1024);
  #names = new Int32Array(1024);
  #parent = new Int32Array(1024);
  #last = new Uint32Array(1024);
  #size = new Uint32Array(1024);

  constructor(text: string) {
    this.#text = text;
  }

  /** Continues to the end, or until `isTime`. Returns `false` if the text is not valid JSON, `undefined` if unfinished. */
  run(isTime: () => boolean): JsonLines | false | undefined {
    for (let turn = 1; ; turn += 1) {
      this.#skipSpace();
      const ended = this.#expects === 'after' && this.#open === -1;
      if (ended) return this.#at === this.#text.length ? this.#lines() : false;
      if (!this.#step(this.#text.charCodeAt(this.#at))) return false;
      if (turn % linesAtOnce === 0 && isTime()) return undefined;
    }
  }

  #lines(): JsonLines {
    const count = this.#count;
    return {
      text: this.#text,
      count,
      kind: this.#kind,
      depth: this.#depths,
      start: this.#start,
      name: this.#names,
      parent: this.#parent,
      last: this.#last,
      size: this.#size,
    };
  }

  #step(code: number): boolean {
    switch (this.#expects) {
      case 'after':
        return this.#after(code);
      case 'first-name':
        return code === 125 ? this.#close(true) : this.#memberName(code);
      case 'name':
        return this.#memberName(code);
      case 'first-item':
        return code === 93 ? this.#close(true) : this.#value(code);
      case 'value':
        return this.#value(code);
    }
  }

  #value(code: number): boolean {
    if (code === 123 || code === 91) return this.#begin(code === 123 ? object : array);
    const from = this.#at;
    let kind = word;
    if (code === 34) {
      kind = string;
      if (!this.#skipString()) return false;
    } else if (code === 45 || (code >= 48 && code <= 57)) {
      kind = number;
      numberAt.lastIndex = from;
      if (!numberAt.test(this.#text)) return false;
      this.#at = numberAt.lastIndex;
    } else {
      const found = ['true', 'false', 'null'].find((each) => this.#text.startsWith(each, from));
      if (found === undefined) return false;
      this.#at += found.length;
    }
    this.#addMember(kind, from, this.#at);
    this.#expects = 'after';
    return true;
  }

  #begin(kind: number): boolean {
    if (this.#depth >= maxDepth) return false;
    this.#open = this.#addMember(kind, this.#at, 0);
    this.#depth += 1;
    this.#at += 1;
    this.#expects = kind === object ? 'first-name' : 'first-item';
    return true;
  }

  #after(code: number): boolean {
    const isObject = this.#kind[this.#open] === object;
    if (code === (isObject ? 125 : 93)) return this.#close(false);
    if (code !== 44) return false;
    this.#at += 1;
    this.#expects = isObject ? 'name' : 'value';
    return true;
  }

  #close(empty: boolean): boolean {
    const opened = this.#open;
    this.#depth -= 1;
    if (!empty) {
      const line = this.#add(end, this.#at, 0);
      this.#last[opened] = line;
    }
    this.#at += 1;
    this.#open = this.#parent[opened] ?? -1;
    this.#expects = 'after';
    return true;
  }

  #memberName(code: number): boolean {
    if (code !== 34) return false;
    this.#name = this.#at;
    if (!this.#skipString()) return false;
    this.#skipSpace();
    if (this.#text.charCodeAt(this.#at) !== 58) return false;
    this.#at += 1;
    this.#expects = 'value';
    return true;
  }

  #addMember(kind: number, start: number, size: number): number {
    if (this.#open !== -1) this.#size[this.#open] = (this.#size[this.#open] ?? 0) + 1;
    return this.#add(kind, start, size);
  }

  #add(kind: number, start: number, size: number): number {
    const line = this.#count;
    if (line === this.#kind.length) this.#grow();
    this.#count += 1;
    this.#kind[line] = kind;
    this.#depths[line] = this.#depth;
    this.#start[line] = start;
    this.#names[line] = this.#name;
    this.#parent[line] = this.#open;
    this.#last[line] = line;
    this.#size[line] = size;
    this.#name = -1;
    return line;
  }

  #grow(): void {
    const wider = <T extends Uint8Array | Uint16Array | Uint32Array | Int32Array>(old: T, next: T): T => {
      next.set(old);
      return next;
    };
    const length = this.#kind.length * 2;
    this.#kind = wider(this.#kind, new Uint8Array(length));
    this.#depths = wider(this.#depths, new Uint16Array(length));
    this.#start = wider(this.#start, new Uint32Array(length));
    this.#names = wider(this.#names, new Int32Array(length));
    this.#parent = wider(this.#parent, new Int32Array(length));
    this.#last = wider(this.#last, new Uint32Array(length));
    this.#size = wider(this.#size, new Uint32Array(length));
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
      this.#at += 1;
    }
  }

  /** From its first quote to behind its last. */
  #skipString(): boolean {
    this.#at += 1;
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 34) break;
      if (code === 92) {
        escapeAt.lastIndex = this.#at;
        if (!escapeAt.test(this.#text)) return false;
        this.#at = escapeAt.lastIndex;
      } else if (code >= 32) this.#at += 1;
      else return false; // A control character, or (NaN) the end of the text.
    }
    this.#at += 1;
    return true;
  }
}
