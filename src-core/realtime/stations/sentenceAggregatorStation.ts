import { ChunkType, TextChunk, type AnyChunk } from '../chunks.ts';
import { realtimeLimits } from '../limits.ts';
import { Station } from './station.ts';

const pauses = [...'，、：,:; '];
const ends: readonly ChunkType[] = [
  ChunkType.EVENT_RESPONSE_END,
  ChunkType.EVENT_RESPONSE_START,
  ChunkType.EVENT_REALTIME_DISCONNECTED,
];

/**
 * Joins the parts of what the model says to sentences, for devices that take no parts (docs/protocols/realtime.md#chunks): `TEXT_DELTA` in,
 * `TEXT` out, at most 400 characters each. Everything else passes at once; the begin and the end of a response, and the loss
 * of the connection, behind the words that came before them.
 */
export class SentenceAggregatorStation extends Station {
  #text = '';
  #responseId: string | undefined;

  override process(chunk: AnyChunk): Promise<void> {
    if (chunk.type === ChunkType.TEXT_DELTA && chunk.source === 'bot') {
      if (chunk.responseId !== this.#responseId) this.#flush();
      this.#responseId = chunk.responseId;
      this.#text += chunk.data;
      this.#takeSentences({ more: true });
      return Promise.resolve();
    }
    if (ends.includes(chunk.type)) this.#flush();
    this.push(chunk);
    return Promise.resolve();
  }

  #takeSentences({ more }: { more: boolean }): void {
    for (;;) {
      // Of a long piece no more is looked at than of one that came sign by sign: the sentences are the same.
      const start = this.#text.slice(0, realtimeLimits.sentenceCharacters + 1);
      const end = sentenceEnd(start, { more: more || start.length < this.#text.length }) ?? this.#forcedEnd();
      if (end === undefined) return;
      this.#push(this.#text.slice(0, end));
      this.#text = this.#text.slice(end);
    }
  }

  /** A sentence without an end is cut at its last pause, or anywhere between two characters. */
  #forcedEnd(): number | undefined {
    const limit = realtimeLimits.sentenceCharacters;
    if (this.#text.length <= limit) return undefined;
    const start = this.#text.slice(0, limit);
    const pause = Math.max(...pauses.map((sign) => start.lastIndexOf(sign)));
    if (pause > 0) return pause + 1;
    return /[\uD800-\uDBFF]$/.test(start) ? limit - 1 : limit;
  }

  #flush(): void {
    this.#takeSentences({ more: false });
    this.#push(this.#text);
    this.#text = '';
  }

  #push(text: string): void {
    const data = text.trim();
    if (data !== '') this.push(new TextChunk({ data, source: 'bot', responseId: this.#responseId }));
  }
}

/** Sentence ends in Chinese and Japanese, in any position; a colon or comma is not one. */
const wideEnds = '。！？；…';
const latinEnds = '.!?';
const closers = '”’"\'」』）)】》]';

/** Words that a full stop belongs to, in lower case. */
const abbreviations = new Set(
  'mr mrs ms dr prof st mt gen col lt sgt rev hon jr sr vs no nr fig vol pp approx inc ltd dept est e.g i.e z.b d.h u.a bzw'.split(
    ' ',
  ),
);

/**
 * Where the first sentence of a text ends: the index behind it. Undefined if none has certainly ended. `more` says that
 * text may follow: an end then counts only when the next character is known.
 */
function sentenceEnd(text: string, { more }: { more: boolean }): number | undefined {
  for (let at = next(text, 0); at >= 0; at = next(text, at)) {
    if (text.charAt(at) === '\n') {
      if (/\S/.test(text.slice(0, at))) return at + 1;
      at = skip(text, at, '\n');
      continue;
    }
    const end = skip(text, skip(text, at, wideEnds + latinEnds), closers);
    if (end === text.length && more) return undefined;
    const run = text.slice(at, end);
    const verdict = /[。！？；]/.test(run) ? 'end' : latinVerdict(text, { at, end, run, more });
    if (verdict === 'end') return end;
    if (verdict === 'unknown') return undefined;
    at = end;
  }
  return undefined;
}

/**
 * The next sign from there on that may end a sentence; -1 if there is none. A single search, as it runs for each sign
 * of a long text.
 */
function next(text: string, from: number): number {
  const signs = /[\n。！？；….!?]/g;
  signs.lastIndex = from;
  return signs.exec(text)?.index ?? -1;
}

interface Place {
  /** Start of the signs, and end of what belongs to them. */
  at: number;
  end: number;
  run: string;
  more: boolean;
}

function latinVerdict(text: string, { at, end, run, more }: Place): 'end' | 'no' | 'unknown' {
  if (end === text.length) return 'end';
  const behind = text.charAt(end);
  if (!/\s/.test(behind)) {
    // "3.14", "example.com", "Yes!No": a letter of another kind begins something new, one of the same kind does not.
    return isWide(behind) || run.startsWith('…') ? 'end' : 'no';
  }
  const following = text.slice(end).trimStart();
  if (following === '' && more) return 'unknown';
  // "Well... maybe", "What?" she said, 5 p.m. today.
  if (/^\p{Ll}/u.test(following)) return 'no';
  return run === '.' && belongsToWord(text.slice(0, at)) ? 'no' : 'end';
}

/** "Dr.", "J.", "e.g.", and the "1." of a list. */
function belongsToWord(before: string): boolean {
  if (/^\s*\d{1,3}$/.test(before)) return true;
  const word = /[\p{L}.]+$/u.exec(before.slice(-20))?.[0] ?? '';
  return abbreviations.has(word.toLowerCase()) || (/^\p{Lu}$/u.test(word) && word !== 'I');
}

function skip(text: string, from: number, signs: string): number {
  let at = from;
  while (at < text.length && signs.includes(text.charAt(at))) at += 1;
  return at;
}

function isWide(sign: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}“‘「『（【《]/u.test(sign);
}
