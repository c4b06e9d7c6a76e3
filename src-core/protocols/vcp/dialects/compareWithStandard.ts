import type { VcpDiagnostic, VcpDiagnosticCode, VcpRequest } from '../types.ts';
import { hostDefect } from './hostReading.ts';

const contexts = new Map<VcpDiagnosticCode, string>([
  ['fenced', 'it stands in code, where it is only shown'],
  ['in-reasoning', 'it stands in the model’s reasoning'],
  ['echoed-result', 'it stands in a repeated result, which is data'],
]);

/**
 * Forms that no host accepts as a block: the standard parser's report of them also holds for a host that does not run
 * them.
 */
const notSeen = new Set<VcpDiagnosticCode>(['bare-fields', 'misspelt-marker', 'legacy-marker', 'escaped-block']);

/**
 * What the standard parser adds to a host's: the calls that the host runs although the context marks them as not meant
 * to run, and what looks like a call outside every block that it sees.
 */
export function compareWithStandard(
  requests: readonly VcpRequest[],
  standard: readonly VcpDiagnostic[],
): VcpDiagnostic[] {
  const reasons = new Map<number, string>();
  const outside: VcpDiagnostic[] = [];
  let next = 0;
  for (const diagnostic of standard) {
    const { code, start } = diagnostic;
    const reason = contexts.get(code);
    if (reason !== undefined) reasons.set(start, reason);
    while ((requests[next]?.range.end ?? Infinity) <= start) next++;
    const seen = requests[next];
    if (notSeen.has(code) && (seen === undefined || seen.range.start > diagnostic.start)) outside.push(diagnostic);
  }
  const ignored = requests.flatMap(({ range }) => {
    const reason = reasons.get(range.start);
    return reason === undefined ? [] : [hostDefect(range, `This host runs the call although ${reason}.`)];
  });
  return [...ignored, ...outside];
}
