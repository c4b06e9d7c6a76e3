import { speakAddresses } from './speakSymbols.ts';

/** A mark between two of these, or before a blank, does not open emphasis: `3*4`, `5 * 6` and `snake_case` stay. */
const word = '[A-Za-z0-9]';

/** One kind of emphasis: text between two marks, on one line, without a blank at its inner edges. */
function emphasis(mark: string): RegExp {
  const character = mark.slice(-1);
  const opens = String.raw`(?<![${'\\'}${character}])(?<!${word}(?=${mark}${word}))${mark}(?=[^\s${'\\'}${character}])`;
  const closes = String.raw`(?<=[^\s])${mark}(?![${'\\'}${character}])(?<!${word}${mark}(?=${word}))`;
  return new RegExp(String.raw`${opens}((?:(?!${mark})[^\n])+)${closes}`, 'g');
}

/** In the order in which they can nest. */
const emphases = [String.raw`\*\*\*`, String.raw`\*\*`, String.raw`\*`, '___', '__', '_', '~~'].map(emphasis);

/** How a line begins that the patterns below may change. */
const lineMark = /^[ \t]*[-*+_>#]/;
const fence = /^[ \t]{0,3}(?:`{3,}|~{3})[^\n`]*$/;
const rule = /^[ \t]{0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const codeSpan = /(?<!`)(`+)(?!`)([^`]+)\1(?!`)/g;
const link = /!?\[([^[\]\n]*)\]\([^()\s\uE000]*(?:\([^()\s\uE000]*\)[^()\s\uE000]*)?(?:[ \t]+"[^"\n\uE000]*")?\)/g;
const address = /<((?:https?:\/\/|mailto:)[^<>\s]+)>/g;
const bullet = /^[ \t]*[•‣◦▪·][ \t]+/;
const footnote = /\[\^[^\s[\]]{1,32}\]:?|【\d+†[^【】\n]*】/g;
const escaped = /\\([!-/:-@[-`{-~])/g;
const lineBreak = /<br[ \t]*\/?>/gi;
const tagNames =
  'a|abbr|b|blockquote|center|code|del|details|div|em|font|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|pre|s|small|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul';
const tag = new RegExp(String.raw`</?(?:${tagNames})(?:\s[^<>]*|/)?>`, 'gi');
const entities: Record<string, string> = {
  nbsp: ' ',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
};
const entity = /&(nbsp|amp|lt|gt|quot|apos|#39);/g;

/** Delimit the number of a piece that is set aside while the rest is read: a mark within code is text. */
const [opening, closing] = ['\uE000', '\uE001'];

/**
 * Text without Markdown's marks: emphasis, code, headings, lists, quotations, links, rules, escapes, notes, HTML
 * (docs/protocols/gateway.md#replies). The marked text stays, and so do the numbers of a list. Web addresses are
 * replaced by their sites. Takes linear time: a pattern that begins with a run of blanks or backticks has a lookbehind,
 * so that it does not start again within the run.
 */
export function stripMarkdown(text: string): string {
  const aside: string[] = [];
  const setAside = (piece: string): string => `${opening}${aside.push(piece) - 1}${closing}`;
  const lines: string[] = [];
  let inCode = false;
  for (const line of text.replace(/[\uE000\uE001]/g, '').split('\n')) {
    if (fence.test(line)) inCode = !inCode;
    else if (inCode) lines.push(setAside(line));
    else if (!lineMark.test(line) && !line.includes('`')) lines.push(line.replace(bullet, ''));
    else if (!rule.test(line))
      lines.push(
        stripLineMarks(line).replace(codeSpan, (_span, _ticks, inner: string) =>
          setAside(inner.replace(/^ (.+) $/, '$1')),
        ),
      );
  }
  const plain = lines
    .join('\n')
    .replace(escaped, (_whole, sign: string) => setAside(sign))
    .replace(footnote, '')
    .replace(link, '$1')
    .replace(address, '$1')
    .replace(lineBreak, '\n')
    .replace(tag, '');
  const named = speakAddresses(plain);
  const spoken = emphases.reduce((marked, pattern) => marked.replace(pattern, '$1'), named);
  return spoken
    .replace(entity, (whole, name: string) => entities[name] ?? whole)
    .replace(/\uE000(\d+)\uE001/g, (_whole, number: string) => aside[Number(number)] ?? '');
}

function stripLineMarks(line: string): string {
  return line
    .replace(/^[ \t]*(?:>[ \t]?)+/, '')
    .replace(/^[ \t]{0,3}#{1,6}[ \t]+([^]*?)(?:(?<![ \t])[ \t]+#+)?(?:(?<![ \t])[ \t]+)?$/, '$1')
    .replace(/^[ \t]*[-*+][ \t]+(?:\[[ xX]\][ \t]+)?/, '');
}
