/** Ends in Chinese and Japanese, wherever they stand; a colon or comma is none. */
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
 * Where the first sentence of a text ends: the index behind it. Undefined where none has ended as far as can be told;
 * `more` says that text may follow, and then an end is one only when the next character is known.
 */
export function sentenceEnd(text: string, { more }: { more: boolean }): number | undefined {
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '\n') {
      if (text.slice(0, at).trim() !== '') return at + 1;
      continue;
    }
    if (!wideEnds.includes(sign) && !latinEnds.includes(sign)) continue;
    const end = skip(text, skip(text, at, wideEnds + latinEnds), closers);
    if (end === text.length && more) return undefined;
    const run = text.slice(at, end);
    const verdict = /[。！？；]/.test(run) ? 'end' : latinVerdict(text, { at, end, run, more });
    if (verdict === 'end') return end;
    if (verdict === 'unknown') return undefined;
    at = end - 1;
  }
  return undefined;
}

interface Place {
  /** Where the signs begin, and where what belongs to them ends. */
  at: number;
  end: number;
  run: string;
  more: boolean;
}

function latinVerdict(text: string, { at, end, run, more }: Place): 'end' | 'no' | 'unknown' {
  if (end === text.length) return 'end';
  const next = text.charAt(end);
  if (!/\s/.test(next)) {
    // "3.14", "example.com", "Yes!No": a letter of another kind begins something new, one of the same kind does not.
    return isWide(next) || run.startsWith('…') ? 'end' : 'no';
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
