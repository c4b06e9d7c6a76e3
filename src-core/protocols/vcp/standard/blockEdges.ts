import { unclosedBlockDiagnostic } from '../blockDiagnostics.ts';
import type { Machine } from './machine.ts';
import { noteLoneWithin, reportMisspeltWithin } from './misspeltBlock.ts';
import { flushRetired } from './retired.ts';

/** A START marker: a block begins. */
export function openBlock(machine: Machine, start: number, end: number): void {
  flushRetired(machine);
  const index = machine.blockCount++;
  machine.out.region('prose', start);
  machine.out.region('marker', end, index);
  machine.out.startSeen(start, end, machine.holds.length > 0);
  machine.block = { index, start, bodyStart: end, fields: [], broken: false, literalNewlines: [], misspelt: [] };
  machine.state = 'between-fields';
  machine.position = machine.tokenEnd = end;
}

/** The block's END was not to come: reports it, and leaves it. Its text up to `end` is in it. */
export function abandonBlock(machine: Machine, end: number): void {
  const { block } = machine;
  if (block === undefined) return;
  machine.out.region('skipped', end, block.index);
  machine.out.endSeen(end, block.fields.length > 0);
  noteLoneWithin(machine, block, end);
  if (!reportMisspeltWithin(machine, block, false)) machine.out.diagnostics.push(unclosedBlockDiagnostic(block));
  machine.block = undefined;
  machine.state = 'prose';
}
