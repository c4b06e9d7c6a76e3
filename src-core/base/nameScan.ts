/** What one pass over a name tells about the name and the query. Letters are UTF-16 code units, in either case. */
export interface NameScan {
  /** Letters that both have, each as often as both have it. */
  shared: number;
  /** Words of the query that are in the name between marks or humps: `volume` in `getVolume`, `on` not in `button`. */
  words: number;
  /** Letters of those words. */
  covered: number;
  /** True if the query is a part of the name. */
  holdsQuery: boolean;
}

/** Places of a name that are looked at for words: more than a name has words. */
const maximumLooks = 32;

/** Reads many names for one query, each in one pass: by an Aho–Corasick automaton of the query and its words. */
export class NameScanner {
  readonly words: readonly string[];
  /** By code unit, the number of that letter of the query, from 1, and 0 for any other. */
  readonly #letterOf = new Uint8Array(65_536);
  readonly #query: Uint8Array;
  /** By the number of a letter: how often the query has it, and how many of those a name has not had yet. */
  readonly #counts: Int32Array;
  readonly #left: Int32Array;
  readonly #letters: number;
  /** By state and letter, the next state. */
  readonly #next: Uint16Array;
  /** By state, the numbers of the words that end there; the query itself has the number after the last word. */
  readonly #ends: number[][] = [[]];
  readonly #hasEnds: Uint8Array;
  /** The number of the last name in which each word was found. */
  readonly #foundIn: Uint32Array;
  #names = 0;
  readonly #scan: NameScan = { shared: 0, words: 0, covered: 0, holdsQuery: false };

  /** @param query Of at most 255 letters. */
  constructor(query: string) {
    const humps = query.replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1 ');
    this.words = [...new Set(foldCase(humps).match(/[\p{L}\p{N}]+/gu))];
    const units = foldCase(query).split('');
    const letters = [...new Set(units)];
    for (const [at, unit] of letters.entries()) {
      for (const cased of [unit, unit.toUpperCase()]) this.#letterOf[cased.charCodeAt(0)] = at + 1;
    }
    this.#query = Uint8Array.from(units, (unit) => letters.indexOf(unit) + 1);
    this.#letters = letters.length + 1;
    this.#counts = new Int32Array(this.#letters);
    for (const letter of this.#query) this.#counts[letter] = (this.#counts[letter] ?? 0) + 1;
    this.#left = new Int32Array(this.#letters);
    this.#next = new Uint16Array((2 * units.length + 1) * this.#letters);
    this.#foundIn = new Uint32Array(this.words.length);
    for (const [at, word] of [...this.words, units.join('')].entries()) this.#addPath(word, at);
    this.#completePaths();
    this.#hasEnds = Uint8Array.from(this.#ends, ({ length }) => Math.min(1, length));
  }

  /** The object that is returned is the same each time. */
  scan(name: string): NameScan {
    const letterOf = this.#letterOf;
    const left = this.#left;
    const next = this.#next;
    const letters = this.#letters;
    const hasEnds = this.#hasEnds;
    left.set(this.#counts);
    this.#scan.words = this.#scan.covered = 0;
    this.#scan.holdsQuery = false;
    this.#names += 1;
    let [state, shared, looks] = [0, 0, maximumLooks];
    for (let at = 0; at < name.length; at += 1) {
      const letter = letterOf[name.charCodeAt(at)] ?? 0;
      // Without a branch, which the processor would often guess wrong.
      const more = (left[letter] ?? 0) - 1;
      left[letter] = more;
      shared += 1 + (more >> 31);
      state = next[state * letters + letter] ?? 0;
      if (hasEnds[state] === 1 && looks-- > 0) this.#findWords(name, state, at + 1);
    }
    this.#scan.shared = shared;
    return this.#scan;
  }

  /** The letters of the longer one without what both have at their beginnings and ends: the most edits between them. */
  differing(name: string): number {
    const [query, letterOf] = [this.#query, this.#letterOf];
    const shortest = Math.min(name.length, query.length);
    let start = 0;
    while (start < shortest && letterOf[name.charCodeAt(start)] === query[start]) start += 1;
    let end = 0;
    while (end < shortest - start && letterOf[name.charCodeAt(name.length - 1 - end)] === query.at(-1 - end)) end += 1;
    return Math.max(name.length, query.length) - start - end;
  }

  #findWords(name: string, state: number, end: number): void {
    const isWordEnd = isEdge(name, end);
    for (const at of this.#ends[state] ?? []) {
      const word = this.words[at];
      if (word === undefined) this.#scan.holdsQuery = true;
      else if (isWordEnd && this.#foundIn[at] !== this.#names && isEdge(name, end - word.length)) {
        this.#foundIn[at] = this.#names;
        this.#scan.words += 1;
        this.#scan.covered += word.length;
      }
    }
  }

  #addPath(text: string, number: number): void {
    let state = 0;
    for (let at = 0; at < text.length; at += 1) {
      const step = state * this.#letters + (this.#letterOf[text.charCodeAt(at)] ?? 0);
      if (this.#next[step] === 0) this.#next[step] = this.#ends.push([]) - 1;
      state = this.#next[step] ?? 0;
    }
    this.#ends[state]?.push(number);
  }

  /** Lets a path that ends go on as the longest suffix of it does. */
  #completePaths(): void {
    const suffixOf = new Uint16Array(this.#ends.length);
    const states = [0];
    for (const state of states) {
      for (let letter = 1; letter < this.#letters; letter += 1) {
        const step = state * this.#letters + letter;
        const suffix = state === 0 ? 0 : (this.#next[(suffixOf[state] ?? 0) * this.#letters + letter] ?? 0);
        const child = this.#next[step] ?? 0;
        if (child === 0) this.#next[step] = suffix;
        else {
          suffixOf[child] = suffix;
          this.#ends[child]?.push(...(this.#ends[suffix] ?? []));
          states.push(child);
        }
      }
    }
  }
}

/** In lower case, with as many UTF-16 code units. */
export function foldCase(text: string): string {
  return text
    .split('')
    .map((unit) => (unit.toLowerCase().length === 1 ? unit.toLowerCase() : unit))
    .join('');
}

/** What a UTF-16 code unit is for the edges of words; 0 until it is asked for. */
const kinds = new Uint8Array(65_536);
const mark = 1;
const letterOrDigit = 2;
const capital = 3;

function isEdge(name: string, at: number): boolean {
  const [before, after] = [kindAt(name, at - 1), kindAt(name, at)];
  return before === mark || after === mark || (after === capital && before === letterOrDigit);
}

function kindAt(name: string, at: number): number {
  if (at < 0 || at >= name.length) return mark;
  const code = name.charCodeAt(at);
  return kinds[code] || (kinds[code] = kindOf(String.fromCharCode(code)));
}

function kindOf(unit: string): number {
  if (!/[\p{L}\p{N}]/u.test(unit)) return mark;
  return unit === unit.toLowerCase() ? letterOrDigit : capital;
}
