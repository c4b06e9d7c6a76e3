import { markers } from './markers.ts';
import type { MisspeltMarker } from './misspeltMarker.ts';
import { insertAt, replaceRange } from './textEdits.ts';
import type { TextRange, VcpDiagnostic } from './types.ts';

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
