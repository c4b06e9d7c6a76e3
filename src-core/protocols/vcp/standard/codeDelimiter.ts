import { readFenceLead, type FenceLead } from '../../fenceLead.ts';
import { isLineSpace } from '../characters.ts';
import type { Machine } from './machine.ts';

/** A run of backticks or tildes. */
export interface DelimiterRun extends FenceLead {
  start: number;
  end: number;
  character: '`' | '~';
}

/** Longer runs delimit nothing. */
const longestRun = 64;
/** Blanks that may follow a closing fence on its line. */
const longestTrail = 256;

/** Reads the run that begins at `start`. `more` if its end has not arrived yet; undefined if it delimits nothing. */
export function readRun(machine: Machine, start: number): DelimiterRun | 'more' | undefined {
  const { window } = machine;
  const code = window.codeAt(start);
  if (window.codeAt(start - 1) === code) return undefined;
  let end = start + 1;
  while (end < window.end && end - start <= longestRun && window.codeAt(end) === code) end++;
  if (end - start > longestRun) return undefined;
  if (end >= window.end && !machine.atEnd) return 'more';
  return { start, end, character: code === 0x60 ? '`' : '~', ...readFenceLead(window, start) };
}

/** Whether only blanks follow on the line from `from`: what a closing fence needs. */
export function blankToLineEnd(machine: Machine, from: number): boolean | 'more' {
  const { window } = machine;
  for (let at = from; at < from + longestTrail; at++) {
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
