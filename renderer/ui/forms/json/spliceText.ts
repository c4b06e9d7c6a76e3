/** The text with one stretch of it replaced. */
export function splice(text: string, { start, end }: { start: number; end: number }, inserted: string): string {
  return text.slice(0, start) + inserted + text.slice(end);
}

/** White space the line of `offset` begins with. */
export function lineIndent(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** JSON text whose further lines stand `indent` deeper. A line break inside a string is written `\n`: none is touched. */
export function indentAs(json: string, indent: string): string {
  return json.replaceAll('\n', `\n${indent}`);
}
