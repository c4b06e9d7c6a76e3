import { isKeyCharacter, isSpace } from '../characters.ts';
import { Finder, nowhere, type SearchedText } from '../finder.ts';
import type { HostField } from './hostReading.ts';
import { stripText } from './strippedText.ts';
import type { TextRange } from '../../../base/replyTypes.ts';

/** A field as AIO Hub finds it, with the text it takes for the value. */
export interface AioHubField extends HostField {
  value: string;
  /** Taken up although its closing fence is missing. */
  recovered: boolean;
}

/** The fields of a body, and the text after the last of them that is no field: the host rejects the call for it. */
export interface AioHubBody {
  fields: AioHubField[];
  rest: TextRange | undefined;
}

/**
 * The fields of a body, in the order in which AIO Hub finds them: those with tagged fences first, then the plain ones
 * in what is left, then one that is not closed after the last of those.
 */
export function readAioHubFields(
  text: string,
  { bodyStart, bodyEnd }: { bodyStart: number; bodyEnd: number },
): AioHubBody {
  const body = text.slice(bodyStart, bodyEnd);
  const tagged = readFields(body, taggedTags);
  const left = stripText(
    body,
    tagged.map(({ keyStart, end }) => ({ start: keyStart, end })),
  );
  const plain = readFields(left.text, plainTags);
  const open = readOpenField(left.text, plain.at(-1)?.end ?? 0);
  const inBody = [...plain, ...(open === undefined ? [] : [open])].map((field) => ({
    ...field,
    keyStart: left.toSource(field.keyStart),
    keyEnd: left.toSourceEnd(field.keyEnd),
    valueStart: left.toSourceEnd(field.valueStart),
    valueEnd: left.toSource(field.valueEnd),
    end: left.toSourceEnd(field.end),
  }));
  const rest = open === undefined ? restAfter(left.text, plain.at(-1)?.end ?? 0) : undefined;
  return {
    fields: [...tagged, ...inBody].map((field) => shift(field, bodyStart)),
    rest: rest && { start: bodyStart + left.toSource(rest.start), end: bodyStart + left.toSourceEnd(rest.end) },
  };
}

/** What follows without the commas and blanks around it; undefined if it is nothing else, or has the start of a value. */
function restAfter(text: string, from: number): TextRange | undefined {
  const isBetween = (at: number): boolean => isSpace(text.charCodeAt(at)) || ',，'.includes(text.charAt(at));
  let start = from;
  while (start < text.length && isBetween(start)) start++;
  let end = text.length;
  while (end > start && isBetween(end - 1)) end--;
  return start < end && !text.includes('「始', start) ? { start, end } : undefined;
}

const taggedTags = ['ESCAPE', 'exp'];
const plainTags = [''];

function readFields(text: string, tags: readonly string[]): AioHubField[] {
  const window = { text, base: 0, end: text.length };
  const begin = new Finder('「始');
  const closers = new Map(tags.map((tag) => [tag, new Finder(`「末${tag}」`)]));
  const fields: AioHubField[] = [];
  let floor = 0;
  for (let at = begin.find(window, 0); at !== nowhere; at = begin.find(window, at + 1)) {
    const opener = readOpener(window, at, tags);
    const key = opener === undefined ? undefined : keyBefore(text, at, floor);
    if (opener === undefined || key === undefined) continue;
    const close = closers.get(opener.tag)?.find(window, opener.end) ?? nowhere;
    if (close === nowhere) continue;
    const end = close + `「末${opener.tag}」`.length;
    const value = text.slice(opener.end, close);
    fields.push({
      ...key,
      valueStart: opener.end,
      valueEnd: close,
      end,
      escaped: opener.tag !== '',
      value,
      recovered: false,
    });
    floor = end;
    at = end - 1;
  }
  return fields;
}

/** A field after `from` whose value is not closed: all the rest is its value. */
function readOpenField(text: string, from: number): AioHubField | undefined {
  const window = { text, base: 0, end: text.length };
  const begin = new Finder('「始');
  for (let at = begin.find(window, from); at !== nowhere; at = begin.find(window, at + 1)) {
    const opener = readOpener(window, at, [...taggedTags, '']);
    const key = opener === undefined ? undefined : keyBefore(text, at, from);
    if (opener === undefined || key === undefined) continue;
    const value = text.slice(opener.end).trim();
    const end = text.length;
    return { ...key, valueStart: opener.end, valueEnd: end, end, escaped: opener.tag !== '', value, recovered: true };
  }
  return undefined;
}

function readOpener(
  { text }: SearchedText,
  at: number,
  tags: readonly string[],
): { tag: string; end: number } | undefined {
  const tag = tags.find((word) => text.startsWith(`${word}」`, at + 2));
  return tag === undefined ? undefined : { tag, end: at + 3 + tag.length };
}

/** The key must touch the colon; blanks may stand only after it. */
function keyBefore(
  text: string,
  fence: number,
  floor: number,
): { key: string; keyStart: number; keyEnd: number } | undefined {
  let i = fence - 1;
  while (i >= floor && isSpace(text.charCodeAt(i))) i--;
  const keyEnd = i;
  const colon = i >= floor && text[i] === ':';
  if (colon) {
    i--;
    while (i >= floor && isKeyCharacter(text.charCodeAt(i))) i--;
  }
  const keyStart = i + 1;
  return colon && keyStart < keyEnd ? { key: text.slice(keyStart, keyEnd), keyStart, keyEnd } : undefined;
}

function shift(field: AioHubField, by: number): AioHubField {
  return {
    ...field,
    keyStart: field.keyStart + by,
    keyEnd: field.keyEnd + by,
    valueStart: field.valueStart + by,
    valueEnd: field.valueEnd + by,
    end: field.end + by,
  };
}
