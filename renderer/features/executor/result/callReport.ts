import { formatDuration, formatLimit } from '../../../../src-core/base/formatDuration.ts';
import { hasDuration } from '../../calls/verdictOf.ts';
import { fencedText } from '../../../ui/format/fencedText.ts';
import type { ShownCall } from './shownCall.ts';

/** A call as Markdown, to paste into an issue: what was asked, what came back. */
export function callReport(
  { qualifiedName, argsJson, startedAt, timeoutMs, result }: ShownCall,
  source: string,
): string {
  const code = result.error === undefined ? '' : `\n- error: ${result.error.code}`;
  const time = hasDuration(result) ? `, ${formatDuration(result.durationMs)}` : '';
  return [
    `## ${qualifiedName}`,
    `- source: ${source}\n- started: ${new Date(startedAt).toISOString()}\n- time allowed: ${formatLimit(timeoutMs)}`,
    `- ended: ${result.status}${time}${code}`,
    `Arguments\n\n${fencedText(argsJson, 'json')}`,
    `Answer\n\n${fencedText(result.result)}`,
  ].join('\n\n');
}
