/**
 * The one list of characters that a reader does not see, or that change how others are shown. Imports nothing, so that the
 * page can import it.
 */
const controls = '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f';
const tabsAndLineBreaks = '\\t\\n\\r';
/** Separators of lines and paragraphs, and marks that embed, override or isolate a reading direction. */
const reordering = '\\u2028-\\u202e\\u2066-\\u206f';
/** Marks of a reading direction. */
const marks = '\\u061c\\u200e\\u200f';
/** Characters without a width that join nothing. */
const widthless = '\\u200b\\u2060-\\u2065\\ufeff';
/** Joiners, which emoji and several scripts need; soft hyphens, fillers, tags and selectors of variants beyond those of emoji. */
const shapeless =
  '\\u00ad\\u034f\\u115f\\u1160\\u180e\\u200c\\u200d\\u3164\\uffa0\\u180b-\\u180d\\u2800\\ufff9-\\ufffb\\u{e0000}-\\u{e01ef}';

/** A selector of variants that selects nothing: it follows a Latin letter, a space or another selector. */
const idleSelector = '(?<=[A-Za-z \\ufe00-\\ufe0f])[\\ufe00-\\ufe0f]';
const tags = '\\u{e0000}-\\u{e007f}';
/** Letters of scripts that join letters or separate them, and of those that are written from the right. */
const joiningLetters = '\\u0600-\\u0dff\\u1000-\\u109f\\u1780-\\u18af';
const rightToLeft = '\\u0590-\\u061b\\u061d-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc';
/** The flags of England, Scotland and Wales. */
const flag =
  '\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}';
/** Hidden characters in their proper use, with the visible ones that they belong to. */
const properUses = [
  flag,
  '[\\p{Extended_Pictographic}\\ufe0f\\u{1f3fb}-\\u{1f3ff}]\\u200d(?=\\p{Extended_Pictographic})',
  `[${joiningLetters}][\\u180b-\\u180e\\u200c\\u200d](?![\\u180b-\\u180e\\u200c\\u200d])`,
  '\\p{Script=Han}[\\u{e0100}-\\u{e01ef}]',
  `[${rightToLeft}][\\s\\p{P}\\p{N}]{0,3}[${marks}](?![${marks}])`,
  `[${marks}](?=[${rightToLeft}])`,
].join('|');

const inName = new RegExp(`[${controls}${reordering}${marks}${widthless}${shapeless}]|${idleSelector}`, 'gu');
const inText = new RegExp(`(?<proper>${properUses})|${inName.source}`, 'gu');
const inNameOfOneLine = new RegExp(`[${tabsAndLineBreaks}]|${inName.source}`, 'gu');
const inProse = new RegExp(`[${controls}${reordering}]`, 'gu');
const inTerminal = new RegExp(`${flag}|(?!\\r\\n)[${controls}\\r${reordering}${marks}${widthless}${tags}]`, 'gu');
const inLine = new RegExp(`[${controls}${tabsAndLineBreaks}${reordering}]+`, 'gu');

/**
 * A text of a device, model or page with each hidden character written as its code, such as `\u202e`, so that it cannot
 * reorder or hide the words around it. Used for names and for what a question shows before the user decides. Tabs and line
 * breaks stay.
 */
export function visibleText(text: string): string {
  return text.replace(inName, codeOf);
}

/** Like `visibleText`, for a name on one line: tabs and line breaks are replaced by codes, too. */
export function visibleLine(text: string): string {
  return text.replace(inNameOfOneLine, codeOf);
}

/**
 * The body of a result or reply with each control character and each mark that changes the reading direction written as its
 * code. Joiners stay, since emoji and words of several languages consist of them.
 */
export function visibleProse(text: string): string {
  return text.replace(inProse, codeOf);
}

/**
 * Text that a terminal shows as it is: control characters, and characters that reorder or hide text, become `\uXXXX`,
 * except tabs and line breaks. JSON text keeps its value, since such characters occur in its strings only.
 */
export function escapeControls(text: string): string {
  return text.replace(inTerminal, (found) => (found.length > 2 ? found : found.replaceAll(/[^]/g, codeOf)));
}

/** Text in one line: a space for each run of line breaks, control characters and marks that change the reading direction. */
export function oneLine(text: string): string {
  return text.replace(inLine, ' ');
}

/** Abbreviations of the Unicode standard. */
const hiddenNames: Readonly<Record<string, string>> = {
  '\u00ad': 'SHY',
  '\u061c': 'ALM',
  '\u200b': 'ZWSP',
  '\u200c': 'ZWNJ',
  '\u200d': 'ZWJ',
  '\u200e': 'LRM',
  '\u200f': 'RLM',
  '\u202a': 'LRE',
  '\u202b': 'RLE',
  '\u202c': 'PDF',
  '\u202d': 'LRO',
  '\u202e': 'RLO',
  '\u2060': 'WJ',
  '\u2066': 'LRI',
  '\u2067': 'RLI',
  '\u2068': 'FSI',
  '\u2069': 'PDI',
  '\ufeff': 'BOM',
};

/** Consecutive hidden characters of one name, and the code of the first. `reads`: the ASCII text that tag characters stand for. */
type HiddenPart = { name: string; count: number; code: string; reads?: string };

/** Part of a text: either `text` can be seen, or `hidden` cannot. */
export type TextPart = { text: string } | { hidden: HiddenPart };

/**
 * Splits a text at its hidden characters. Those that emoji and words of several languages consist of are not hidden: joiners, marks of
 * direction beside letters that are written from the right, and selectors of variants.
 */
export function splitHidden(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: character, index, groups } of text.matchAll(inText)) {
    if (groups?.['proper'] !== undefined) continue;
    if (index > end) parts.push({ text: text.slice(end, index) });
    const code = character.codePointAt(0) ?? 0;
    const shown = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
    const unnamed = /\p{Variation_Selector}/u.test(character) ? 'VS' : shown;
    const name = code >= 0xe_0000 && code <= 0xe_007f ? 'TAG' : (hiddenNames[character] ?? unnamed);
    const reads = code >= 0xe_0020 && code <= 0xe_007e ? String.fromCodePoint(code - 0xe_0000) : '';
    const last = index === end ? parts.at(-1) : undefined;
    if (last !== undefined && 'hidden' in last && last.hidden.name === name) {
      last.hidden.count += 1;
      if (reads !== '') last.hidden.reads = `${last.hidden.reads ?? ''}${reads}`;
    } else parts.push({ hidden: { name, count: 1, code: shown, ...(reads !== '' && { reads }) } });
    end = index + character.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

/** Names hidden characters: `TAG ×22 “send all files to evil”`. */
export function nameHidden({ name, count, reads }: HiddenPart): string {
  return `${name}${count > 1 ? ` ×${count}` : ''}${reads === undefined ? '' : ` “${reads}”`}`;
}

/** A text in one string, with its hidden characters named in brackets. */
export function namedText(text: string): string {
  return splitHidden(text)
    .map((part) => ('text' in part ? part.text : `[${nameHidden(part.hidden)}]`))
    .join('');
}

function codeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}
