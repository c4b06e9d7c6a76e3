import { isSpace } from '../characters.ts';
import { Finder, nowhere, type SearchedText } from '../finder.ts';
import type { TextRange } from '../../../base/replyTypes.ts';
import type { HostField } from './hostReading.ts';

/** Reads the fields of a body that starts at `bodyStart` and ends at `bodyEnd`. A value reaches to the first 「末」. */
export function readVcpToolboxFields(
  text: string,
  { bodyStart, bodyEnd, fuzzy }: { bodyStart: number; bodyEnd: number; fuzzy: boolean },
): HostField[] {
  const window = { text: text.slice(bodyStart, bodyEnd), base: bodyStart, end: bodyEnd };
  const begin = new Finder('始');
  const closers = { plain: new CloserFinder(window, false, fuzzy), escaped: new CloserFinder(window, true, fuzzy) };
  const fields: HostField[] = [];
  let floor = bodyStart;
  for (let at = begin.find(window, floor); at !== nowhere; at = begin.find(window, at)) {
    const opener = readFence(window, at, fuzzy);
    if (opener === undefined) {
      at++;
      continue;
    }
    const key = keyBefore(text, opener.start, floor);
    const close = key === undefined ? undefined : closers[opener.escaped ? 'escaped' : 'plain'].find(opener.end);
    if (key === undefined || close === undefined) {
      at = opener.end;
      continue;
    }
    fields.push({ ...key, valueStart: opener.end, valueEnd: close.start, end: close.end, escaped: opener.escaped });
    floor = at = close.end;
  }
  return fields;
}

/** Finds closing fences of one kind, forwards only. */
class CloserFinder {
  private readonly finish = new Finder('末');
  private found: { start: number; end: number } | undefined;
  private readonly window: SearchedText;
  private readonly escaped: boolean;
  private readonly fuzzy: boolean;

  constructor(window: SearchedText, escaped: boolean, fuzzy: boolean) {
    this.window = window;
    this.escaped = escaped;
    this.fuzzy = fuzzy;
  }

  find(from: number): TextRange | undefined {
    const { window, finish } = this;
    if (this.found !== undefined && this.found.start >= from) return this.found;
    for (let at = finish.find(window, from); at !== nowhere; at = finish.find(window, at + 1)) {
      const fence = readFence(window, at, this.fuzzy);
      if (fence?.escaped === this.escaped && fence.start >= from) return (this.found = fence);
    }
    return undefined;
  }
}

function keyBefore(
  text: string,
  fence: number,
  floor: number,
): { key: string; keyStart: number; keyEnd: number } | undefined {
  let i = fence - 1;
  while (i >= floor && isSpace(text.charCodeAt(i))) i--;
  const colon = i >= floor && text[i] === ':';
  if (colon) {
    i--;
    while (i >= floor && isSpace(text.charCodeAt(i))) i--;
  }
  const keyEnd = i + 1;
  if (colon) while (i >= floor && isWord(text.charCodeAt(i))) i--;
  const keyStart = i + 1;
  return colon && keyStart < keyEnd ? { key: text.slice(keyStart, keyEnd), keyStart, keyEnd } : undefined;
}

/** The fence around 始 or 末 at `at`: 「始」 or 「始ESCAPE」; in the fuzzy reading also braces and `exp`. */
function readFence(
  { text, base, end }: SearchedText,
  offset: number,
  fuzzy: boolean,
): { start: number; end: number; escaped: boolean } | undefined {
  const at = offset - base;
  const left = text[at - 1];
  if (left !== '「' && !(fuzzy && left === '{')) return undefined;
  let close = at + 1;
  while (close < text.length && close - at < 8 && isWord(text.charCodeAt(close))) close++;
  const right = text[close];
  if (offset >= end || (right !== '」' && !(fuzzy && right === '}'))) return undefined;
  const word = text.slice(at + 1, close).toUpperCase();
  const escaped = word === 'ESCAPE';
  if (word !== '' && !escaped && !(fuzzy && word === 'EXP')) return undefined;
  return { start: at - 1 + base, end: close + 1 + base, escaped };
}

function isWord(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code === 0x5f
  );
}
