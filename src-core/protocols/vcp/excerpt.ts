/** As much of a text as a message can show. */
export function excerpt(text: string, length = 60): string {
  const line = text.trim().replaceAll('\r', '').replaceAll('\n', '⏎');
  return line.length <= length ? line : `${line.slice(0, length).toWellFormed().replaceAll('\ufffd', '')}…`;
}
