import { bareFieldsDiagnostic } from '../outsideDiagnostics.ts';
import { isSpace } from '../characters.ts';
import { readFieldHead } from './fieldHead.ts';
import type { TextRange } from '../types.ts';
import type { Machine } from './machine.ts';
import type { ValueFence } from './state.ts';

/** A fence opens in the prose: with a key before it, it is a bare field. */
export function noteBareField(machine: Machine, opener: ValueFence): void {
  if (machine.retired !== undefined || opener.kind !== 'plain') return;
  const head = readFieldHead(machine, opener.start, Math.max(machine.out.regionEnd, machine.bare?.end ?? 0));
  if (head === undefined || head.problem !== undefined || head.key === '') return;
  const { bare } = machine;
  if (bare !== undefined && !bare.open && onlySeparators(machine, bare.end, head.start)) {
    bare.open = true;
    bare.named ||= head.key === 'tool_name';
    return;
  }
  if (bare?.open === true && bare.named) return;
  flushBareFields(machine);
  const { looseStart } = machine;
  const before =
    looseStart !== undefined && onlySeparators(machine, looseStart.end, head.start) ? looseStart : undefined;
  machine.looseStart = undefined;
  machine.bare = { start: head.start, end: opener.end, named: head.key === 'tool_name', open: true, before };
}

/** A 「末」 in the prose. */
export function closeBareField(machine: Machine, end: number): void {
  if (machine.bare?.open !== true) return;
  machine.bare.open = false;
  machine.bare.end = end;
}

/** The run is over: reports it where it names a tool. `end` is a good END marker that ends it. */
export function flushBareFields(machine: Machine, end?: TextRange): void {
  const { bare } = machine;
  machine.bare = undefined;
  if (bare?.named !== true || bare.open) return;
  const after = end !== undefined && onlySeparators(machine, bare.end, end.start) ? 'end' : undefined;
  machine.out.diagnostics.push(bareFieldsDiagnostic({ start: bare.start, end: bare.end, before: bare.before, after }));
}

/** A marker in a wrong writing stands in the prose: it belongs to bare fields that touch it. */
export function noteLooseMarker(machine: Machine, kind: 'start' | 'end', range: TextRange): void {
  const { bare } = machine;
  if (kind === 'end' && bare?.named === true && !bare.open && onlySeparators(machine, bare.end, range.start)) {
    machine.bare = undefined;
    machine.out.diagnostics.push(
      bareFieldsDiagnostic({ start: bare.start, end: bare.end, before: bare.before, after: range }),
    );
    return;
  }
  flushBareFields(machine);
  machine.looseStart = kind === 'start' ? range : undefined;
}

function onlySeparators(machine: Machine, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    machine.counter.steps++;
    const code = machine.window.codeAt(at);
    // comma, semicolon, their full-width forms, bullets, quote sign
    const separator =
      code === 0x2c ||
      code === 0xff0c ||
      code === 0x3b ||
      code === 0xff1b ||
      code === 0x2d ||
      code === 0x2a ||
      code === 0x3e;
    if (!separator && !isSpace(code)) return false;
  }
  return true;
}
