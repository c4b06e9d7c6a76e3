/** A text without the given characters at its end. A pattern such as `/-+$/` would begin again at each of them in a long run. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
