import { markers } from './markers.ts';
import type { MisspeltMarker } from './misspeltMarker.ts';
import { insertAt, removeRange, replaceRange } from './textEdits.ts';
import type { TextRange, VcpDiagnostic } from './types.ts';

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
