import { strayEndDiagnostic } from '../outsideDiagnostics.ts';
import { markers, readMarker } from '../markers.ts';
import { closeBareField, endOutside, noteBareField } from './bareFields.ts';
import { openBlock } from './blockEdges.ts';
import { isFence, readRun } from './codeDelimiter.ts';
import { nowhere } from '../finder.ts';
import type { MisspeltMarker } from '../misspeltMarker.ts';
import { dropInline, openCode } from './holds.ts';
import { lineHead } from './fieldHead.ts';
import { readHostResult } from './hostResult.ts';
import { openInert } from './inert.ts';
import type { Machine } from './machine.ts';
import { closeCutValue, endCutValue } from './mendCutValue.ts';
import { closeFieldOfMisspelt, openMisspelt, readMisspelt } from './misspeltBlock.ts';
import { readValueFence } from './valueFence.ts';
import { openRetired, closeRetired } from './retired.ts';
import { readReasoningTag } from './tags.ts';

/** Characters outside blocks that may begin something; `$` is the end of the text so far. All of it looks a few characters ahead. */
const tokens = [
  '`',
  '~(?=~~|~?$)',
  // A marker, a tag or a misspelt marker: at most a blank or `/` is between the bracket and what tells.
  String.raw`<(?=[<\[&\{\/tTrReE\u0080-\uffff]|\s(?:[<\[&\{\/tTrReE\s\u0080-\uffff]|$)|$)`,
  String.raw`\[(?=[\[ \/]|[tT](?:[oO _\-]|$)|[eE](?:[nN _\-]|$)|$)`,
  '(?<=[「」『』{}【】〖〗《》"\'\\[\\]<>()])始',
];
const nextToken = new RegExp(tokens.join('|'), 'g');
/** While a closing fence would say something, too. */
const nextTokenOrFinish = new RegExp([...tokens, '末'].join('|'), 'g');

/** Moves through text outside blocks. False if it must wait for more text or for an event. */
export function stepProse(machine: Machine): boolean {
  for (;;) {
    const isFree = machine.holds.length === 0 && machine.position >= machine.eventsFrom;
    const next = isFree ? findToken(machine) : findTokenInHold(machine);
    if (next >= machine.limit) {
      machine.position = machine.limit;
      return false;
    }
    machine.position = next;
    const step = stepToken(machine, next);
    if (step !== undefined) return step;
  }
}

function wantsFinish({ bare, cutValue, misspelt }: Machine): boolean {
  const awaitsCloser = cutValue !== undefined && cutValue.closer === undefined;
  return bare?.open === true || awaitsCloser || misspelt?.isBlock === true;
}

/** The fast way: nothing is open, so one pass finds what is next. Inline code that hides nothing is passed. */
function findToken(machine: Machine): number {
  const { text, base } = machine.window;
  const token = wantsFinish(machine) ? nextTokenOrFinish : nextToken;
  token.lastIndex = machine.position - base;
  while (token.test(text)) {
    const at = token.lastIndex - 1;
    if (text.charCodeAt(at) !== 0x60 || !passInlineCode(machine, at)) return at + base;
    token.lastIndex = machine.position - base;
  }
  return nowhere;
}

/** Inline code between two single backticks, which closes on its own line and holds no `<`, needs no hold. `start` is in the window. */
function passInlineCode(machine: Machine, start: number): boolean {
  const { text, base } = machine.window;
  if (text.charCodeAt(start - 1) === 0x60) return false;
  let close = start + 1;
  for (; close < text.length; close++) {
    const code = text.charCodeAt(close);
    if (code === 0x60) break;
    if (code === 0x0a || code === 0x3c) return false;
  }
  const end = close + 1;
  if (close === start + 1 || end > text.length || text.charCodeAt(end) === 0x60) return false;
  // The run may go on in the next chunk.
  if (end === text.length && !machine.atEnd) return false;
  machine.out.region('prose', start + base);
  machine.out.region('code', end + base);
  machine.position = end + base;
  return true;
}

/** Backticks and tildes that `parseStandard.ts` has passed begin nothing: its finders are used. */
function findTokenInHold(machine: Machine): number {
  const { window, position: from } = machine;
  return Math.min(
    machine.less.find(window, from),
    machine.tick.find(window, from),
    machine.tilde.find(window, from),
    machine.bracket.find(window, from),
    machine.begin.find(window, from),
    wantsFinish(machine) ? machine.finish.find(window, from) : nowhere,
  );
}

/** Undefined: go on in the prose. */
function stepToken(machine: Machine, at: number): boolean | undefined {
  switch (machine.window.codeAt(at)) {
    case 0x3c:
      return stepLess(machine, at);
    case 0x5b:
      return stepBracket(machine, at);
    case 0x59cb: {
      const opener = readValueFence(machine, at);
      if (opener === 'more') return false;
      if (opener !== undefined) noteBareField(machine, opener);
      machine.position = at + 1;
      return undefined;
    }
    case 0x672b: {
      const closer = readValueFence(machine, at);
      if (closer === 'more') return false;
      if (closer !== undefined) closeFieldOfMisspelt(machine, closer.end);
      if (closer?.kind === 'plain') {
        closeBareField(machine, closer.end);
        closeCutValue(machine, closer);
      }
      machine.position = at + 1;
      return undefined;
    }
    default:
      return stepRun(machine, at);
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
    const isEndOfCut = isEnd && endCutValue(machine);
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
    if (isEnd && !isEndOfMisspelt && !isEndOfCut) machine.out.diagnostics.push(strayEndDiagnostic({ start: at, end }));
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
  const { window, holds } = machine;
  if (holds.length === 0 && window.codeAt(at) === 0x60 && passInlineCode(machine, at - window.base)) return undefined;
  const run = readRun(machine, at);
  if (run === 'more') return false;
  machine.position = run?.end ?? at + 1;
  if (run === undefined || (run.character === '~' && !isFence(run))) return undefined;
  openCode(machine, run, isFence(run));
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
