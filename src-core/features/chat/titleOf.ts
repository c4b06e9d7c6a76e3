const maxTitleLength = 60;

/** A chat's title by its first message: the beginning of the first line that says something. */
export function titleOf(text: string): string {
  const line = text.split('\n', 20).find((each) => each.trim() !== '') ?? '';
  const title = line.trim().replace(/\s+/g, ' ');
  return title.length <= maxTitleLength
    ? title
    : `${title
        .slice(0, maxTitleLength - 1)
        .toWellFormed()
        .trimEnd()}…`;
}
