import { echoedDiagnostic, inReasoningDiagnostic } from '../../diagnostics.ts';
import { unclosedEchoDiagnostic, unclosedReasoningDiagnostic } from '../contextDiagnostics.ts';
import { readMarker } from '../markers.ts';
import { Finder, nowhere } from '../finder.ts';
import type { Machine } from './machine.ts';
import type { InertText } from './state.ts';
import { readReasoningTag } from './tags.ts';

/** Begins to pass over reasoning or an echo. The opening token ends at `openEnd`. */
export function openInert(
  machine: Machine,
  kind: InertText['kind'],
  start: number,
  openEnd: number,
  closer: string,
): void {
  machine.out.region(machine.block === undefined ? 'prose' : 'skipped', start, machine.block?.index);
  const finder = kind === 'echo' ? new Finder(closer) : undefined;
  machine.inert = {
    kind,
    start,
    openEnd,
    closer,
    depth: 1,
    after: machine.state,
    request: -1,
    firstRequest: -1,
    finder,
  };
  machine.state = 'inert';
  machine.position = openEnd;
}

/** Moves through reasoning or an echo. False if it must wait. */
export function stepInert(machine: Machine): boolean {
  const { inert, window } = machine;
  if (inert === undefined) return false;
  for (;;) {
    const echoEnd = inert.finder?.find(window, machine.position) ?? nowhere;
    const less = Math.min(machine.less.find(window, machine.position), echoEnd);
    if (less >= machine.limit) {
      // The end marker may have begun: it is looked for again from there.
      const passed = inert.finder === undefined ? machine.end : machine.end - inert.closer.length + 1;
      machine.position = Math.max(machine.position, Math.min(machine.limit, machine.atEnd ? machine.end : passed));
      return false;
    }
    machine.position = less;
    if (less === echoEnd) {
      closeInert(machine, inert, less + inert.closer.length);
      return true;
    }
    const marker = readMarker(window.text, less - window.base, machine.atEnd);
    if (marker === 'more') return false;
    if (marker !== undefined) {
      machine.position = less + marker.length;
      if (marker.kind === 'start') {
        machine.blockCount++;
        inert.request = less;
        if (inert.firstRequest < 0) inert.firstRequest = less;
      } else if (marker.kind === 'end' && inert.request >= 0) {
        const range = { start: inert.request, end: machine.position };
        machine.out.diagnostics.push(inert.kind === 'echo' ? echoedDiagnostic(range) : inReasoningDiagnostic(range));
        inert.request = -1;
      }
      continue;
    }
    if (inert.kind === 'reasoning') {
      const tag = readReasoningTag(machine, less);
      if (tag === 'more' || (tag !== undefined && tag.end > machine.limit)) return false;
      if (tag?.name === inert.closer) {
        inert.depth += tag.closing ? -1 : 1;
        machine.position = tag.end;
        if (inert.depth === 0) {
          closeInert(machine, inert, tag.end);
          return true;
        }
        continue;
      }
    }
    machine.position = less + 1;
  }
}

/** The text ends inside it. */
export function endInert(machine: Machine): void {
  const { inert } = machine;
  if (inert === undefined) return;
  const range = { start: inert.start, end: inert.openEnd };
  machine.out.diagnostics.push(
    inert.kind === 'echo'
      ? unclosedEchoDiagnostic(range)
      : unclosedReasoningDiagnostic(range, inert.closer, inert.firstRequest < 0 ? machine.end : inert.firstRequest),
  );
  closeInert(machine, inert, machine.end);
}

function closeInert(machine: Machine, inert: InertText, end: number): void {
  machine.out.region(inert.kind, end);
  machine.inert = undefined;
  machine.state = inert.after;
  machine.position = end;
  machine.tokenEnd = end;
}
