/** A string without an end runs to the end of the text: to look for another one inside it would take quadratic time. */
const tokens = /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Levels that are indented. A line of each of 60,000 levels, indented in full, would take gigabytes. */
const maxLevels = 32;

/** Tokens that are laid out, which takes about 20 ms. */
const maxTokens = 20_000;

/**
 * JSON text over several lines, two spaces a level, as `JSON.stringify` lays it out; every token stays as it is written.
 * Levels deeper than 32 are indented like the 32nd; what follows the 20,000th token stays as it is. Also takes the
 * beginning of a JSON text.
 */
export function indentJson(json: string): string {
  let depth = 0;
  let laid = '';
  let before = '';
  let count = 0;
  for (const match of json.matchAll(tokens)) {
    if ((count += 1) > maxTokens) return laid + json.slice(match.index);
    const [token] = match;
    const opened = before === '{' || before === '[';
    const closes = token === '}' || token === ']';
    if (closes) depth = Math.max(0, depth - 1);
    if ((opened && !closes) || (closes && !opened) || before === ',')
      laid += `\n${'  '.repeat(Math.min(depth, maxLevels))}`;
    laid += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') depth += 1;
    before = token;
  }
  return laid;
}
