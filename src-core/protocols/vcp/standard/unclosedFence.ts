import { fenceIndent } from '../../fenceLead.ts';
import { unclosedFenceDiagnostic } from '../contextDiagnostics.ts';
import { insertAt } from '../textEdits.ts';
import type { TextEdit } from '../types.ts';
import { skipBackToLineHead } from './fieldHead.ts';
import type { Machine } from './machine.ts';
import type { Hold } from './state.ts';
import { textBeforeFence } from './textBeforeFence.ts';

/** The text has ended and these fences are still open. Only the first has a fix: a line that closes another may close it. */
export function reportUnclosedFences(machine: Machine): void {
  const fences = machine.holds.filter(({ kind }) => kind === 'fence');
  for (const hold of fences) reportUnclosedFence(machine, hold, hold === fences[0]);
}

function reportUnclosedFence(machine: Machine, hold: Hold, isFirst: boolean): void {
  const { start, openEnd } = hold;
  const firstCall = machine.out.firstSeenSince(hold.mark);
  const indent = fenceIndent(textBeforeFence(machine, start));
  const line = indent + hold.character.repeat(hold.length);
  const close = firstCall === undefined ? closeAtEnd(machine, line) : closeBeforeCall(machine, firstCall, line, indent);
  machine.out.diagnostics.push(
    unclosedFenceDiagnostic(
      { start, end: openEnd },
      { close: isFirst ? close : undefined, isBeforeCall: firstCall !== undefined },
    ),
  );
}

function closeAtEnd({ window, end }: Machine, line: string): TextEdit {
  return insertAt(end, window.codeAt(end - 1) === 0x0a ? line : `\n${line}`);
}

/** On a line of its own before that of the call, or before the call if other text is on its line. */
function closeBeforeCall(machine: Machine, call: number, line: string, indent: string): TextEdit {
  const head = skipBackToLineHead(machine, call, 0);
  if (head < 0 || machine.window.codeAt(head) === 0x0a) return insertAt(head + 1, `${line}\n`);
  return insertAt(call, `\n${line}\n${indent}`);
}
