/**
 * Controls (C0, DEL, C1), marks and overrides of direction, Unicode's line and paragraph separators, and characters
 * without a width. The joiners stay: emoji and several scripts need them.
 */
const controls = /(?!\r\n)[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/gu;

/**
 * Text that a terminal shows as it is: control characters, and characters that reorder or hide text, become `\uXXXX`,
 * except tabs and line breaks. JSON text keeps its value, since such characters occur in its strings only.
 */
export function escapeControls(text: string): string {
  return text.replace(controls, (character) =>
    character === '\n' || character === '\t'
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
