/** Levels of escapes within escapes: a call in a string in a string. */
const maxEscapeLevels = 8;
// All start at the first backslash of a run only, so that a long run is read once.
const escapedCharacter = /(?<!\\)\\+(?:u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|x([0-9a-f]{2}))/gi;
/** An octal escape of C and of JavaScript outside strict mode. */
const octalCharacter = /(?<!\\)\\+([0-3]?[0-7]{1,2})/g;
const whiteSpace = /(?<!\\)\\+[nrtbfv]/g;
/** JSON5 drops a backslash before a line end and before a letter that is not an escape. */
const droppedBackslash = /(?<!\\)\\+(?:\r\n|[\r\n\u2028\u2029]|(?=[ac-eg-mo-qswyz]))/gi;

/** Text with its escapes decoded, at every level, white space as a space; `undefined` if there are more levels than any call needs. */
export function decodeEscapes(text: string): string | undefined {
  if (!text.includes('\\')) return text;
  let decoded = text;
  for (let level = 0; level < maxEscapeLevels; level += 1) {
    const before = decoded;
    decoded = decodeLevel(before);
    if (decoded === before) return decoded;
  }
  return undefined;
}

/** Text with one level of its escapes decoded. A run of backslashes is one level. */
export function decodeLevel(text: string): string {
  return text
    .replace(escapedCharacter, (whole, ...groups: (string | undefined)[]) => {
      const code = Number.parseInt(groups[0] ?? groups[1] ?? groups[2] ?? '', 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    })
    .replace(octalCharacter, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 8)))
    .replace(whiteSpace, ' ')
    .replace(droppedBackslash, '');
}
