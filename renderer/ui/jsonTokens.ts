/** What a stretch of JSON text is. */
export type JsonTokenKind = 'key' | 'string' | 'number' | 'word' | 'plain';

export interface JsonToken {
  kind: JsonTokenKind;
  text: string;
}

// A string without an end runs to the end of the line: to look for another one inside it would take quadratic time.
const pattern =
  /("(?:[^"\\\n]|\\.)*(?:"|(?=[\\\n])|$))(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g;

/** Splits a line of JSON, or of what nearly is JSON, into stretches to colour. Their texts together are the line. */
export function jsonTokens(line: string): JsonToken[] {
  const tokens: JsonToken[] = [];
  let done = 0;
  const add = (kind: JsonTokenKind, text: string): void => {
    if (text !== '') tokens.push({ kind, text });
  };
  for (const match of line.matchAll(pattern)) {
    const [whole, text, colon, number] = match;
    add('plain', line.slice(done, match.index));
    if (text !== undefined) {
      add(colon === undefined ? 'string' : 'key', text);
      add('plain', colon ?? '');
    } else add(number === undefined ? 'word' : 'number', whole);
    done = match.index + whole.length;
  }
  add('plain', line.slice(done));
  return tokens;
}
