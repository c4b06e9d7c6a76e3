import { longestLead } from '../../fenceLead.ts';
import type { Machine } from './machine.ts';

/** What stands before a fence on its line. */
export function textBeforeFence({ window }: Machine, start: number): string {
  const before = window.slice(Math.max(0, start - longestLead), start);
  return before.slice(before.lastIndexOf('\n') + 1);
}
