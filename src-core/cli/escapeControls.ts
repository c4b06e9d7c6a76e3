/** Controls (C0, DEL, C1), marks and overrides of direction, and Unicode's line and paragraph separators. */
const controls = /(?!\r\n)[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Text that a terminal shows as it is: everything that it would obey, or that would reorder a line, becomes `\uXXXX`,
 * except tabs and line breaks. JSON text keeps its value, since such characters occur in its strings only.
 */
export function escapeControls(text: string): string {
  return text.replace(controls, (character) =>
    character === '\n' || character === '\t'
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
