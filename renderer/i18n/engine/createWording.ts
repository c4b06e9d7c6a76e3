/**
 * Translations of the engine's sentences, by the engine's English text. `{0}`, `{1}` … are the values that the engine
 * fills in, in order; `{0!}` matches only an engine text. In a translation, `{0~}` is a part that is an engine text itself and is
 * translated too, and `{0、}` lists names and is written as a Chinese list. All other values stay unchanged: they may come from a device, a
 * model or a server.
 */
export type EngineTexts = Readonly<Record<string, string>>;

interface Pattern {
  /** The fixed parts; the values are between them. */
  parts: string[];
  translation: string;
  /** The pattern starts with whole engine sentences and adds to them: "{0~} Connecting again." */
  goesOn: boolean;
  /** The pattern ends with whole engine sentences: "The tool … failed to load. {1~}" */
  endsOpen: boolean;
  /** Indexes of values that are quoted “so”. */
  quoted: ReadonlySet<number>;
  /** Indexes of values that have to be engine texts. */
  ours: number[];
  /** Length of the fixed parts. The most specific pattern is tried first. */
  length: number;
}

/** Maximum UTF-16 code units of a text to translate. Longer texts are shown unchanged. */
const maxLength = 4_000;
const maxDepth = 4;
/** A passage quoted “so” is not split: it comes from a device or a server. A sentence also begins with `name: ` or with the file of a module. */
const sentenceEnd = /(?<=[.?!]) (?=[A-Z"]|[^\s:]+: |\S+\.m?[jt]s\b)(?![^“]*”)/;

/** Returns a function that translates engine texts by `texts` and leaves all others unchanged. */
export function createWording(texts: EngineTexts): (text: string) => string {
  const exact = new Map(Object.entries(texts));
  const patterns = [...exact].filter(([english]) => /\{\d+!?\}/.test(english)).map(toPattern);
  patterns.sort((a, b) => b.length - a.length || b.ours.length - a.ours.length);

  /** `oneSentence`: a value must not contain the end of a sentence, since the text after it is more likely the engine's. */
  function find(text: string, { depth, oneSentence }: { depth: number; oneSentence: boolean }): string | undefined {
    const known = exact.get(text);
    if (known !== undefined) return known;
    for (const { parts, translation, goesOn, endsOpen, quoted, ours } of patterns) {
      const values = match(text, parts);
      if (values === undefined) continue;
      const isLong = (value: string, at: number): boolean =>
        !(goesOn && at === 0) && !(endsOpen && at === values.length - 1) && !quoted.has(at) && sentenceEnd.test(value);
      if (oneSentence && values.some(isLong)) continue;
      // Several names in quotes are not one.
      if (values.some((value, at) => parts[at]?.endsWith('"') === true && value.includes('", "'))) continue;
      if (ours.some((at) => word(values[at] ?? '', depth + 1) === values[at])) continue;
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

  /** Translates several consecutive sentences if the first one is the engine's. */
  function bySentence(text: string, options: Parameters<typeof find>[1]): string | undefined {
    const [first = '', ...rest] = text.split(sentenceEnd);
    const begun = rest.length === 0 ? undefined : find(first, options);
    if (begun === undefined) return undefined;
    return rest.reduce((before, sentence) => {
      const found = find(sentence, options);
      return before + (found === undefined || /[.?!]$/.test(before) ? ' ' : '') + (found ?? sentence);
    }, begun);
  }

  return (text) => word(text, 0);
}

function toPattern([english, translation]: [string, string]): Pattern {
  const parts = english.split(/\{\d+!?\}/);
  const ours = [...english.matchAll(/\{(\d+)!\}/g)].map(([, at]) => Number(at));
  const goesOn = /^\{0!?\} [A-Z"{]/.test(english) && translation.includes('{0~}');
  const endsOpen = /[.?!] \{\d+\}$/.test(english) && translation.endsWith('~}');
  const quoted = new Set(
    parts.flatMap((part, at) => (part.endsWith('“') && parts[at + 1]?.startsWith('”') ? [at] : [])),
  );
  return { parts, translation, goesOn, endsOpen, quoted, ours, length: parts.join('').length };
}

/** Returns the values between the fixed parts, each part matched at its first occurrence; undefined if one is missing. */
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
  return translation.replaceAll(
    /\{(\d+)([~、]?)\}(。?)/g,
    (_, index: string, how: string, stop: string, at: number) => {
      const value = values[Number(index)] ?? '';
      if (how === '') return value + stop;
      const words = how === '、' ? listNames(value, word) : wordPart(value, word);
      const isSpaced = /^[\w"-]/.test(words) && /\p{Script=Han}$/u.test(translation.slice(0, at));
      // The translated sentence already ends with a full stop.
      return (isSpaced ? ' ' : '') + (stop === '' ? words : words.replace(/。$/, '')) + stop;
    },
  );
}

/** A sentence that another one goes on after has lost its full stop; a clause that ends one has got it. */
function wordPart(value: string, word: (value: string) => string): string {
  const words = word(value);
  if (words !== value) return words;
  if (!value.endsWith('.')) return word(`${value}.`).replace(/[.。]$/, '');
  const clause = value.slice(0, -1);
  const wordedClause = word(clause);
  return wordedClause === clause ? value : `${wordedClause}。`;
}

/** Converts the engine's list of names `a, b` or `"a", "b"` to `a、b` or `“a”、“b”`. */
function listNames(list: string, word: (value: string) => string): string {
  const names = list.split(list.includes('"') ? /(?<="), (?="|tool ")/ : ', ');
  return names.map((name) => (/^"[^"]*"$/.test(name) ? `“${name.slice(1, -1)}”` : word(name))).join('、');
}
