import { maximumJsonDepth } from '../../base/cloneJson.ts';
import type { TextEdit } from '../parse.ts';
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
/** The word is cut here: no word that JSON or a programming language has is longer. */
const word = /[A-Za-z_$][\w$-]{0,63}/y;
const literals: ReadonlySet<string> = new Set(['true', 'false', 'null']);
const pythonLiterals: ReadonlyMap<string, string> = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
]);

type Expected = 'value' | 'item-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end';

/**
 * Reads one JSON value with the places of all its parts. Never throws: what is not valid JSON is in `problems`, beside the part
 * of the value that was read. One pass without recursion; at most as deep as any value that can be sent.
 */
export function scanJson(source: string, { start, limit, strict }: ScanJsonOptions): JsonScan {
  const problems: JsonProblem[] = [];
  const open: JsonNode[] = [];
  let root: JsonNode | undefined;
  let expected: Expected = 'value';
  let at = start;
  let valueEnd = start;
  let comma = start;
  let lastString = -1;
  let stopped = false;

  /** Records a fault. True if reading can continue after it. */
  function fault(what: string, from: number, to: number, edits?: TextEdit[]): boolean {
    problems.push({ start: from, end: Math.min(limit, to), what, ...(edits !== undefined && { edits }) });
    stopped ||= strict || edits === undefined;
    return !stopped;
  }

  function add(node: JsonNode): void {
    const parent = open.at(-1);
    const member = parent?.members?.at(-1);
    if (parent === undefined) root = node;
    else if (member !== undefined) member.value = node;
    else parent.items?.push(node);
  }

  function readString(): JsonNode {
    lastString = at;
    if (strict && source.charAt(at) !== '"') {
      fault('a string stands in other quotes than "', at, at + 1);
      return { kind: 'string', start: at, end: at + 1, text: '' };
    }
    const string = scanString(source, { start: at, limit, strict });
    const node: JsonNode = { kind: 'string', start: at, end: string.end, text: string.text };
    const range = { start: at, end: string.end };
    if (source.charAt(at) !== '"') {
      const edits = string.closed ? [{ ...range, newText: JSON.stringify(string.text) }] : undefined;
      fault('a string stands in other quotes than "', at, string.end, edits);
    } else {
      for (const problem of string.problems) fault(problem.what, problem.start, problem.end, problem.edits);
      // The strict reading has stopped inside the string; the other one, at the text's end.
      if (!string.closed && !stopped) {
        fault('the text ends inside a string', at, limit, closeAll(string.end, '"'));
        stopped = true;
      }
    }
    at = string.end;
    return node;
  }

  /** The edits that close the text at its end, if it lacks nothing else. */
  function closeAll(end: number, quote = ''): TextEdit[] | undefined {
    const inObject = open.at(-1)?.kind === 'object';
    const closing = { start: end, end, newText: quote + closersDownTo(0) };
    if (quote !== '') return expected.startsWith('key') ? undefined : [closing];
    if (expected.endsWith('or-end')) return [closing];
    const afterComma = expected === 'key' || (expected === 'value' && open.length > 0 && !inObject);
    return afterComma ? [{ start: comma, end: comma + 1, newText: '' }, closing] : undefined;
  }

  function closersDownTo(depth: number): string {
    let closers = '';
    for (let index = open.length - 1; index >= depth; index--) closers += open[index]?.kind === 'object' ? '}' : ']';
    return closers;
  }

  function finish(end: number): void {
    valueEnd = end;
    expected = 'comma-or-end';
  }

  function openContainer(kind: 'object' | 'array'): void {
    if (open.length >= maximumJsonDepth) {
      fault(`it is nested more than ${maximumJsonDepth} levels deep`, at, at + 1);
      return;
    }
    const node: JsonNode = { kind, start: at, end: at + 1, ...(kind === 'object' ? { members: [] } : { items: [] }) };
    add(node);
    open.push(node);
    at++;
    expected = kind === 'object' ? 'key-or-end' : 'item-or-end';
  }

  function readValue(character: string): void {
    if (character === '{') return openContainer('object');
    if (character === '[') return openContainer('array');
    if (closingQuotes.has(character)) {
      add(readString());
      return finish(at);
    }
    number.lastIndex = word.lastIndex = at;
    const digits = number.exec(source)?.[0];
    if (digits !== undefined) {
      const end = Math.min(limit, at + digits.length);
      if (/[\w.]/.test(source.charAt(end)) && end < limit)
        return void fault('this is not a valid JSON number', at, end + 1);
      add({ kind: 'number', start: at, end });
      at = end;
      return finish(at);
    }
    const found = word.exec(source)?.[0];
    if (found === undefined) return void fault('a value is expected here', at, at + 1);
    const end = Math.min(limit, at + found.length);
    const meant = pythonLiterals.get(found);
    if (!literals.has(found)) {
      const edits = meant === undefined ? undefined : [{ start: at, end, newText: meant }];
      const what = meant === undefined ? `${found} is no value of JSON` : `${found} is written ${meant} in JSON`;
      if (!fault(what, at, end, edits)) return;
    }
    add({ kind: 'literal', start: at, end });
    at = end;
    finish(at);
  }

  function readKey(character: string): void {
    let key: JsonNode | undefined;
    if (closingQuotes.has(character)) key = readString();
    else {
      word.lastIndex = at;
      const found = word.exec(source)?.[0];
      if (found === undefined) return void fault('a key in double quotes is expected here', at, at + 1);
      const end = Math.min(limit, at + found.length);
      if (!fault('a key stands without quotes', at, end, [{ start: at, end, newText: JSON.stringify(found) }])) return;
      key = { kind: 'string', start: at, end, text: found };
      at = end;
    }
    open.at(-1)?.members?.push({ key });
    expected = 'colon';
  }

  function close(character: string): void {
    const kind = character === '}' ? 'object' : 'array';
    const depth = open.findLastIndex((node) => node.kind === kind);
    if (depth < 0) return void fault(`${character} closes nothing`, at, at + 1);
    const missing = closersDownTo(depth + 1);
    if (missing !== '' && !fault(`${missing} is missing before ${character}`, at, at + 1, [insert(at, missing)]))
      return;
    for (const node of open.splice(depth)) node.end = at + 1;
    at++;
    finish(at);
  }

  const insert = (offset: number, newText: string): TextEdit => ({ start: offset, end: offset, newText });

  function step(character: string): void {
    const closes = character === '}' || character === ']';
    const inObject = open.at(-1)?.kind === 'object';
    switch (expected) {
      case 'value':
      case 'key':
        // Only after a comma: a value in an object comes after its colon.
        if (closes && open.length > 0 && (expected === 'key' || !inObject)) {
          const edits = [{ start: comma, end: comma + 1, newText: '' }];
          if (fault(`a comma stands before ${character}`, comma, comma + 1, edits)) close(character);
        } else if (expected === 'key') readKey(character);
        else readValue(character);
        return;
      case 'item-or-end':
        return closes ? close(character) : readValue(character);
      case 'key-or-end':
        return closes ? close(character) : readKey(character);
      case 'colon':
        if (character === '：' && !fault('the colon is a full-width one', at, at + 1, [replace(':')])) return;
        if (character !== ':' && character !== '：') return void fault('a colon is expected here', at, at + 1);
        at++;
        expected = 'value';
        return;
      case 'comma-or-end':
        if (closes) return close(character);
        if (character === '，' && !fault('the comma is a full-width one', at, at + 1, [replace(',')])) return;
        if (character === ',' || character === '，') comma = at++;
        else if (!closingQuotes.has(character) && character !== '{') {
          return void fault('a comma or the end is expected here', at, at + 1);
        } else if (!fault('a comma is missing', at, at + 1, [insert(valueEnd, ',')])) return;
        expected = inObject ? 'key' : 'value';
    }
  }

  const replace = (newText: string): TextEdit => ({ start: at, end: at + 1, newText });

  while (!stopped) {
    const from = at;
    while (at < limit && isJsonSpace(source.charCodeAt(at))) at++;
    if (at >= limit) {
      fault('the text ends before the JSON does', valueEnd, limit, closeAll(from));
      break;
    }
    step(source.charAt(at));
    if (open.length === 0 && root !== undefined && !stopped) break;
  }
  for (const node of open) node.end = Math.max(node.end, at);
  const resume = problems.length === 0 ? at : Math.max(start + 1, lastString < start ? at : lastString + 1);
  return { end: Math.max(at, start + 1), problems, resume, ...(root !== undefined && { root }) };
}

/** White space as JSON has it. */
export function isJsonSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
