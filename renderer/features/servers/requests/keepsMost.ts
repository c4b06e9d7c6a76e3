/** Whether at least half of a text is left, at the beginning and at the end, in what it was edited to. */
export function keepsMost(text: string, edited: string): boolean {
  const shorter = Math.min(text.length, edited.length);
  let start = 0;
  while (start < shorter && text[start] === edited[start]) start += 1;
  let end = 0;
  while (start + end < shorter && text.at(-1 - end) === edited.at(-1 - end)) end += 1;
  return text !== '' && 2 * (start + end) >= text.length;
}
