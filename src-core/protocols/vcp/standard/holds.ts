import { longestLead } from '../../fenceLead.ts';
import { fencedDiagnostic } from '../contextDiagnostics.ts';
import { readCodeSpan } from '../takeOutOfCode.ts';
import type { DelimiterRun } from './codeDelimiter.ts';
import type { Machine } from './machine.ts';
import type { Hold } from './state.ts';

/** Opens a hold at the machine's present state. */
export function openHold(
  machine: Machine,
  open: Pick<Hold, 'kind' | 'start' | 'openEnd' | 'character' | 'length' | 'lead' | 'maybeFence'>,
): void {
  const { block } = machine;
  machine.holds.push({
    ...open,
    state: machine.state,
    block,
    fields: block?.fields.length ?? 0,
    broken: block?.broken ?? false,
    literalNewlines: block?.literalNewlines.length ?? 0,
    field: machine.field,
    tokenEnd: machine.tokenEnd,
    bare: machine.bare === undefined ? undefined : { ...machine.bare },
    retired: machine.retired,
    misspelt: machine.misspelt === undefined ? undefined : { ...machine.misspelt },
    misspeltWithin: block?.misspelt.length ?? 0,
    cutValue: machine.cutValue,
    mark: machine.out.mark(),
  });
  machine.eventPosition = Math.max(machine.eventPosition, open.openEnd);
}

/** Fences that may be open inside one another. */
const deepestFences = 8;

/** A fence that opens here would be too deep: it is text. */
export function isAtDeepestFence({ holds }: Machine): boolean {
  return holds.filter(({ kind }) => kind === 'fence').length >= deepestFences;
}

/** Opens the hold of a fence or of inline code. */
export function openCode(machine: Machine, run: DelimiterRun, fence: boolean): void {
  const tildes = run.character === '~';
  if (fence && tildes && isAtDeepestFence(machine)) return;
  openHold(machine, {
    kind: fence && tildes ? 'fence' : 'inline',
    start: run.start,
    openEnd: run.end,
    character: run.character,
    length: run.end - run.start,
    lead: run.lead ?? 0,
    maybeFence: fence && !tildes,
  });
  if (fence && tildes) dropInline(machine, machine.holds.length - 1);
}

/** Puts the machine back to where the hold was opened. Holds inside it are dropped. */
export function goBack(machine: Machine, index: number): ReturnType<Machine['out']['goBack']> {
  const hold = machine.holds[index];
  if (hold === undefined) return [];
  machine.holds.length = index;
  machine.state = hold.state;
  machine.block = hold.block;
  machine.field = hold.field;
  machine.tokenEnd = hold.tokenEnd;
  machine.inert = undefined;
  machine.bare = hold.bare;
  machine.retired = hold.retired;
  machine.misspelt = hold.misspelt;
  machine.cutValue = hold.cutValue;
  if (hold.block !== undefined) {
    hold.block.fields.length = hold.fields;
    hold.block.broken = hold.broken;
    hold.block.misspelt.length = hold.misspeltWithin;
    hold.block.literalNewlines.length = hold.literalNewlines;
  }
  const { out } = machine;
  return out.goBack(hold.mark);
}

/** A fence or inline code has closed: all from its start to `end` is code. */
export function closeCode(machine: Machine, index: number, closeStart: number, end: number): void {
  const hold = machine.holds[index];
  if (hold === undefined) return;
  // Inside one and the same block a fence is nothing but skipped text.
  if (hold.block !== undefined && machine.block === hold.block) {
    machine.holds.splice(index, 1);
    return;
  }
  const seen = goBack(machine, index);
  const calls = seen.filter(({ call }) => call);
  if (calls.length > 0) {
    const { start, openEnd, kind } = hold;
    const range = {
      start,
      openEnd,
      closeStart,
      end,
      inline: kind === 'inline',
      before: textBeforeFence(machine, start),
    };
    const code = readCodeSpan(machine.window.slice(start, end), range);
    for (const call of calls) machine.out.diagnostics.push(fencedDiagnostic(call, code));
  }
  machine.out.region(hold.block === undefined ? 'prose' : 'skipped', hold.start, hold.block?.index);
  machine.out.region('code', end);
  machine.position = end;
  machine.eventPosition = end;
}

/** Inline code ends with its paragraph, and at the start of a fence: its holds below `below` are dropped. */
export function dropInline(machine: Machine, below = machine.holds.length): void {
  for (let index = below - 1; index >= 0; index--)
    if (machine.holds[index]?.kind === 'inline') machine.holds.splice(index, 1);
}

/** The position of the live escape hold, -1 if there is none. */
export function escapeHold(machine: Machine): number {
  return machine.holds.findIndex((hold) => hold.kind === 'escape');
}

/** What stands before a fence on its line. */
export function textBeforeFence({ window }: Machine, start: number): string {
  const before = window.slice(Math.max(0, start - longestLead), start);
  return before.slice(before.lastIndexOf('\n') + 1);
}
