import { cutValueFix, secondCloserDiagnostic } from '../fieldDiagnostics.ts';
import type { Machine } from './machine.ts';
import type { ValueFence } from './state.ts';

/** A 「末」 after a block that an END closed inside a value: the END was the value's, and ESCAPE mends it. */
export function mendCutValue(machine: Machine, closer: ValueFence): void {
  const { cutValue } = machine;
  machine.cutValue = undefined;
  if (cutValue !== undefined && machine.holds.length === 0)
    cutValue.diagnostic.fix = cutValueFix(cutValue.opener, closer);
}

/** A 「末」 between fields: the value before it had one of its own, and was cut there. */
export function noteSecondCloser(machine: Machine, closer: ValueFence): void {
  const { block } = machine;
  const field = block?.fields.at(-1);
  if (field === undefined || field.escaped || closer.kind !== 'plain' || block?.cutField === field) return;
  if (block !== undefined) block.cutField = field;
  machine.out.diagnostics.push(secondCloserDiagnostic(field, closer));
}
