import { takeOutOfCode, type CodeSpan } from './takeOutOfCode.ts';
import { insertAt } from './textEdits.ts';
import type { TextEdit, TextRange } from '../../base/replyTypes.ts';
import type { VcpDiagnostic } from './types.ts';

/** A block in a fence or in inline code. */
export function fencedDiagnostic({ start, end }: TextRange, code: CodeSpan): VcpDiagnostic {
  const place = code.inline ? 'inline code' : 'a code fence';
  const callEnd = Math.min(end, code.content.end);
  return {
    code: 'fenced',
    severity: 'warning',
    start,
    end: callEnd,
    message: `This call is in ${place}, so it is shown, not run.`,
    fix: { title: `Take the call out of ${place}`, edits: takeOutOfCode({ start, end: callEnd }, code) },
  };
}

/** A block inside reasoning. */
export function inReasoningDiagnostic({ start, end }: TextRange): VcpDiagnostic {
  return {
    code: 'in-reasoning',
    severity: 'warning',
    start,
    end,
    message: 'This call is in the model’s reasoning, so it is not run.',
  };
}

/** A block inside an echoed result. */
export function echoedDiagnostic({ start, end }: TextRange): VcpDiagnostic {
  return {
    code: 'echoed-result',
    severity: 'warning',
    start,
    end,
    message: 'This call is in a result that the model repeats, so it is not run: a result is data.',
  };
}

/** An echoed result that has no end. */
export function unclosedEchoDiagnostic({ start, end }: TextRange): VcpDiagnostic {
  return {
    code: 'echoed-result',
    severity: 'warning',
    start,
    end,
    message: 'This result block never ends: the rest of the text counts as its content, and no call in it is run.',
  };
}

/** A reasoning tag that has no end. The fix closes it at `closeAt`: before the first call in it, if it has one. */
export function unclosedReasoningDiagnostic({ start, end }: TextRange, name: string, closeAt: number): VcpDiagnostic {
  return {
    code: 'unclosed-reasoning',
    severity: 'warning',
    start,
    end,
    message: `<${name}> is never closed: the rest of the text is reasoning, and no call in it is run.`,
    fix: { title: `Close it here with </${name}>`, edits: [insertAt(closeAt, `</${name}>`)] },
  };
}

/** A fence that never closes. The fix, if there is one, is `close`: before the first call after it, or at the end. */
export function unclosedFenceDiagnostic(
  { start, end }: TextRange,
  { close, isBeforeCall }: { close: TextEdit | undefined; isBeforeCall: boolean },
): VcpDiagnostic {
  const title = `Close the fence ${isBeforeCall ? 'before the call' : 'at the end'}`;
  return {
    code: 'unclosed-fence',
    severity: 'warning',
    start,
    end,
    message: 'This code fence is never closed, so it hides nothing: calls after it are read and run.',
    ...(close !== undefined && { fix: { title, edits: [close] } }),
  };
}
