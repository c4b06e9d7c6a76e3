import { isLineSpace } from '../characters.ts';
import type { Machine } from './machine.ts';

/** A run of backticks or tildes. */
export interface DelimiterRun {
  start: number;
  end: number;
  character: '`' | '~';
  /** How far a list or quotation moves it in on its line; undefined where other text stands before it. */
  lead: number | undefined;
  /** A bullet or number of a list stands before it. */
  bullet: boolean;
}

/** Longer runs delimit nothing. */
const longestRun = 64;
/** Characters before a fence on its line that are looked at. */
const longestLead = 32;
/** A quotation sign counts more than the blanks by which a closing fence may be moved in further than its opening. */
const quoteLead = 4;
/** Blanks that may follow a closing fence on its line. */
const longestTrail = 256;

/** Reads the run that begins at `start`. `more` where its end is not there yet; undefined where it delimits nothing. */
export function readRun(machine: Machine, start: number): DelimiterRun | 'more' | undefined {
  const { window } = machine;
  const code = window.codeAt(start);
  if (window.codeAt(start - 1) === code) return undefined;
  let end = start + 1;
  while (end < window.end && end - start <= longestRun && window.codeAt(end) === code) end++;
  machine.counter.steps += end - start;
  if (end - start > longestRun) return undefined;
  if (end >= window.end && !machine.atEnd) return 'more';
  return { start, end, character: code === 0x60 ? '`' : '~', ...readLead(machine, start) };
}

/** Whether only blanks follow on the line from `from`: what a closing fence needs. */
export function blankToLineEnd(machine: Machine, from: number): boolean | 'more' {
  const { window } = machine;
  for (let at = from; at < from + longestTrail; at++) {
    machine.counter.steps++;
    if (at >= window.end) return machine.atEnd ? true : 'more';
    const code = window.codeAt(at);
    if (code === 0x0a) return true;
    if (!isLineSpace(code)) return false;
  }
  return false;
}

/** Whether the run may open or close a fence: three at least, at a line's start. */
export function isFence(run: DelimiterRun): boolean {
  return run.lead !== undefined && run.end - run.start >= 3;
}

/** Whether the run may close a fence that stands `lead` in: it may stand up to three blanks further in, in the same quotation. */
export function closesAt(run: DelimiterRun, lead: number): boolean {
  return run.lead !== undefined && !run.bullet && run.lead <= lead + 3;
}

/** What stands before a fence on its line, if that is only blanks, quotation signs, bullets and numbers of a list. */
function readLead({ window, counter }: Machine, start: number): Pick<DelimiterRun, 'lead' | 'bullet'> {
  let lead = 0;
  let bullet = false;
  let follower = 0x20;
  for (let at = start - 1; at >= start - longestLead; at--) {
    const code = window.codeAt(at);
    if (at < 0 || code === 0x0a) return { lead, bullet };
    counter.steps++;
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

/** `-`, `*`, `+` before a blank; a digit before `.` or `)`, which stand before a blank. */
function isListSign(code: number, follower: number): boolean {
  if (code >= 0x30 && code <= 0x39)
    return follower === 0x2e || follower === 0x29 || (follower >= 0x30 && follower <= 0x39);
  return isLineSpace(follower) && [0x2d, 0x2a, 0x2b, 0x2e, 0x29].includes(code);
}
