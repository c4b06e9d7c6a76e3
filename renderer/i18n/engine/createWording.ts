/**
 * The engine's sentences in another language, by the engine's own English. `{0}`, `{1}` … stand for what the engine fills in,
 * in its order; `{0~}` in the translation: that part is the engine's own, too, and is worded in turn; `{0、}`: it lists names, and
 * is written as a Chinese list. All else stays as it is: it may be what a device, a model or a server said.
 */
export type EngineTexts = Readonly<Record<string, string>>;

interface Pattern {
  /** The fixed parts, what is filled in between them. */
  parts: string[];
  translation: string;
  /** Sentences of ours come first, and something more is said of them: "{0~} Connecting again." */
  goesOn: boolean;
  /** Values that are quoted “so”. */
  quoted: ReadonlySet<number>;
  /** Of the fixed parts: what is most exact goes first. */
  length: number;
}

/** Texts past this are shown as they are, UTF-16 code units. */
const maxLength = 4_000;
const maxDepth = 4;
/** What is quoted “so” is one piece: a device or a server said it. */
const sentenceEnd = /(?<=[.?!]) (?=[A-Z"])(?![^“]*”)/;

/** Words engine texts with `texts`; what is none of them stays as it is. */
export function createWording(texts: EngineTexts): (text: string) => string {
  const exact = new Map(Object.entries(texts));
  const patterns = [...exact].filter(([english]) => /\{\d+\}/.test(english)).map(toPattern);
  patterns.sort((a, b) => b.length - a.length);

  /** `oneSentence`: what is filled in holds no end of a sentence; what comes behind one is more likely ours. */
  function find(text: string, { depth, oneSentence }: { depth: number; oneSentence: boolean }): string | undefined {
    const known = exact.get(text);
    if (known !== undefined) return known;
    for (const { parts, translation, goesOn, quoted } of patterns) {
      const values = match(text, parts);
      if (values === undefined) continue;
      const isLong = (value: string, at: number): boolean =>
        !(goesOn && at === 0) && !quoted.has(at) && sentenceEnd.test(value);
      if (oneSentence && values.some(isLong)) continue;
      return fill(translation, values, (value) => word(value, depth + 1));
    }
    return undefined;
  }

  function word(text: string, depth: number): string {
    if (text.length > maxLength || depth > maxDepth) return text;
    const oneSentence = { depth, oneSentence: true };
    return (
      find(text, oneSentence) ?? bySentence(text, oneSentence) ?? find(text, { depth, oneSentence: false }) ?? text
    );
  }

  /** Several sentences one after the other, of which the first is ours. */
  function bySentence(text: string, options: Parameters<typeof find>[1]): string | undefined {
    const [first = '', ...rest] = text.split(sentenceEnd);
    const begun = rest.length === 0 ? undefined : find(first, options);
    if (begun === undefined) return undefined;
    return begun + rest.map((sentence) => find(sentence, options) ?? ` ${sentence}`).join('');
  }

  return (text) => word(text, 0);
}

function toPattern([english, translation]: [string, string]): Pattern {
  const parts = english.split(/\{\d+\}/);
  const goesOn = /^\{0\} [A-Z"{]/.test(english) && translation.includes('{0~}');
  const quoted = new Set(
    parts.flatMap((part, at) => (part.endsWith('“') && parts[at + 1]?.startsWith('”') ? [at] : [])),
  );
  return { parts, translation, goesOn, quoted, length: parts.join('').length };
}

/** What stands between the fixed parts, each taken where it comes first; undefined where they are not all there. */
function match(text: string, parts: readonly string[]): string[] | undefined {
  const [begin = '', ...others] = parts;
  const end = others.pop() ?? '';
  if (!text.startsWith(begin) || !text.endsWith(end)) return undefined;
  const last = text.length - end.length;
  const values: string[] = [];
  let at = begin.length;
  for (const part of others) {
    const next = text.indexOf(part, at);
    if (next < 0) return undefined;
    values.push(text.slice(at, next));
    at = next + part.length;
  }
  if (at > last) return undefined;
  return [...values, text.slice(at, last)];
}

function fill(translation: string, values: readonly string[], word: (value: string) => string): string {
  return translation.replaceAll(/\{(\d+)([~、]?)\}/g, (_, index: string, how: string) => {
    const value = values[Number(index)] ?? '';
    if (how === '、') return listNames(value, word);
    return how === '' ? value : word(value);
  });
}

/** Names that the engine lists as `a, b` or `"a", "b"`, as `a、b` or `“a”、“b”`. */
function listNames(list: string, word: (value: string) => string): string {
  const names = list.split(list.includes('"') ? /(?<="), (?="|tool ")/ : ', ');
  return names.map((name) => (/^"[^"]*"$/.test(name) ? `“${name.slice(1, -1)}”` : word(name))).join('、');
}
