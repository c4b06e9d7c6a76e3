import { error, replaceRange, warning } from '../diagnostics.ts';
import { fences } from './markers.ts';
import type { TextEdit, TextRange } from '../../base/replyTypes.ts';
import type { VcpDiagnostic, VcpField } from './types.ts';

const useEscape = 'Use 「始ESCAPE」…「末ESCAPE」';

/** What these diagnostics need to know of a field. */
interface ReportedField {
  start: number;
  key: string;
  opener: TextRange;
  kind: string;
  problem?: string | undefined;
  doubt?: boolean;
  edits: TextEdit[];
}

/** A field whose key, colon or fences are not what the grammar asks for. */
export function malformedFieldDiagnostic({ start, doubt, problem = '', edits }: ReportedField, end: number) {
  const title = 'Write the field as key:「始」value「末」';
  const fix = edits.length > 0 ? { title, edits } : undefined;
  if (doubt === true) return warning('malformed-field', { start, end }, `Look at this field: ${problem}.`, fix);
  const message = `This field cannot be read, so the call is not run: ${problem}.`;
  return error('malformed-field', { start, end }, message, fix);
}

/** A field in the retired 「始exp」 writing. */
export function retiredFieldDiagnostic({ start, key, opener, edits }: ReportedField, closer: TextRange): VcpDiagnostic {
  const message = `“${key}” uses the retired fences 「始exp」…「末exp」, so the call is not run.`;
  const fix = { title: useEscape, edits: [...edits, ...escapeEdits(opener, closer)] };
  return error('legacy-marker', { start, end: closer.end }, message, fix);
}

/** Closing fences that a model mistakes for the right one, at the end of a value. */
const nearFences = ['「末ESCAPE」', '「末exp」', '「未」', '「末「', '『末』', '{末}', '「末}', '「末'];

/**
 * A value without its closing fence. `text` is the value as far as it was read on, `wrong` a fence of the other kind
 * that ended it. The message shows the guess: the text that the fix would make the value.
 */
export function unclosedValueDiagnostic(
  field: ReportedField,
  text: string,
  wrong?: TextRange & { written: string },
): VcpDiagnostic {
  const escaped = field.kind === 'escaped';
  const close = escaped ? fences.escapeClose : field.kind === 'legacy' ? '「末exp」' : fences.close;
  let length = text.trimEnd().length;
  if (text[length - 1] === ',' || text[length - 1] === '，') length = text.slice(0, length - 1).trimEnd().length;
  const near = nearFences.find((fence) => fence !== close && text.startsWith(fence, length - fence.length));
  const valueEnd = field.opener.end + length - (near?.length ?? 0);
  const guess = excerpt(text.slice(0, length - (near?.length ?? 0)));
  const place = wrong ?? { start: valueEnd, end: valueEnd + (near?.length ?? 0) };
  const found = wrong?.written ?? near;
  const range = { start: field.start, end: place.end };
  const isOpen = found === undefined || found === '「末';
  // Nothing says that nothing was meant.
  if (isOpen && guess === '')
    return error('unclosed-value', range, `The value of “${field.key}” has no ${close}, so the call is not run.`);
  const message = isOpen
    ? `The value of “${field.key}” has no ${close}, so the call is not run. It was probably meant to be “${guess}”.`
    : guess === ''
      ? `The value of “${field.key}” ends with ${found}, not with ${close}, so the call is not run.`
      : `The value of “${field.key}” ends with ${found}, not with ${close}, so the call is not run. It was probably meant to be “${guess}”.`;
  const fix = { title: `Close the value with ${close}`, edits: [...field.edits, replaceRange(place, close)] };
  return { ...error('unclosed-value', range, message, fix), guess };
}

/** A marker alone on its line stands inside the value that `closer` closes. */
export function mendToEscape(
  diagnostic: VcpDiagnostic,
  { key, opener, closer }: { key: string; opener: TextRange; closer: TextRange },
): void {
  diagnostic.message = `A marker on a line of its own ends the value of “${key}”, so the call is not run. In an escaped value, the marker is plain text.`;
  diagnostic.fix = escapeFix(opener, closer);
  delete diagnostic.guess;
}

function escapeFix(opener: TextRange, closer: TextRange): NonNullable<VcpDiagnostic['fix']> {
  return { title: 'Escape the value, so that a marker in it is data', edits: escapeEdits(opener, closer) };
}

function escapeEdits(opener: TextRange, closer: TextRange): TextEdit[] {
  return [replaceRange(opener, fences.escapeOpen), replaceRange(closer, fences.escapeClose)];
}

/** A second 「末」 after a value: the value may have been cut at the first. */
export function secondCloserDiagnostic({ key, valueRange }: VcpField, closer: TextRange): VcpDiagnostic {
  const opener = { start: valueRange.start - fences.open.length, end: valueRange.start };
  const message = `The value of “${key}” ends at its first 「末」; another one follows. If the first belongs to the value, it needs ESCAPE.`;
  return warning('malformed-field', { start: valueRange.end, end: closer.end }, message, escapeFix(opener, closer));
}

/** Another closing fence after a value with look-alike fences: without ESCAPE, the first would cut the value. */
export function mendLoose({ diagnostic, opener }: { diagnostic: VcpDiagnostic; opener: TextRange }, closer: TextRange) {
  diagnostic.end = closer.end;
  if (diagnostic.fix === undefined) return;
  const edits = diagnostic.fix.edits.filter(({ end }) => end <= opener.start);
  diagnostic.fix = { title: useEscape, edits: [...edits, ...escapeEdits(opener, closer)] };
}

/** As much of a text as a message can show. */
export function excerpt(text: string, length = 60): string {
  const line = text.trim().replaceAll('\r', '').replaceAll('\n', '⏎');
  return line.length <= length ? line : `${line.slice(0, length).toWellFormed().replaceAll('\ufffd', '')}…`;
}
