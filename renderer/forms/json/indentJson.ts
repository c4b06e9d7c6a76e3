/** A string without an end runs to the end of the text: to look for another one inside it would take quadratic time. */
const tokens = /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Levels that are indented. A line of each of 60,000 levels, indented in full, would take gigabytes. */
const maxLevels = 32;

/**
 * JSON text over several lines, two spaces a level, as `JSON.stringify` lays it out; every token stays as it is written.
 * Levels deeper than 32 are indented like the 32nd. Takes the beginning of a JSON text, too.
 */
export function indentJson(json: string): string {
  let depth = 0;
  let laid = '';
  let before = '';
  for (const [token] of json.matchAll(tokens)) {
    const opened = before === '{' || before === '[';
    const closes = token === '}' || token === ']';
    if (closes) depth = Math.max(0, depth - 1);
    if ((opened && !closes) || (closes && !opened) || before === ',') {
      laid += `\n${'  '.repeat(Math.min(depth, maxLevels))}`;
    }
    laid += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') depth += 1;
    before = token;
  }
  return laid;
}
