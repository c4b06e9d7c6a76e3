import { error, insertAt, removeRange, replaceRange, warning } from '../diagnostics.ts';
import { visibleText } from '../../base/hiddenCharacters.ts';
import { markers } from './markers.ts';
import type { MisspeltMarker } from './misspeltMarker.ts';
import type { TextRange } from '../../base/replyTypes.ts';
import type { VcpDiagnostic } from './types.ts';

/** An END without a START. */
export function strayEndDiagnostic(range: TextRange): VcpDiagnostic {
  const fix = { title: 'Remove the marker', edits: [removeRange(range)] };
  return warning('stray-end', range, `${markers.end} closes nothing: no block is open here.`, fix);
}

/** Fields outside a block that name a tool. `after` is the END that follows them, good or misspelt. */
export function bareFieldsDiagnostic(range: TextRange, after: TextRange | MisspeltMarker | undefined): VcpDiagnostic {
  const edits = [insertAt(range.start, `${markers.start}\n`)];
  if (after === undefined) edits.push(insertAt(range.end, `\n${markers.end}`));
  else if ('written' in after) edits.push(replaceRange(after, markers.end));
  const message = `These fields stand outside a block, so nothing is run: a call goes between ${markers.start} and ${markers.end}.`;
  return error('bare-fields', range, message, { title: 'Put the fields in a block', edits });
}

/** A block whose markers are of the retired or of the escaped kind. */
export function retiredBlockDiagnostic(kind: 'legacy' | 'escaped', start: TextRange, end?: TextRange): VcpDiagnostic {
  const word = kind === 'legacy' ? '_EXP' : '_ESCAPE';
  const title = end === undefined ? `Take ${word} out of the marker` : `Take ${word} out of the markers`;
  const edits = [replaceRange(start, markers.start), ...(end === undefined ? [] : [replaceRange(end, markers.end)])];
  const message =
    kind === 'legacy'
      ? 'This block uses the retired marker TOOL_REQUEST_EXP, so it is not run.'
      : 'This block uses the marker TOOL_REQUEST_ESCAPE, which carries a call as data: it is not run.';
  const range = { start: start.start, end: end?.end ?? start.end };
  return error(kind === 'legacy' ? 'legacy-marker' : 'escaped-block', range, message, { title, edits });
}

/**
 * A block whose START is misspelt. `end` is its misspelt END, its good END or, if it has none, the offset at which the fix
 * inserts one. Without a tool name (`isCall`) nothing says that a call was meant.
 */
export function misspeltBlockDiagnostic(
  start: MisspeltMarker,
  { end, isCall }: { end: MisspeltMarker | TextRange | number | undefined; isCall: boolean },
): VcpDiagnostic {
  const wrongEnd = typeof end === 'object' && 'written' in end ? end : undefined;
  const edits = [replaceRange(start, markers.start)];
  if (wrongEnd !== undefined) edits.push(replaceRange(wrongEnd, markers.end));
  else if (typeof end === 'number') edits.push(insertAt(end, `\n${markers.end}`));
  const effect = isCall ? ', so this call is not run' : '';
  const message =
    wrongEnd === undefined
      ? `“${visibleText(start.written)}” is not a marker${effect}. A block starts with ${markers.start}.`
      : `“${visibleText(start.written)}” and “${visibleText(wrongEnd.written)}” are not markers${effect}. A block starts with ${markers.start} and ends with ${markers.end}.`;
  const title =
    edits.length === 1
      ? `Correct the marker to ${markers.start}`
      : `Correct the markers to ${markers.start} and ${markers.end}`;
  const range = { start: start.start, end: typeof end === 'object' ? end.end : (end ?? start.end) };
  return (isCall ? error : warning)('misspelt-marker', range, message, { title, edits });
}

/** A block whose END is misspelt, so that it has none. */
export function misspeltEndDiagnostic(marker: MisspeltMarker): VcpDiagnostic {
  const message = `“${visibleText(marker.written)}” is not a marker, so this block has no end and is not run. A block ends with ${markers.end}.`;
  return error('misspelt-marker', marker, message, writeMarker(marker, markers.end));
}

/** A misspelt marker between the fields of a block: it neither ends the block nor starts another. */
export function misspeltWithinDiagnostic(marker: MisspeltMarker): VcpDiagnostic {
  const message = `“${visibleText(marker.written)}” is not a marker, so the fields before and after it belong to the same call.`;
  return warning('misspelt-marker', marker, message, writeMarker(marker, markers[marker.kind]));
}

function writeMarker(range: TextRange, marker: string): NonNullable<VcpDiagnostic['fix']> {
  return { title: `Correct the marker to ${marker}`, edits: [replaceRange(range, marker)] };
}
