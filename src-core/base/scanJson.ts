import { maximumJsonDepth } from './cloneJson.ts';
import type { TextEdit } from './replyTypes.ts';
import type { JsonNode, JsonProblem, JsonScan } from './jsonNode.ts';
import { closingQuotes, scanString } from './scanString.ts';

export interface ScanJsonOptions {
  start: number;
  /** Nothing at or after this offset is looked at. */
  limit: number;
  /** Ends at the first fault. Otherwise faults whose meaning is plain are noted, with what mends them, and passed. */
  strict: boolean;
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** A number in full-width digits, those of a Chinese keyboard. */
const wideNumber = /[－-]?[０-９][０-９．.]*/y;
/** A string that means what it contains. */
const plainString = /"[^"\\\0-\x1f]*"/y;
/** The word is cut here: no word that JSON or a programming language has is longer. */
const word = /[A-Za-z_$][\w$-]{0,63}/y;
const literals: ReadonlySet<string> = new Set(['true', 'false', 'null']);
const pythonLiterals: ReadonlyMap<string, string> = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
]);

/** The error of a text that ends too early, by what is expected next. If only brackets are missing, the error lists them. */
const endsBefore: ReadonlyMap<Expected, string> = new Map([
  ['value', 'the text ends before the JSON does; add a value'],
  ['key', 'the text ends before the JSON does; add a key'],
  ['colon', 'the text ends before the JSON does; add a colon'],
]);

type Expected = 'value' | 'item-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end';

/**
 * Reads one JSON value with the places of all its parts. Never throws: what is not valid JSON is in `problems`, beside the part
 * of the value that was read. One pass without recursion; at most as deep as any value that can be sent.
 */
export function scanJson(source: string, options: ScanJsonOptions): JsonScan {
  return new JsonScanner(source, options).scan();
}

class JsonScanner {
  private readonly source: string;
  private readonly start: number;
  private readonly limit: number;
  private readonly strict: boolean;
  private readonly problems: JsonProblem[] = [];
  private readonly open: JsonNode[] = [];
  private root: JsonNode | undefined;
  private expected: Expected = 'value';
  private at: number;
  private valueEnd: number;
  private comma: number;
  private lastString = -1;
  private stopped = false;

  constructor(source: string, { start, limit, strict }: ScanJsonOptions) {
    this.source = source;
    this.start = this.at = this.valueEnd = this.comma = start;
    this.limit = limit;
    this.strict = strict;
  }

  scan(): JsonScan {
    while (!this.stopped) {
      const from = this.at;
      while (this.at < this.limit && isJsonSpace(this.source.charCodeAt(this.at))) this.at++;
      if (this.at >= this.limit) {
        const closes = `the text ends before the JSON does; add ${this.closersDownTo(0)}`;
        const what = endsBefore.get(this.expected) ?? closes;
        this.fault(what, this.valueEnd, this.limit, this.closeAll(from));
        break;
      }
      this.step(this.source.charAt(this.at));
      if (this.open.length === 0 && this.root !== undefined && !this.stopped) break;
    }
    for (const node of this.open) node.end = Math.max(node.end, this.at);
    const resume =
      this.problems.length === 0
        ? this.at
        : Math.max(this.start + 1, this.lastString < this.start ? this.at : this.lastString + 1);
    return {
      end: Math.max(this.at, this.start + 1),
      problems: this.problems,
      resume,
      ...(this.root !== undefined && { root: this.root }),
    };
  }

  /** Records a fault. True if reading can continue after it. */
  private fault(what: string, from: number, to: number, edits?: TextEdit[]): boolean {
    this.problems.push({ start: from, end: Math.min(this.limit, to), what, ...(edits !== undefined && { edits }) });
    this.stopped ||= this.strict || edits === undefined;
    return !this.stopped;
  }

  private add(node: JsonNode): void {
    const parent = this.open.at(-1);
    const member = parent?.members?.at(-1);
    if (parent === undefined) this.root = node;
    else if (member !== undefined) member.value = node;
    else parent.items?.push(node);
  }

