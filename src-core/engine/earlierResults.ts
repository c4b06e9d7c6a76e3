import { onlyReads } from '../tools/dangerousTools.ts';
import type { JsonObject, JsonValue } from '../tools/json.ts';

/** A model's call, resolved to the method that it means. */
export interface CallToCompare {
  toolId: string;
  methodName: string;
  args: JsonObject;
}

/**
 * The words of earlier tool results. A model that calls what a result told it to call may be steered by that tool, so
 * such a call asks the user first.
 */
export interface EarlierResults {
  /** Reads a result once, in linear time. `toolName` is the tool that it came from. */
  add(toolName: string, text: string): void;
  /** Why a call must be confirmed, in a sentence; `undefined` if no earlier result contains it. */
  suspicionOf(call: CallToCompare): string | undefined;
}

/** Characters of results that are kept; the oldest results are dropped first. */
export const maxKeptResults = 1_048_576;
/** Words of a call that are compared. */
const maxWords = 2_000;

/** Members of a written call. A name of one word, such as `play`, counts as a call only next to one of them. */
const callMarks = ['tool_name', 'tool_call', 'command', 'method', 'arguments'];

interface ReadResult {
  toolName: string;
  length: number;
  words: ReadonlySet<string>;
}

/** Makes an empty list of results. */
export function createEarlierResults(): EarlierResults {
  const results: ReadResult[] = [];
  let kept = 0;
  return {
    add(toolName, text) {
      const read = text.slice(0, maxKeptResults);
      results.push({ toolName, length: read.length, words: new Set(wordsOfResult(read)) });
      kept += read.length;
      while (kept > maxKeptResults) kept -= results.shift()?.length ?? kept;
    },
    suspicionOf({ toolId, methodName, args }) {
      const values = wordsOfValue(args);
      if (values.length === 0 && onlyReads(methodName)) return undefined;
      const method = nameOf(methodName);
      const whole = nameOf(`${toolId}_${methodName}`);
      const apart = [...wordsOf(fold(toolId)), ...wordsOf(fold(methodName))];
      const isNamed = ({ words }: ReadResult): boolean =>
        words.has(whole) ||
        (method.includes('_') && words.has(method)) ||
        (callMarks.some((mark) => words.has(mark)) && apart.every((word) => words.has(word)));
      const found = results.find((result) => isNamed(result) && values.every((word) => result.words.has(word)));
      return (
        found &&
        `This call's text occurs in an earlier result of "${found.toolName}": the tool may be steering the model.`
      );
    },
  };
}

/** A name however it is spelled: `self.light.on`, `self_light_on`. */
function nameOf(name: string): string {
  return fold(name).replace(/[^\p{L}\p{N}]+/gu, '_');
}

/** Names as a whole, and single words; with and without the escapes of JSON decoded. */
function* wordsOfResult(text: string): Generator<string> {
  const decoded = text
    .replace(/(?<!\\)\\+u([0-9a-f]{4})/gi, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/(?<!\\)\\+[nrtbf]/g, ' ');
  for (const each of decoded === text ? [text] : [text, decoded]) {
    const folded = fold(each);
    // The repetition may match nothing: with + a long word would be tried from each of its letters.
    for (const [name] of folded.matchAll(/[\p{L}\p{N}]+(?:[._/-]+[\p{L}\p{N}]+)*/gu)) yield nameOf(name);
    yield* wordsOf(folded);
  }
}

function wordsOfValue(value: JsonValue): string[] {
  const words: string[] = [];
  const waiting: JsonValue[] = [value];
  for (let next = waiting.pop(); next !== undefined && words.length < maxWords; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) {
      for (const word of wordsOf(fold(String(next)))) if (words.push(word) >= maxWords) break;
    } else waiting.push(...Object.values(next));
  }
  return words;
}

function fold(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}+/gu, '')
    .toLowerCase();
}

/** Letters and digits; each Chinese character is a word, as Chinese has no spaces. */
function* wordsOf(folded: string): Generator<string> {
  for (const [word] of folded.matchAll(/\p{Script=Han}|[^\P{L}\p{Script=Han}]+|\p{N}+/gu)) yield word;
}
