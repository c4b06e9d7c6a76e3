/** White space as `String.prototype.trim` knows it. */
export function isSpace(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 9 && code <= 13);
  if (code < 0xa0) return false;
  return (
    code === 0xa0 ||
    code === 0xfeff ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

/** White space that stays on the line: blank, tab, carriage return. */
export function isLineSpace(code: number): boolean {
  return code === 0x20 || code === 9 || code === 13;
}

const keyCharacters = new Uint8Array(0x80);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-')
  keyCharacters[character.charCodeAt(0)] = 1;

/** A character of a key: `[A-Za-z0-9_-]` (docs/protocols/vcp.md#grammar). */
export function isKeyCharacter(code: number): boolean {
  return code < 0x80 && keyCharacters[code] === 1;
}

/** Characters that take no room on the screen and hide in a key: zero-width space and joiners, soft hyphen, word joiner, BOM. */
export function isInvisible(code: number): boolean {
  return (code >= 0x200b && code <= 0x200f) || code === 0x2060 || code === 0xfeff || code === 0xad;
}
