import { strayEndDiagnostic } from '../outsideDiagnostics.ts';
import { markers, readMarker } from '../markers.ts';
import { closeBareField, endOutside, noteBareField } from './bareFields.ts';
import { openBlock } from './blockEdges.ts';
import { isFence, readRun, type DelimiterRun } from './codeDelimiter.ts';
import { nowhere } from '../finder.ts';
import type { MisspeltMarker } from '../misspeltMarker.ts';
import { dropInline, openCode } from './holds.ts';
import { lineHead } from './fieldHead.ts';
import { readHostResult } from './hostResult.ts';
import { openInert } from './inert.ts';
import type { Machine } from './machine.ts';
import { mendCutValue } from './mendCutValue.ts';
import { closeFieldOfMisspelt, openMisspelt, readMisspelt } from './misspeltBlock.ts';
import { readValueFence } from './valueFence.ts';
import { openRetired, closeRetired } from './retired.ts';
import { readReasoningTag } from './tags.ts';

/** Moves through text outside blocks. False if it must wait for more text or for an event. */
export function stepProse(machine: Machine): boolean {
  const { window } = machine;
  for (;;) {
    const from = machine.position;
    const less = machine.less.find(window, from);
    const tick = machine.tick.find(window, from);
    const tilde = machine.tilde.find(window, from);
    const bracket = machine.bracket.find(window, from);
    const begin = machine.begin.find(window, from);
    const finish =
      machine.bare?.open === true || machine.cutValue !== undefined || machine.misspelt?.isBlock === true
        ? machine.finish.find(window, from)
        : machine.limit;
    const next = Math.min(less, tick, tilde, bracket, begin, finish);
    if (next >= machine.limit) {
      machine.position = machine.limit;
      return false;
    }
    machine.position = next;
    if (next === less) {
      const step = stepLess(machine, next);
      if (step !== undefined) return step;
    } else if (next === tick || next === tilde) {
      const step = stepRun(machine, next);
      if (step !== undefined) return step;
    } else if (next === bracket) {
      const step = stepBracket(machine, next);
      if (step !== undefined) return step;
    } else if (next === begin) {
      const opener = readValueFence(machine, next);
      if (opener === 'more') return false;
      if (opener !== undefined) noteBareField(machine, opener);
      machine.position = next + 1;
    } else {
      const closer = readValueFence(machine, next);
      if (closer === 'more') return false;
      if (closer !== undefined) closeFieldOfMisspelt(machine, closer.end);
      if (closer?.kind === 'plain') {
        closeBareField(machine, closer.end);
        mendCutValue(machine, closer);
      }
      machine.position = next + 1;
    }
  }
}

/** At a `<`: a marker, a reasoning tag, or nothing. Undefined: go on in the prose. */
function stepLess(machine: Machine, at: number): boolean | undefined {
  const { window } = machine;
  const marker = readMarker(window.text, at - window.base, machine.atEnd);
  if (marker === 'more') return false;
  if (marker !== undefined) {
    const end = at + marker.length;
    const isEnd = marker.kind === 'end';
    const isEndOfMisspelt = endOutside(machine, at, isEnd ? { start: at, end } : undefined);
    machine.cutValue = undefined;
    if (marker.kind === 'start') {
      // At a line's head it ends the paragraph, so that a stray backtick before it hides no call.
      if (machine.holds.length > 0 && lineHead(machine, at, 0) !== undefined) dropInline(machine);
      openBlock(machine, at, end);
      return true;
    }
    if (marker.kind === 'result-start') {
      openInert(machine, 'echo', at, end, markers.resultEnd);
      return true;
    }
    if (isEnd && !isEndOfMisspelt) machine.out.diagnostics.push(strayEndDiagnostic({ start: at, end }));
    else if (marker.kind === 'legacy-start') openRetired(machine, 'legacy', at, end);
    else if (marker.kind === 'escaped-start') openRetired(machine, 'escaped', at, end);
    else if (marker.kind === 'legacy-end') closeRetired(machine, 'legacy', at, end);
    else if (marker.kind === 'escaped-end') closeRetired(machine, 'escaped', at, end);
    machine.position = end;
    return undefined;
  }
  const misspelt = readMisspelt(machine, at);
  if (misspelt === 'more') return false;
  if (misspelt !== undefined) {
    passMisspelt(machine, misspelt);
    return undefined;
  }
  const tag = readReasoningTag(machine, at);
  if (tag === 'more' || (tag !== undefined && tag.end > machine.limit)) return false;
  if (tag === undefined || tag.closing) {
    machine.position = at + 1;
    return undefined;
  }
  endOutside(machine, at);
  openInert(machine, 'reasoning', at, tag.end, tag.name);
  return true;
}

/** At a backtick or tilde: code may begin. */
function stepRun(machine: Machine, at: number): boolean | undefined {
  const run = readRun(machine, at);
  if (run === 'more') return false;
  machine.position = run?.end ?? at + 1;
  if (run === undefined || (run.character === '~' && !isFence(run))) return undefined;
  if (run.character === '`' && !isFence(run) && machine.holds.length === 0 && passInlineCode(machine, run))
    return undefined;
  openCode(machine, run, isFence(run));
  return true;
}

/** Inline code that closes on its own line and hides nothing needs no hold. */
function passInlineCode(machine: Machine, run: DelimiterRun): boolean {
  const { window } = machine;
  const close = machine.tick.find(window, run.end);
  if (close === nowhere || close > machine.newline.find(window, run.end)) return false;
  if (close > machine.less.find(window, run.end)) return false;
  const closing = readRun(machine, close);
  if (closing === undefined || closing === 'more' || closing.end - close !== run.end - run.start) return false;
  machine.out.region('prose', run.start);
  machine.out.region('code', closing.end);
  machine.position = closing.end;
  return true;
}

/** At a `[`: another host's result block or a misspelt marker may begin. */
function stepBracket(machine: Machine, at: number): boolean | undefined {
  const host = readHostResult(machine, at);
  if (host === 'more') return false;
  if (host !== undefined) {
    endOutside(machine, at);
    openInert(machine, 'echo', at, at + host.open.length, host.close);
    return true;
  }
  const misspelt = readMisspelt(machine, at);
  if (misspelt === 'more') return false;
  if (misspelt === undefined) machine.position = at + 1;
  else passMisspelt(machine, misspelt);
  return undefined;
}

/** A misspelt marker ends the text before it outside of blocks; a START begins a possible block. */
function passMisspelt(machine: Machine, marker: MisspeltMarker): void {
  endOutside(machine, marker.start, marker.kind === 'end' ? marker : undefined);
  if (marker.kind === 'start') openMisspelt(machine, marker);
  machine.position = marker.end;
}
