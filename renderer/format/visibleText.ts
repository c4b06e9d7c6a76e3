/**
 * Control characters, marks that change the reading direction, and characters without a shape: zero-width ones, soft
 * hyphens, tags and fillers. Tabs and line breaks are not among them.
 */
const hidden =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Control characters, and marks that embed, override or isolate a reading direction. */
const reordering = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u206f]/g;

/**
 * A text of a device, model or page with each hidden character written as its code, such as `\u202e`, so that it cannot
 * reorder or hide the words around it. Used for names and for what a question shows before the user decides.
 */
export function visibleText(text: string): string {
  return text.replace(hidden, codeOf);
}

/**
 * The body of a result or reply with each control character and each mark that changes the reading direction written as its
 * code. Joiners stay, since emoji and words of several languages consist of them.
 */
export function visibleProse(text: string): string {
  return text.replace(reordering, codeOf);
}

function codeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}
