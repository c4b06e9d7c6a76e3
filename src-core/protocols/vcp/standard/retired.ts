import { retiredBlockDiagnostic } from '../outsideDiagnostics.ts';
import type { Machine } from './machine.ts';

/** A block with a retired (`_EXP`) or escaped (`_ESCAPE`) START stands at the top level: it is not run. */
export function openRetired(machine: Machine, kind: 'legacy' | 'escaped', start: number, end: number): void {
  flushRetired(machine);
  machine.retired = { kind, start, markerEnd: end };
}

/** Its END: the report and its fix cover both markers. */
export function closeRetired(machine: Machine, kind: 'legacy' | 'escaped', start: number, end: number): void {
  const { retired } = machine;
  if (retired?.kind !== kind) return;
  machine.retired = undefined;
  machine.out.diagnostics.push(
    retiredBlockDiagnostic(kind, { start: retired.start, end: retired.markerEnd }, { start, end }),
  );
}

/** No END came: the marker alone is reported. */
export function flushRetired(machine: Machine): void {
  const { retired } = machine;
  machine.retired = undefined;
  if (retired !== undefined) {
    machine.out.diagnostics.push(
      retiredBlockDiagnostic(retired.kind, { start: retired.start, end: retired.markerEnd }),
    );
  }
}
