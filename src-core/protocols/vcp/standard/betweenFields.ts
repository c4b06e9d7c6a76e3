import { markers, readMarker } from '../markers.ts';
import { isFence, readRun } from './codeDelimiter.ts';
import { abandonBlock, openBlock } from './blockEdges.ts';
import { readFieldHead } from './fieldHead.ts';
import { finishBlock } from './finishBlock.ts';
import { openCode } from './holds.ts';
import { readHostResult } from './hostResult.ts';
import { openInert } from './inert.ts';
import type { Machine } from './machine.ts';
import { noteMisspeltWithin, readMisspelt } from './misspeltBlock.ts';
import { noteSecondCloser } from './mendCutValue.ts';
import { readValueFence } from './valueFence.ts';
import { readReasoningTag } from './tags.ts';
import { openField, passPlainFields } from './value.ts';

/** What may begin something, among ASCII. */
const notable = new Uint8Array(0x80);
for (const character of ',<[\\`~') notable[character.charCodeAt(0)] = 1;

/** Moves through the text between fields. False if it must wait. */
export function stepBetweenFields(machine: Machine): boolean {
  const { window, block } = machine;
  if (block === undefined) return false;
  if (passPlainFields(machine)) return true;
  const { text, base } = window;
  const limit = machine.limit - base;
  const from = machine.position - base;
  let i = from;
  // Most of it is a comma and a line break: nothing to look at.
  for (; i < limit; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80 ? notable[code] === 1 : code === 0x59cb || code === 0x672b) break;
  }
  machine.position = i + base;
  if (i >= limit) return false;
  const at = machine.position;
  const code = text.charCodeAt(i);
  switch (code) {
    case 0x2c:
      machine.position = at + 1;
      if (at === machine.tokenEnd && block.fields.at(-1)?.end === at) machine.out.extend(at + 1);
      return true;
    case 0x3c:
      return stepLess(machine, at);
    case 0x59cb:
      return stepBegin(machine, at);
    case 0x672b:
      return stepFinish(machine, at);
    case 0x5c:
      return stepBackslash(machine, at);
    case 0x5b:
      return stepBracket(machine, at);
    default:
      return stepRun(machine, at);
  }
}

function stepLess(machine: Machine, at: number): boolean {
  const { window } = machine;
  const marker = readMarker(window.text, at - window.base, machine.atEnd);
  if (marker === 'more') return false;
  if (marker?.kind === 'end') finishBlock(machine, at, at + marker.length);
  else if (marker?.kind === 'start') {
    abandonBlock(machine, at);
    openBlock(machine, at, at + marker.length);
  } else if (marker?.kind === 'result-start') openInert(machine, 'echo', at, at + marker.length, markers.resultEnd);
  else if (marker !== undefined) machine.position = at + marker.length;
  else {
    const misspelt = passMisspelt(machine, at);
    if (misspelt !== undefined) return misspelt;
    const tag = readReasoningTag(machine, at);
    if (tag === 'more' || (tag !== undefined && tag.end > machine.limit)) return false;
    if (tag === undefined || tag.closing) machine.position = at + 1;
    else openInert(machine, 'reasoning', at, tag.end, tag.name);
  }
  return true;
}

/** At 始: a field, if a key and a colon precede its fence. */
function stepBegin(machine: Machine, at: number): boolean {
  const opener = readValueFence(machine, at);
  if (opener === 'more') return false;
  const head = opener === undefined ? undefined : readFieldHead(machine, opener.start, machine.tokenEnd);
  if (opener === undefined || head === undefined) machine.position = at + 1;
  else openField(machine, opener, head);
  return true;
}

/** At 末: the value before it ended too early, as it contained a 「末」. */
function stepFinish(machine: Machine, at: number): boolean {
  const closer = readValueFence(machine, at);
  if (closer === 'more') return false;
  if (closer !== undefined) noteSecondCloser(machine, closer);
  machine.position = at + 1;
  return true;
}

/** The two characters `\n`, meant as a line break. */
function stepBackslash(machine: Machine, at: number): boolean {
  if (at + 1 >= machine.end && !machine.atEnd) return false;
  if (machine.window.codeAt(at + 1) === 0x6e) machine.block?.literalNewlines.push(at);
  machine.position = at + 1;
  return true;
}

function stepBracket(machine: Machine, at: number): boolean {
  const host = readHostResult(machine, at);
  if (host === 'more') return false;
  if (host !== undefined) {
    openInert(machine, 'echo', at, at + host.open.length, host.close);
    return true;
  }
  const misspelt = passMisspelt(machine, at);
  if (misspelt === undefined) machine.position = at + 1;
  return misspelt ?? true;
}

/** A misspelt marker is skipped as a whole. Undefined if there is none, false if more text is needed. */
function passMisspelt(machine: Machine, at: number): boolean | undefined {
  const misspelt = readMisspelt(machine, at);
  if (misspelt === 'more') return false;
  if (misspelt === undefined) return undefined;
  if (machine.block !== undefined) noteMisspeltWithin(machine.block, misspelt);
  machine.position = misspelt.end;
  return true;
}

/** A fence between fields may hide a whole block that is only shown. */
function stepRun(machine: Machine, at: number): boolean {
  const run = readRun(machine, at);
  if (run === 'more') return false;
  machine.position = run?.end ?? at + 1;
  if (run !== undefined && isFence(run)) openCode(machine, run, true);
  return true;
}
