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

const inName = new RegExp(`[${controls}${reordering}${marks}${widthless}${shapeless}]`, 'gu');
const inNameOfOneLine = new RegExp(
  `[${tabsAndLineBreaks}${controls}${reordering}${marks}${widthless}${shapeless}]`,
  'gu',
);
const inProse = new RegExp(`[${controls}${reordering}]`, 'gu');
const inTerminal = new RegExp(`(?!\\r\\n)[${controls}\\r${reordering}${marks}${widthless}]`, 'gu');
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
  return text.replace(inTerminal, codeOf);
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

/** Part of a text: either `text` can be seen, or `hidden` has the name and number of consecutive hidden characters. */
export type TextPart = { text: string } | { hidden: { name: string; count: number; code: string } };

/** Splits a text at the characters that `visibleText` writes as codes. */
export function splitHidden(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: character, index } of text.matchAll(inName)) {
    if (index > end) parts.push({ text: text.slice(end, index) });
    const code = character.codePointAt(0) ?? 0;
    const shown = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
    const name = code >= 0xe_0000 ? 'TAG' : (hiddenNames[character] ?? shown);
    const last = index === end ? parts.at(-1) : undefined;
    if (last !== undefined && 'hidden' in last && last.hidden.name === name) last.hidden.count += 1;
    else parts.push({ hidden: { name, count: 1, code: shown } });
    end = index + character.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

function codeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}
