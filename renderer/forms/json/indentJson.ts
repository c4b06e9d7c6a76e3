const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** JSON text over several lines, two spaces a level, as `JSON.stringify` lays it out; every token stays as it is written. */
export function indentJson(json: string): string {
  let depth = 0;
  let laid = '';
  let before = '';
  for (const [token] of json.matchAll(tokens)) {
    const opened = before === '{' || before === '[';
    const closes = token === '}' || token === ']';
    if (closes) depth -= 1;
    if ((opened && !closes) || (closes && !opened) || before === ',') laid += `\n${'  '.repeat(Math.max(0, depth))}`;
    laid += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') depth += 1;
    before = token;
  }
  return laid;
}
