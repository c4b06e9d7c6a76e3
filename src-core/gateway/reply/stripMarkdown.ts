/** A mark opens where it does not stand between two of these, or before a blank: `3*4`, `5 * 6` and `snake_case` stay. */
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

const fence = /^[ \t]{0,3}(?:`{3,}|~{3,})[^\n`]*$/;
const rule = /^[ \t]{0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;

/**
 * Text without Markdown's marks: emphasis, code, headings, lists, quotations, links, rules (seed 004 §5.2). What they
 * mark stays, the numbers of a list too.
 */
export function stripMarkdown(text: string): string {
  const lines: string[] = [];
  let inCode = false;
  for (const line of text.split('\n')) {
    if (fence.test(line)) inCode = !inCode;
    else if (inCode) lines.push(line);
    else if (!rule.test(line)) lines.push(stripSpans(stripLineMarks(line)));
  }
  return lines.join('\n');
}

/** Each part looks no further than the next of its own marks, so that a line of nothing but marks takes no longer. */
function stripLineMarks(line: string): string {
  return line
    .replace(/^[ \t]*(?:>[ \t]?)+/, '')
    .replace(/^[ \t]{0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/, '$1')
    .replace(/^[ \t]*[-*+][ \t]+(?:\[[ xX]\][ \t]+)?/, '');
}

/** Stands for a piece of code while the rest is read: what looks like a mark in code is none. */
const placeholder = '\uE000';

function stripSpans(line: string): string {
  const code: string[] = [];
  const plain = line
    .replace(/(`+)([^`]+)\1(?!`)|\uE000/g, (match, ticks: string | undefined, inner = '') => {
      code.push(ticks === undefined ? match : String(inner).replace(/^ (.+) $/, '$1'));
      return placeholder;
    })
    .replace(/!?\[([^[\]\n]*)\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)?(?:[ \t]+"[^"\n]*")?\)/g, '$1')
    .replace(/<((?:https?:\/\/|mailto:)[^<>\s]+)>/g, '$1');
  const spoken = emphases.reduce((text, pattern) => text.replace(pattern, '$1'), plain);
  let next = 0;
  return spoken.replaceAll(placeholder, () => code[next++] ?? '');
}
