import { closesFenceAt } from '../../fenceLead.ts';
import { isLineSpace } from '../characters.ts';
import { blankToLineEnd, isFence, readRun, type DelimiterRun } from './codeDelimiter.ts';
import { nowhere } from '../finder.ts';
import { closeCode, dropInline, escapeHold, isAtDeepestFence } from './holds.ts';
import type { Machine } from './machine.ts';
import { readValueFence } from './valueFence.ts';
import { closeEscape } from './value.ts';

/** Blanks that a blank line may hold. */
const longestBlankLine = 256;

/** Offset of the next character that may close a hold, at most the end of the text. */
export function nextEvent(machine: Machine): number {
  const { holds, window, eventPosition: from } = machine;
  machine.eventsFrom = from;
  let next = nowhere;
  let escape = false;
  let inline = false;
  let tildes = false;
  for (const hold of holds) {
    if (hold.kind === 'escape') escape = true;
    else if (hold.kind === 'inline') inline = true;
    else if (hold.character === '~') tildes = true;
  }
  if (escape) next = Math.min(next, machine.finish.find(window, from));
  if (holds.length > (escape ? 1 : 0)) next = Math.min(next, machine.tick.find(window, from));
  if (tildes) next = Math.min(next, machine.tilde.find(window, from));
  if (inline) next = Math.min(next, machine.newline.find(window, from));
  return Math.min(next, machine.end);
}

/** Handles the event at `position`. False if more text is needed to decide. */
export function handleEvent(machine: Machine, position: number): boolean {
  switch (machine.window.text[position - machine.window.base]) {
    case '末':
      return handleFinish(machine, position);
    case '\n':
      return handleNewline(machine, position);
    default:
      return handleRun(machine, position);
  }
}

function handleFinish(machine: Machine, position: number): boolean {
  const closer = readValueFence(machine, position);
  if (closer === 'more') return false;
  machine.eventPosition = position + 1;
  if (closer?.kind === 'escaped') closeEscape(machine, escapeHold(machine), closer.start, closer.end);
  return true;
}

/** A backtick run or tilde run: closes the outermost fence it can, or inline code of the same length. */
function handleRun(machine: Machine, position: number): boolean {
  const run = readRun(machine, position);
  if (run === 'more') return false;
  if (run === undefined) {
    machine.eventPosition = position + 1;
    return true;
  }
  const fence = isFence(run) ? fenceThatCloses(machine, run) : -1;
  if (fence >= 0) {
    const closes = blankToLineEnd(machine, run.end);
    if (closes === 'more') return false;
    if (closes) {
      machine.eventPosition = run.end;
      closeCode(machine, fence, run.start, run.end);
      return true;
    }
  }
  machine.eventPosition = run.end;
  if (run.character === '~') return true;
  const inline = machine.holds.findIndex((hold) => hold.kind === 'inline' && hold.length === run.end - run.start);
  const candidate = machine.holds.findIndex((hold) => hold.maybeFence);
  const opening = machine.holds[candidate];
  // A backtick in the opening line: that run opens inline code, no fence; between fields it opens nothing.
  if (opening !== undefined) {
    opening.maybeFence = false;
    if (opening.block !== undefined) {
      machine.holds.splice(candidate, 1);
      return true;
    }
  }
  if (inline >= 0) closeCode(machine, inline, run.start, run.end);
  return true;
}

function fenceThatCloses(machine: Machine, run: DelimiterRun): number {
  return machine.holds.findIndex(
    (hold) =>
      hold.kind === 'fence' &&
      hold.character === run.character &&
      hold.length <= run.end - run.start &&
      closesFenceAt(run, hold.lead),
  );
}

/** A line ends: its backtick run, if it had one, is a fence; if the next line is blank, inline code ends too. */
function handleNewline(machine: Machine, position: number): boolean {
  const { window } = machine;
  let at = position + 1;
  while (at < window.end && at - position <= longestBlankLine && isLineSpace(window.codeAt(at))) at++;
  if (at >= window.end && !machine.atEnd && at - position <= longestBlankLine) return false;
  machine.eventPosition = position + 1;
  settleFence(machine);
  if (window.codeAt(at) === 0x0a) dropInline(machine);
  return true;
}

/** The line of a backtick run is over without another backtick: it is a fence. */
export function settleFence(machine: Machine): void {
  const index = machine.holds.findIndex((hold) => hold.maybeFence);
  const hold = machine.holds[index];
  if (hold === undefined) return;
  hold.maybeFence = false;
  if (!isAtDeepestFence(machine)) hold.kind = 'fence';
  dropInline(machine, index);
  if (hold.kind === 'inline') dropInline(machine);
}
