import { mendLoose, mendToEscape, secondCloserDiagnostic } from '../fieldDiagnostics.ts';
import type { Machine } from './machine.ts';
import type { CutValue, ValueFence } from './state.ts';

/** A 「末」 in the prose after a value that a marker ended: the marker was the value's, and ESCAPE mends it. */
export function closeCutValue(machine: Machine, closer: ValueFence): void {
  const { cutValue } = machine;
  if (cutValue === undefined || cutValue.closer !== undefined) return;
  machine.cutValue = machine.holds.length === 0 ? { ...cutValue, closer } : undefined;
  // After a call in the value, prose may mention a 「末」: the END of the block has to come, too.
  if (cutValue.unclosed === undefined) mend(machine);
}

/** An END in the prose. Returns whether it is that of the block whose value was ended by a marker. */
export function endCutValue(machine: Machine): boolean {
  const { cutValue } = machine;
  const isOwn = cutValue?.closer !== undefined && machine.holds.length === 0;
  if (isOwn && cutValue.unclosed !== undefined) mend(machine);
  machine.cutValue = undefined;
  return isOwn;
}

function mend({ cutValue, window }: Machine): void {
  const { key, diagnostic, opener, closer, unclosed }: Partial<CutValue> = cutValue ?? {};
  if (key === undefined || diagnostic === undefined || opener === undefined || closer === undefined) return;
  // Another escaped value would end this one.
  if (/末ESCAPE/i.test(window.slice(opener.end, closer.start))) return;
  mendToEscape(diagnostic, { key, opener, closer });
  // An END in the value would be part of it.
  delete unclosed?.fix;
}

/** A 「末」 between fields: the value before it had one of its own, and was cut there. */
export function noteSecondCloser(machine: Machine, closer: ValueFence): void {
  const { block } = machine;
  const field = block?.fields.at(-1);
  if (block?.loose?.opener.end === field?.valueRange.start && block?.loose !== undefined) {
    if (machine.holds.length > 0) return;
    mendLoose(block.loose, closer);
    // An escaped value ends at the first fence of its kind.
    if (closer.kind === 'escaped') block.loose = undefined;
    return;
  }
  if (field === undefined || field.escaped || closer.kind !== 'plain' || block?.cutField === field) return;
  if (block !== undefined) block.cutField = field;
  machine.out.diagnostics.push(secondCloserDiagnostic(field, closer));
}
