import type { TextDiagnostic, TextEdit, TextRange } from '../base/replyTypes.ts';

type Fix = TextDiagnostic['fix'];

/** A diagnostic of something that is not run, or not as it was probably meant. */
export const error = <Code extends string>(code: Code, range: TextRange, message: string, fix?: Fix) =>
  diagnostic(code, 'error', range, { message, fix });

/** A diagnostic of something that runs, but probably not as meant, or that is not run on purpose. */
export const warning = <Code extends string>(code: Code, range: TextRange, message: string, fix?: Fix) =>
  diagnostic(code, 'warning', range, { message, fix });

function diagnostic<Code extends string>(
  code: Code,
  severity: TextDiagnostic['severity'],
  { start, end }: TextRange,
  { message, fix }: { message: string; fix: Fix },
): TextDiagnostic<Code> {
  return { code, severity, start, end, message, ...(fix !== undefined && { fix }) };
}

/** Puts text at an offset. */
export function insertAt(offset: number, newText: string): TextEdit {
  return { start: offset, end: offset, newText };
}

/** Puts text in the place of a range. */
export function replaceRange({ start, end }: TextRange, newText: string): TextEdit {
  return { start, end, newText };
}

/** Takes a range out. */
export function removeRange({ start, end }: TextRange): TextEdit {
  return { start, end, newText: '' };
}

/** A call inside reasoning. */
export const inReasoningDiagnostic = (range: TextRange) =>
  warning('in-reasoning', range, 'This call is in the model’s reasoning, so it is not run.');

/** A call inside an echoed result. */
export const echoedDiagnostic = (range: TextRange) =>
  warning(
    'echoed-result',
    range,
    'This call is in a result that the model repeats, so it is not run: a result is data.',
  );

/** A fence that never closes. The fix, if there is one, is `close`: before the first call after it, or at the end. */
export function unclosedFenceDiagnostic(
  range: TextRange,
  { close, isBeforeCall }: { close: TextEdit | undefined; isBeforeCall: boolean },
) {
  const message = 'This code fence is never closed, so it hides nothing: calls after it are read and run.';
  const title = isBeforeCall ? 'Close the fence before the call' : 'Close the fence at the end';
  return warning('unclosed-fence', range, message, close && { title, edits: [close] });
}

/** A key that comes twice: the last counts. `earlier` is what the fix removes. */
export function duplicateKeyDiagnostic(key: string, earlier: TextRange, keyRange: TextRange) {
  const fix = { title: 'Remove the earlier one', edits: [removeRange(earlier)] };
  return warning('duplicate-key', keyRange, `“${shorten(key, 60)}” comes more than once: the last value counts.`, fix);
}

/** The same call as an earlier one. */
export function repeatedCallDiagnostic(range: TextRange, toolName: string) {
  const message = `${shorten(toolName, 120)} is called with the same arguments more than once: it runs each time.`;
  return warning('repeated-call', range, message);
}

const shorten = (text: string, length: number): string => text.slice(0, length).toWellFormed();