  private readString(): JsonNode {
    this.lastString = this.at;
    plainString.lastIndex = this.at;
    if (plainString.test(this.source) && plainString.lastIndex <= this.limit) {
      const [start, end] = [this.at, plainString.lastIndex];
      this.at = end;
      return { kind: 'string', start, end, text: this.source.slice(start + 1, end - 1) };
    }
    if (this.strict && this.source.charAt(this.at) !== '"') {
      this.fault('a string is in quotes other than "', this.at, this.at + 1);
      return { kind: 'string', start: this.at, end: this.at + 1, text: '' };
    }
    const string = scanString(this.source, { start: this.at, limit: this.limit, strict: this.strict });
    const node: JsonNode = { kind: 'string', start: this.at, end: string.end, text: string.text };
    const range = { start: this.at, end: string.end };
    if (this.source.charAt(this.at) !== '"') {
      const edits = string.closed ? [{ ...range, newText: JSON.stringify(string.text) }] : undefined;
      this.fault('a string is in quotes other than "', this.at, string.end, edits);
    } else {
      for (const problem of string.problems) this.fault(problem.what, problem.start, problem.end, problem.edits);
      // The strict reading has stopped inside the string; the other one, at the text's end.
      if (!string.closed && !this.stopped) {
        this.fault('the text ends inside a string', this.at, this.limit, this.closeAll(string.end, '"'));
        this.stopped = true;
      }
    }
    this.at = string.end;
    return node;
  }

  /** The edits that close the text at its end, if it lacks nothing else. */
  private closeAll(end: number, quote = ''): TextEdit[] | undefined {
    const inObject = this.open.at(-1)?.kind === 'object';
    const closing = { start: end, end, newText: quote + this.closersDownTo(0) };
    if (quote !== '') return this.expected.startsWith('key') ? undefined : [closing];
    if (this.expected.endsWith('or-end')) return [closing];
    const afterComma = this.expected === 'key' || (this.expected === 'value' && this.open.length > 0 && !inObject);
    return afterComma ? [{ start: this.comma, end: this.comma + 1, newText: '' }, closing] : undefined;
  }

  private closersDownTo(depth: number): string {
    let closers = '';
    for (let index = this.open.length - 1; index >= depth; index--)
      closers += this.open[index]?.kind === 'object' ? '}' : ']';
    return closers;
  }

  private finish(end: number): void {
    this.valueEnd = end;
    this.expected = 'comma-or-end';
  }

  private openContainer(kind: 'object' | 'array'): void {
    if (this.open.length >= maximumJsonDepth) {
      this.fault(`it is nested more than ${maximumJsonDepth} levels deep`, this.at, this.at + 1);
      return;
    }
    const node: JsonNode = {
      kind,
      start: this.at,
      end: this.at + 1,
      ...(kind === 'object' ? { members: [] } : { items: [] }),
    };
    this.add(node);
    this.open.push(node);
    this.at++;
    this.expected = kind === 'object' ? 'key-or-end' : 'item-or-end';
  }

  private readValue(character: string): void {
    if (character === '{') return this.openContainer('object');
    if (character === '[') return this.openContainer('array');
    if (closingQuotes.has(character)) {
      this.add(this.readString());
      return this.finish(this.at);
    }
    number.lastIndex = wideNumber.lastIndex = word.lastIndex = this.at;
    if (number.test(this.source)) {
      const end = Math.min(this.limit, number.lastIndex);
      if (/[\w.]/.test(this.source.charAt(end)) && end < this.limit)
        return void this.fault('this is not a valid JSON number', this.at, end + 1);
      this.add({ kind: 'number', start: this.at, end });
      this.at = end;
      return this.finish(this.at);
    }
    const wide = wideNumber.exec(this.source)?.[0];
    const half = wide?.normalize('NFKC') ?? '';
    if (wide !== undefined && Number.isFinite(Number(half)) && !/^-?0\d/.test(half)) {
      const edit = { start: this.at, end: this.at + wide.length, newText: half };
      if (!this.fault(isFullWidth(wide, half), edit.start, edit.end, [edit])) return;
      this.add({ kind: 'number', start: edit.start, end: edit.end });
      this.at = edit.end;
      return this.finish(this.at);
    }
    const found = word.exec(this.source)?.[0];
    if (found === undefined) return this.unreadable('a value is expected here');
    const end = Math.min(this.limit, this.at + found.length);
    const meant = pythonLiterals.get(found);
    if (!literals.has(found)) {
      const edits = meant === undefined ? undefined : [{ start: this.at, end, newText: meant }];
      const what = meant === undefined ? `${found} is not a JSON value` : `${found} is written ${meant} in JSON`;
      if (!this.fault(what, this.at, end, edits)) return;
    }
    this.add({ kind: 'literal', start: this.at, end });
    this.at = end;
    this.finish(this.at);
  }

