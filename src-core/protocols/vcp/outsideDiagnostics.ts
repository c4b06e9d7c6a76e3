import { markers } from './markers.ts';
import type { MisspeltMarker } from './misspeltMarker.ts';
import { insertAt, removeRange, replaceRange } from './textEdits.ts';
import type { TextRange } from '../../base/replyTypes.ts';
import type { VcpDiagnostic } from './types.ts';

/** An END without a START. */
export function strayEndDiagnostic({ start, end }: TextRange): VcpDiagnostic {
  return {
    code: 'stray-end',
    severity: 'warning',
    start,
    end,
    message: `${markers.end} closes nothing: no block is open here.`,
    fix: { title: 'Remove the marker', edits: [removeRange({ start, end })] },
  };
}

/** Fields outside a block that name a tool. `after` is the END that follows them, good or misspelt. */
export function bareFieldsDiagnostic(
  { start, end }: TextRange,
  after: TextRange | MisspeltMarker | undefined,
): VcpDiagnostic {
  const edits = [insertAt(start, `${markers.start}\n`)];
  if (after === undefined) edits.push(insertAt(end, `\n${markers.end}`));
  else if ('written' in after) edits.push(replaceRange(after, markers.end));
  return {
    code: 'bare-fields',
    severity: 'error',
    start,
    end,
    message: `These fields stand outside a block, so nothing is run: a call goes between ${markers.start} and ${markers.end}.`,
    fix: { title: 'Put the fields in a block', edits },
  };
}

/** A block whose markers are of the retired or of the escaped kind. */
export function retiredBlockDiagnostic(kind: 'legacy' | 'escaped', start: TextRange, end?: TextRange): VcpDiagnostic {
  const word = kind === 'legacy' ? '_EXP' : '_ESCAPE';
  return {
    code: kind === 'legacy' ? 'legacy-marker' : 'escaped-block',
    severity: 'error',
    start: start.start,
    end: end?.end ?? start.end,
    message:
      kind === 'legacy'
        ? 'This block uses the retired marker TOOL_REQUEST_EXP, so it is not run.'
        : 'This block uses the marker TOOL_REQUEST_ESCAPE, which carries a call as data: it is not run.',
    fix: {
      title: `Take ${word} out of the marker${end === undefined ? '' : 's'}`,
      edits: [replaceRange(start, markers.start), ...(end === undefined ? [] : [replaceRange(end, markers.end)])],
    },
  };
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
  return {
    code: 'misspelt-marker',
    severity: isCall ? 'error' : 'warning',
    start: start.start,
    end: typeof end === 'object' ? end.end : (end ?? start.end),
    message:
      wrongEnd === undefined
        ? `“${start.written}” is not a marker${effect}. A block starts with ${markers.start}.`
        : `“${start.written}” and “${wrongEnd.written}” are not markers${effect}. A block starts with ${markers.start} and ends with ${markers.end}.`,
    fix: {
      title: edits.length === 1 ? `Write ${markers.start}` : `Write ${markers.start} and ${markers.end}`,
      edits,
    },
  };
}

/** A block whose END is misspelt, so that it has none. */
export function misspeltEndDiagnostic({ start, end, written }: MisspeltMarker): VcpDiagnostic {
  return {
    code: 'misspelt-marker',
    severity: 'error',
    start,
    end,
    message: `“${written}” is not a marker, so this block has no end and is not run. A block ends with ${markers.end}.`,
    fix: { title: `Write ${markers.end}`, edits: [replaceRange({ start, end }, markers.end)] },
  };
}

/** A misspelt marker between the fields of a block: it neither ends the block nor starts another. */
export function misspeltWithinDiagnostic({ kind, start, end, written }: MisspeltMarker): VcpDiagnostic {
  return {
    code: 'misspelt-marker',
    severity: 'warning',
    start,
    end,
    message: `“${written}” is not a marker, so the fields before and after it belong to the same call.`,
    fix: { title: `Write ${markers[kind]}`, edits: [replaceRange({ start, end }, markers[kind])] },
  };
}
