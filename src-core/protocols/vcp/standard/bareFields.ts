import { bareFieldsDiagnostic } from '../outsideDiagnostics.ts';
import { readFieldHead } from './fieldHead.ts';
import type { MisspeltMarker } from '../misspeltMarker.ts';
import type { TextRange } from '../../../base/replyTypes.ts';
import type { Machine } from './machine.ts';
import { closeMisspelt, endAfter, noteFieldOfMisspelt, openMisspelt, startBefore } from './misspeltBlock.ts';
import { onlySeparators } from './separators.ts';
import type { ValueFence } from './state.ts';

/** A fence opens in the prose: with a key before it, it is a bare field. */
export function noteBareField(machine: Machine, opener: ValueFence): void {
  if (machine.retired !== undefined) return;
  const before = Math.max(machine.out.regionEnd, machine.bare?.end ?? 0, machine.misspelt?.fieldsEnd ?? 0);
  const head = readFieldHead(machine, opener.start, Math.max(before, machine.misspelt?.marker.end ?? 0));
  if (head === undefined) return;
  const { bare } = machine;
  const isNext = bare !== undefined && !bare.open && onlySeparators(machine, bare.end, head.start);
  if (!isNext && bare?.open !== true) openBefore(machine, head.start, before);
  noteFieldOfMisspelt(machine, head);
  if (opener.kind !== 'plain' || head.problem !== undefined || head.key === '') return;
  if (isNext) {
    bare.open = true;
    bare.named ||= head.key === 'tool_name';
    return;
  }
  if (bare?.open === true && bare.named) return;
  flushBareFields(machine, head.start);
  machine.bare = { start: head.start, end: opener.end, named: head.key === 'tool_name', open: true };
}

/** A START that nothing announced stands before the field at `field`, which begins its block. */
function openBefore(machine: Machine, field: number, floor: number): void {
  const start = startBefore(machine, field, floor);
  if (start === undefined || start.isOpen) return;
  endOutside(machine, start.marker.start);
  openMisspelt(machine, start.marker);
}

/** A 「末」 in the prose. */
export function closeBareField(machine: Machine, end: number): void {
  if (machine.bare?.open !== true) return;
  machine.bare.open = false;
  machine.bare.end = end;
}

/** Fields outside of blocks end at `at`. Returns whether `end` is the END of a block with a misspelt START. */
export function endOutside(machine: Machine, at: number, end?: MisspeltMarker | TextRange): boolean {
  if (closeMisspelt(machine, at, end)) return true;
  flushBareFields(machine, at, end);
  return false;
}

/**
 * The run is over at `at`: reports it if it names a tool, unless it is part of a block with a misspelt START. `end` is the
 * END, good or misspelt, that stops it.
 */
function flushBareFields(machine: Machine, at: number, end?: MisspeltMarker | TextRange): void {
  const { bare, misspelt } = machine;
  machine.bare = undefined;
  if (bare?.named !== true || bare.open || misspelt?.isBlock === true) return;
  const isRight = end !== undefined && onlySeparators(machine, bare.end, end.start);
  const after = isRight ? end : endAfter(machine, bare.end, at);
  machine.out.diagnostics.push(bareFieldsDiagnostic(bare, after));
}
