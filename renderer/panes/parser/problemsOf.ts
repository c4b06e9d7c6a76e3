import type { ParsedCallView, ReplyRequest } from '../../../src-core/api/types.ts';
import { explainError } from '../../calls/explainError.ts';
import { wordDiagnostic } from '../../calls/wordDiagnostic.ts';
import type { VcpProblem } from '../../editor/vcp/vcpContext.ts';
import { wordEngine } from '../../i18n/engine/wordEngine.ts';
import { t, type Language } from '../../i18n/index.ts';
import type { Reading } from './useParse.ts';

const ranks = { error: 0, warning: 1, info: 2 };

/**
 * Everything in a text that keeps a call from running or should be known about it, errors first: what the reading reports,
 * names that mean no method, methods that models may not call, and arguments that do not fit.
 */
export function problemsOf(reading: Reading, language: Language): VcpProblem[] {
  const reported = reading.diagnostics.map((diagnostic): VcpProblem => {
    const { code, severity, start, end, fix } = diagnostic;
    const words = wordDiagnostic(diagnostic, language);
    const problem = { code, severity, start, end, title: t(`parser.code.${code}`), why: words.why };
    return fix === undefined ? problem : { ...problem, fix: { title: words.fix ?? fix.title, edits: fix.edits } };
  });
  const ofCalls = reading.calls.flatMap((call) => problemsOfCall(reading, call));
  return [...reported, ...ofCalls].sort((a, b) => ranks[a.severity] - ranks[b.severity] || a.start - b.start);
}

function problemsOfCall({ requests }: Reading, call: ParsedCallView): VcpProblem[] {
  const request = requests[call.request];
  if (request === undefined) return [];
  const { resolution } = call;
  const isSerial = (request.calls?.length ?? 0) > 1;
  const named = rangeOf(request.fields, ['tool_name']) ?? request.range;
  if (!resolution.ok) {
    const { error } = resolution;
    const { what, why } = explainError(error, { fromDevice: false });
    const [nearest] = error.candidates ?? [];
    const place = call.command === undefined && !isSerial ? rangeOf(request.fields, ['tool_name']) : undefined;
    const problem: VcpProblem = { code: error.code, severity: 'error', ...named, title: what, why };
    if (nearest === undefined || place === undefined) return [problem];
    const fix = { title: t('parser.problems.useName', { name: nearest }), edits: [{ ...place, newText: nearest }] };
    return [{ ...problem, fix }];
  }
  const base = { severity: 'error', ...named } as const;
  if (!resolution.agentCallable) {
    const title = t('parser.problems.notCallable');
    return [{ ...base, code: 'not-agent-callable', title, why: t('parser.calls.notCallable') }];
  }
  return call.arguments.flatMap(({ name, verdict, message }): VcpProblem[] => {
    if (verdict !== 'invalid' && verdict !== 'missing' && verdict !== 'unknown') return [];
    const place = rangeOf(request.fields, [name]) ?? named;
    const title = t(`parser.problems.argument.${verdict}`, { name });
    const why = verdict === 'invalid' && message !== undefined ? wordEngine(message) : '';
    const severity = verdict === 'unknown' ? 'warning' : 'error';
    return [{ code: `argument-${verdict}`, severity, ...place, title, why }];
  });
}

function rangeOf(fields: ReplyRequest['fields'], keys: readonly string[]): { start: number; end: number } | undefined {
  const range = fields.findLast(({ key }) => keys.includes(key))?.valueRange;
  return range === undefined ? undefined : { start: range.start, end: range.end };
}
