/** What precedes a code fence on its line. */
export interface FenceLead {
  /** How far a list or quotation indents it; undefined if other text precedes it. */
  lead: number | undefined;
  /** A bullet or number of a list precedes it. */
  bullet: boolean;
}

/** Characters before a fence on its line that are read: a run with more before it is not a fence. */
export const longestLead = 32;
/** A quotation sign counts more than the blanks by which a closing fence may be moved in further than its opening. */
const quoteLead = 4;

/**
 * Reads what precedes the run of backticks or tildes at `start`: with only blanks, quotation signs, bullets and numbers
 * of a list there, the run may be a fence. Looks at 32 characters at most.
 */
export function readFenceLead(text: { codeAt: (position: number) => number }, start: number): FenceLead {
  let lead = 0;
  let bullet = false;
  let follower = 0x20;
  for (let at = start - 1; at >= start - longestLead; at--) {
    const code = at < 0 ? 0x0a : text.codeAt(at);
    if (code === 0x0a) return { lead, bullet };
    if (isLineSpace(code)) lead++;
    else if (code === 0x3e) lead += quoteLead;
    else if (isListSign(code, follower)) {
      lead++;
      bullet = true;
    } else break;
    follower = code;
  }
  return { lead: undefined, bullet };
}

/** Whether a fence may close one indented by `lead`: up to three blanks further in, in the same quotation. */
export function closesFenceAt({ lead, bullet }: FenceLead, openLead: number): boolean {
  return lead !== undefined && !bullet && lead <= openLead + 3;
}

/**
 * What a further line of a list or quotation begins with, by the text before a fence on its line: blanks replace bullets and
 * numbers. Empty if there is other text.
 */
export function fenceIndent(before: string): string {
  return isIndent(before) ? before.replaceAll(/[^\t>]/g, ' ') : '';
}

/** Blanks, quote signs, bullets and numbers of a list. */
export function isIndent(text: string): boolean {
  return /^[ \t>*+.)\d-]*$/.test(text);
}

/** `-`, `*`, `+` before a blank; a digit before `.` or `)` and a blank. */
function isListSign(code: number, follower: number): boolean {
  if (isDigit(code)) return follower === 0x2e || follower === 0x29 || isDigit(follower);
  return isLineSpace(follower) && [0x2d, 0x2a, 0x2b, 0x2e, 0x29].includes(code);
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Blank, tab, carriage return. */
function isLineSpace(code: number): boolean {
  return code === 0x20 || code === 9 || code === 13;
}
