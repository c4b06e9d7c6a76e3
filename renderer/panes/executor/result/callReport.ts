import { fencedText } from '../../../format/fencedText.ts';
import type { ShownCall } from './shownCall.ts';

/** A call as Markdown, to paste into an issue: what was asked, what came back. */
export function callReport(
  { qualifiedName, argsJson, startedAt, timeoutMs, result }: ShownCall,
  source: string,
): string {
  const code = result.error === undefined ? '' : `\n- error: ${result.error.code}`;
  return [
    `## ${qualifiedName}`,
    `- source: ${source}\n- started: ${new Date(startedAt).toISOString()}\n- time allowed: ${String(timeoutMs)} ms`,
    `- ended: ${result.status}, ${String(Math.round(result.durationMs))} ms${code}`,
    `Arguments\n\n${fencedText(argsJson, 'json')}`,
    `Answer\n\n${fencedText(result.result)}`,
  ].join('\n\n');
}