  private readKey(character: string): void {
    let key: JsonNode | undefined;
    if (closingQuotes.has(character)) key = this.readString();
    else {
      word.lastIndex = this.at;
      const found = word.exec(this.source)?.[0];
      if (found === undefined) return this.unreadable('a key in double quotes is expected here');
      const end = Math.min(this.limit, this.at + found.length);
      if (!this.fault('a key has no quotes', this.at, end, [{ start: this.at, end, newText: JSON.stringify(found) }]))
        return;
      key = { kind: 'string', start: this.at, end, text: found };
      this.at = end;
    }
    this.open.at(-1)?.members?.push({ key });
    this.expected = 'colon';
  }

  private close(character: string): void {
    const kind = character === '}' ? 'object' : 'array';
    const depth = this.open.findLastIndex((node) => node.kind === kind);
    if (depth < 0) return void this.fault(`${character} closes nothing`, this.at, this.at + 1);
    const missing = this.closersDownTo(depth + 1);
    if (
      missing !== '' &&
      !this.fault(`${missing} is missing before ${character}`, this.at, this.at + 1, [insert(this.at, missing)])
    )
      return;
    for (const node of this.open.splice(depth)) node.end = this.at + 1;
    this.at++;
    this.finish(this.at);
  }

  /** A character that nothing begins with: why, if that is plain, or what is expected in its place. */
  private unreadable(expected: string): void {
    const character = this.source.charAt(this.at);
    const half = character.normalize('NFKC');
    const isWide = half !== character && /^[-\d{}[\]",:]$/.test(half);
    const isComment = character === '#' || /^\/[/*]/.test(this.source.slice(this.at, this.at + 2));
    const what = isWide ? isFullWidth(character, half) : expected;
    this.fault(isComment ? 'JSON has no comments' : what, this.at, this.at + 1);
  }

  /** Puts text in the place of the next character. */
  private replace(newText: string): TextEdit {
    return { start: this.at, end: this.at + 1, newText };
  }

  private step(character: string): void {
    const closes = character === '}' || character === ']';
    const inObject = this.open.at(-1)?.kind === 'object';
    switch (this.expected) {
      case 'value':
      case 'key':
        // Only after a comma: a value in an object comes after its colon.
        if (closes && this.open.length > 0 && (this.expected === 'key' || !inObject)) {
          const edits = [{ start: this.comma, end: this.comma + 1, newText: '' }];
          if (this.fault(`there is a comma before ${character}`, this.comma, this.comma + 1, edits))
            this.close(character);
        } else if (this.expected === 'key') this.readKey(character);
        else this.readValue(character);
        return;
      case 'item-or-end':
        return closes ? this.close(character) : this.readValue(character);
      case 'key-or-end':
        return closes ? this.close(character) : this.readKey(character);
      case 'colon':
        if (
          character === '：' &&
          !this.fault('the colon is a full-width one', this.at, this.at + 1, [this.replace(':')])
        )
          return;
        if (character !== ':' && character !== '：') return this.unreadable('a colon is expected here');
        this.at++;
        this.expected = 'value';
        return;
      case 'comma-or-end':
        if (closes) return this.close(character);
        if (
          character === '，' &&
          !this.fault('the comma is a full-width one', this.at, this.at + 1, [this.replace(',')])
        )
          return;
        if (character === ',' || character === '，') this.comma = this.at++;
        else if (!closingQuotes.has(character) && character !== '{') {
          return this.unreadable('a comma or the end is expected here');
        } else if (!this.fault('a comma is missing', this.at, this.at + 1, [insert(this.valueEnd, ',')])) return;
        this.expected = inObject ? 'key' : 'value';
    }
  }
}

const isFullWidth = (found: string, half: string): string => `“${found}” is full-width, where “${half}” is needed`;

function insert(offset: number, newText: string): TextEdit {
  return { start: offset, end: offset, newText };
}

/** White space as JSON has it. */
export function isJsonSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
