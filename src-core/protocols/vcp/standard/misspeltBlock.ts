import { misspeltBlockDiagnostic, misspeltEndDiagnostic, misspeltWithinDiagnostic } from '../outsideDiagnostics.ts';
import { readMisspeltMarker, type MisspeltMarker } from '../misspeltMarker.ts';
import { isLineSpace } from '../characters.ts';
import type { TextRange } from '../../../base/replyTypes.ts';
import { skipBackToLineHead } from './fieldHead.ts';
import { loneMarkerAfter, loneMarkerBefore } from './loneMarker.ts';
import type { Machine } from './machine.ts';
import { onlySeparators } from './separators.ts';
import type { BlockBuilder, FieldHead } from './state.ts';

/** Reads the misspelt marker whose first `<` or whose `[` is at `at`, in offsets of the whole text. */
export function readMisspelt(machine: Machine, at: number): MisspeltMarker | 'more' | undefined {
  const { window } = machine;
  const { text, base } = window;
  // A run of angle brackets is read from its first one.
  if (window.codeAt(at) === 0x3c && window.codeAt(at - 1) === 0x3c) return undefined;
  const marker = readMisspeltMarker(text, at - base, machine);
  if (marker === undefined || marker === 'more') return marker;
  return { ...marker, start: marker.start + base, end: marker.end + base };
}

/** A misspelt START in the prose: what follows is its block, if fields do or if it stands alone on its line. */
export function openMisspelt(machine: Machine, marker: MisspeltMarker): void {
  machine.misspelt = { marker, isBlock: undefined, isCall: false, fieldsEnd: undefined };
}

/**
 * A field in the prose at `field` follows no other: the START right before it, however it is written. `isOpen` says that it
 * is the one of `misspelt`, all of which is now known.
 */
export function startBefore(
  machine: Machine,
  field: number,
  floor: number,
): { marker: MisspeltMarker; isOpen: boolean } | undefined {
  const marker = loneMarkerBefore(machine, field, floor);
  if (marker?.kind !== 'start') return undefined;
  const { misspelt } = machine;
  const isOpen = misspelt !== undefined && marker.start < misspelt.marker.end;
  if (isOpen && marker.start <= misspelt.marker.start) misspelt.marker = marker;
  return { marker, isOpen };
}

/** A field in the prose after a misspelt START, right after it or somewhere below it. */
export function noteFieldOfMisspelt(machine: Machine, head: FieldHead): void {
  const { misspelt } = machine;
  if (misspelt === undefined) return;
  misspelt.isBlock ??=
    onlySeparators(machine, misspelt.marker.end, head.start) || standsAlone(machine, misspelt.marker, head.start);
  if (!misspelt.isBlock) return;
  if (head.key === 'tool_name') misspelt.isCall = true;
  misspelt.fieldsEnd = undefined;
}

/** A 「末」 in the prose, in any writing. */
export function closeFieldOfMisspelt({ misspelt }: Machine, end: number): void {
  if (misspelt?.isBlock === true) misspelt.fieldsEnd ??= end;
}

/**
 * The block of a misspelt START ends at `at`: by an END, a good one or another misspelt one, or without any. Reports it, and
 * returns whether it was a block, so that `end` is its END.
 */
export function closeMisspelt(machine: Machine, at: number, end?: MisspeltMarker | TextRange): boolean {
  const { misspelt } = machine;
  if (misspelt === undefined) return false;
  machine.misspelt = undefined;
  const { marker, isCall, fieldsEnd } = misspelt;
  if (!(misspelt.isBlock ?? standsAlone(machine, marker, at))) return false;
  machine.bare = undefined;
  const ownEnd = end ?? (fieldsEnd === undefined ? undefined : (endAfter(machine, fieldsEnd, at) ?? fieldsEnd));
  machine.out.diagnostics.push(misspeltBlockDiagnostic(marker, { end: ownEnd, isCall }));
  return true;
}

/** The END without angle brackets right after the field that ends at `field`; the text is there up to `upTo`. */
export function endAfter(machine: Machine, field: number, upTo: number): MisspeltMarker | undefined {
  const marker = loneMarkerAfter(machine, field, upTo);
  return marker?.kind === 'end' ? marker : undefined;
}

/** Whether nothing else is on the line of a marker with angle brackets; the text is there up to `upTo`. */
function standsAlone(machine: Machine, { start, end, isAngled }: MisspeltMarker, upTo: number): boolean {
  const { window } = machine;
  if (!isAngled) return false;
  const head = skipBackToLineHead(machine, start, 0);
  if (head >= 0 && window.codeAt(head) !== 0x0a) return false;
  let at = end;
  while (at < upTo && isLineSpace(window.codeAt(at))) at++;
  return at >= machine.end || window.codeAt(at) === 0x0a;
}

/** A misspelt marker between fields; the first one after a field is kept. */
export function noteMisspeltWithin(block: BlockBuilder, marker: MisspeltMarker): void {
  if (block.fields.length > 0) block.misspelt ??= marker;
}

/** Text after a field of the block, up to the next one or up to the end of a block without END: it may hold a marker. */
export function noteLoneWithin(machine: Machine, block: BlockBuilder, upTo: number): void {
  const field = block.fields.at(-1);
  if (field !== undefined) block.misspelt ??= loneMarkerAfter(machine, field.end, upTo);
}

/** The block is over. Returns whether its missing END has been reported: its misspelt END is why there is none. */
export function reportMisspeltWithin(machine: Machine, { misspelt, fields }: BlockBuilder, hasEnd: boolean): boolean {
  if (misspelt === undefined) return false;
  const { diagnostics } = machine.out;
  if (!hasEnd && misspelt.kind === 'end') {
    diagnostics.push(misspeltEndDiagnostic(misspelt));
    return true;
  }
  if ((fields.at(-1)?.start ?? 0) > misspelt.end) diagnostics.push(misspeltWithinDiagnostic(misspelt));
  return false;
}
