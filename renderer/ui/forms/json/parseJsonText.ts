import { faultAt, findJsonFault, type JsonFault } from '../../../../src-core/base/findJsonFault.ts';
import type { JsonNode, JsonProperty } from './jsonNode.ts';

export type JsonParse = { ok: true; root: JsonNode } | { ok: false; problem: JsonFault };

const maxDepth = 200;
const numberAt = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

class Stop extends Error {}

/** Reads strict JSON (RFC 8259) with the place of every value, in one pass. */
export function parseJsonText(text: string): JsonParse {
  try {
    const reader = new Reader(text);
    return { ok: true, root: reader.whole() };
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    return { ok: false, problem: findJsonFault(text) ?? faultAt(text, 0, 'it is broken') };
  }
}

class Reader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  whole(): JsonNode {
    this.space();
    if (this.at === this.text.length) throw new Stop();
    const root = this.value(0);
    this.space();
    if (this.at < this.text.length) throw new Stop();
    return root;
  }

  private value(depth: number): JsonNode {
    if (depth > maxDepth) throw new Stop();
    const start = this.at;
    const character = this.text.charAt(start);
    if (character === '{') return this.object(depth);
    if (character === '[') return this.array(depth);
    if (character === '"') {
      const value = this.string();
      return { kind: 'string', value, start, end: this.at };
    }
    for (const [word, value] of [
      ['true', true],
      ['false', false],
      ['null', null],
    ] as const) {
      if (!this.text.startsWith(word, start)) continue;
      this.at += word.length;
      return { kind: 'word', value, start, end: this.at };
    }
    numberAt.lastIndex = start;
    const raw = numberAt.exec(this.text)?.[0];
    if (raw === undefined) throw new Stop();
    this.at += raw.length;
    return { kind: 'number', raw, start, end: this.at };
  }

  private object(depth: number): JsonNode {
    const start = this.at++;
    const properties: JsonProperty[] = [];
    this.space();
    while (this.text[this.at] !== '}') {
      if (properties.length > 0) this.comma('}');
      const keyStart = this.at;
      if (this.text[keyStart] !== '"') throw new Stop();
      const key = this.string();
      const keySpan = { start: keyStart, end: this.at };
      this.space();
      if (this.text[this.at] !== ':') throw new Stop();
      this.at += 1;
      this.space();
      const value = this.value(depth + 1);
      properties.push({ key, keySpan, value, start: keyStart, end: value.end });
      this.space();
    }
    this.at += 1;
    return { kind: 'object', properties, start, end: this.at };
  }

  private array(depth: number): JsonNode {
    const start = this.at++;
    const items: JsonNode[] = [];
    this.space();
    while (this.text[this.at] !== ']') {
      if (items.length > 0) this.comma(']');
      items.push(this.value(depth + 1));
      this.space();
    }
    this.at += 1;
    return { kind: 'array', items, start, end: this.at };
  }

  private comma(close: string): void {
    if (this.text[this.at] !== ',') throw new Stop();
    this.at += 1;
    this.space();
    if (this.text[this.at] === close) throw new Stop();
  }

  private string(): string {
    let value = '';
    let from = ++this.at;
    for (;;) {
      const character = this.text[this.at];
      if (character === undefined) throw new Stop();
      if (character < ' ') throw new Stop();
      if (character !== '"' && character !== '\\') {
        this.at += 1;
        continue;
      }
      value += this.text.slice(from, this.at);
      if (character === '"') {
        this.at += 1;
        return value;
      }
      value += this.escape();
      from = this.at;
    }
  }

  private escape(): string {
    const start = this.at;
    const letter = this.text.charAt(start + 1);
    if (letter === 'u') {
      const digits = this.text.slice(start + 2, start + 6);
      if (!/^[\dA-Fa-f]{4}$/.test(digits)) throw new Stop();
      this.at = start + 6;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const plain = escapes.get(letter);
    if (plain === undefined) throw new Stop();
    this.at = start + 2;
    return plain;
  }

  private space(): void {
    while (' \n\r\t'.includes(this.text.charAt(this.at)) && this.at < this.text.length) this.at += 1;
  }
}
