import { createRequestIds } from '../requestIds.ts';
import { readAsAioHub } from './dialects/aioHub.ts';
import { hostDefect } from './dialects/hostReading.ts';
import { readAsVcpToolbox } from './dialects/vcpToolbox.ts';
import { StandardParser } from './standard/parseStandard.ts';
import type { VcpDiagnostic, VcpParseResult, VcpParser, VcpParserOptions, VcpRequest } from './types.ts';
import type { VcpDiagnosticCode, VcpDialect } from '../../base/replyTypes.ts';

/**
 * An incremental parse of a model's text (docs/protocols/vcp.md#parse-result). `feed` takes it in pieces of any size, `end` gives the
 * result, which does not depend on the cuts. In dialect `standard` a request is announced as soon as its END has come;
 * the hosts read a finished reply, so their dialects announce at the end.
 */
export function createVcpParser(options: VcpParserOptions = {}): VcpParser {
  const { dialect = 'standard' } = options;
  return dialect === 'standard' ? new StandardParser(options) : new HostParser(dialect, options);
}

/**
 * The parser of a host's dialect. A host reads a finished reply, so nothing is announced before the end. If it runs a
 * call that `standard` ignores (in code, reasoning, an echoed result), a `host-defect` reports it.
 */
class HostParser implements VcpParser {
  private readonly chunks: string[] = [];
  private readonly dialect: Exclude<VcpDialect, 'standard'>;
  private readonly options: VcpParserOptions;
  private result: VcpParseResult | undefined;

  constructor(dialect: Exclude<VcpDialect, 'standard'>, options: VcpParserOptions) {
    this.dialect = dialect;
    this.options = options;
  }

  feed(chunk: string): void {
    if (this.result !== undefined) throw new Error('The text has ended: a parser takes one text. Make a new one.');
    this.chunks.push(chunk);
  }

  end(): VcpParseResult {
    if (this.result !== undefined) return this.result;
    const { dialect, options } = this;
    const text = this.chunks.join('');
    const reading = { newId: options.newId ?? createRequestIds('req') };
    const { requests, diagnostics, regions } =
      dialect === 'aiohub'
        ? readAsAioHub(text, reading)
        : readAsVcpToolbox(text, { ...reading, fuzzy: dialect === 'vcptoolbox-fuzzy' });
    const standard = new StandardParser({ newId: () => '' });
    standard.feed(text);
    diagnostics.push(...compareWithStandard(requests, standard.end().diagnostics));
    diagnostics.sort((a, b) => a.start - b.start || a.end - b.end);
    this.result = { dialect, length: text.length, requests, diagnostics, regions };
    for (const request of requests) options.onRequest?.(request);
    for (const diagnostic of diagnostics) options.onDiagnostic?.(diagnostic);
    return this.result;
  }
}

const contexts = new Map<VcpDiagnosticCode, string>([
  ['fenced', 'it is in code, which is not run'],
  ['in-reasoning', 'it is in the model’s reasoning'],
  ['echoed-result', 'it is in a repeated result, which is data'],
]);

/** Forms that no host accepts as a block: the standard parser's report of them also holds for a host that does not run them. */
const notSeen = new Set<VcpDiagnosticCode>(['bare-fields', 'misspelt-marker', 'legacy-marker', 'escaped-block']);

/**
 * What the standard parser adds to a host's: the calls that the host runs although the context marks them as not meant
 * to run, and what looks like a call outside every block that it sees.
 */
function compareWithStandard(requests: readonly VcpRequest[], standard: readonly VcpDiagnostic[]): VcpDiagnostic[] {
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
