import { insertAt, warning } from '../diagnostics.ts';
import { takeOutOfCode, type CodeSpan } from './takeOutOfCode.ts';
import type { TextRange } from '../../base/replyTypes.ts';
import type { VcpDiagnostic } from './types.ts';

/** A block in a fence or in inline code. */
export function fencedDiagnostic({ start, end }: TextRange, code: CodeSpan): VcpDiagnostic {
  const place = code.inline ? 'inline code' : 'a code fence';
  const range = { start, end: Math.min(end, code.content.end) };
  const fix = { title: `Take the call out of ${place}`, edits: takeOutOfCode(range, code) };
  return warning('fenced', range, `This call is in ${place}, so it is shown, not run.`, fix);
}

/** An echoed result that has no end. */
export function unclosedEchoDiagnostic(range: TextRange): VcpDiagnostic {
  const message = 'This result block never ends: the rest of the text counts as its content, and no call in it is run.';
  return warning('echoed-result', range, message);
}

/** A reasoning tag that has no end. The fix closes it at `closeAt`: before the first call in it, if it has one. */
export function unclosedReasoningDiagnostic(range: TextRange, name: string, closeAt: number): VcpDiagnostic {
  const message = `<${name}> is never closed: the rest of the text is reasoning, and no call in it is run.`;
  const fix = { title: `Close it here with </${name}>`, edits: [insertAt(closeAt, `</${name}>`)] };
  return warning('unclosed-reasoning', range, message, fix);
}
