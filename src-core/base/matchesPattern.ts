/** Whether a text matches the pattern, in which `*` matches any characters, also none. Case-sensitive. */
export function matchesPattern(text: string, pattern: string): boolean {
  let at = 0;
  let expected = 0;
  // Position of the last star, and how far it has been tried. Backtracking to the last star is enough, so no input
  // takes long.
  let star = -1;
  let tried = 0;
  while (at < text.length) {
    if (pattern[expected] === '*') {
      star = expected;
      tried = at;
      expected += 1;
    } else if (pattern[expected] === text[at]) {
      at += 1;
      expected += 1;
    } else if (star >= 0) {
      tried += 1;
      at = tried;
      expected = star + 1;
    } else {
      return false;
    }
  }
  while (pattern[expected] === '*') expected += 1;
  return expected === pattern.length;
}
