import { bareFieldsDiagnostic } from '../outsideDiagnostics.ts';
import { readFieldHead } from './fieldHead.ts';
import type { MisspeltMarker } from '../misspeltMarker.ts';
import type { TextRange } from '../types.ts';
import type { Machine } from './machine.ts';
import { noteFieldOfMisspelt } from './misspeltBlock.ts';
import { onlySeparators } from './separators.ts';
import type { ValueFence } from './state.ts';

/** A fence opens in the prose: with a key before it, it is a bare field. */
export function noteBareField(machine: Machine, opener: ValueFence): void {
  if (machine.retired !== undefined || opener.kind !== 'plain') return;
  const { bare, misspelt } = machine;
  const floor = Math.max(machine.out.regionEnd, bare?.end ?? 0, misspelt?.marker.end ?? 0);
  const head = readFieldHead(machine, opener.start, floor);
  if (head === undefined) return;
  noteFieldOfMisspelt(machine, head);
  if (head.problem !== undefined || head.key === '') return;
  if (bare !== undefined && !bare.open && onlySeparators(machine, bare.end, head.start)) {
    bare.open = true;
    bare.named ||= head.key === 'tool_name';
    return;
  }
  if (bare?.open === true && bare.named) return;
  flushBareFields(machine);
  machine.bare = { start: head.start, end: opener.end, named: head.key === 'tool_name', open: true };
}

/** A 「末」 in the prose. */
export function closeBareField(machine: Machine, end: number): void {
  if (machine.bare?.open !== true) return;
  machine.bare.open = false;
  machine.bare.end = end;
}

/**
 * The run is over: reports it if it names a tool, unless it is part of a block with a misspelt START. `end` is the END, good
 * or misspelt, that stops it.
 */
export function flushBareFields(machine: Machine, end?: MisspeltMarker | TextRange): void {
  const { bare, misspelt } = machine;
  machine.bare = undefined;
  if (bare?.named !== true || bare.open || misspelt?.isBlock === true) return;
  const after = end !== undefined && onlySeparators(machine, bare.end, end.start) ? end : undefined;
  machine.out.diagnostics.push(bareFieldsDiagnostic(bare, after));
}
