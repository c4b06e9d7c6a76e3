import { createRequestIds } from '../../requestIds.ts';
import { StandardParser } from '../standard/parseStandard.ts';
import type { VcpDialect, VcpParser, VcpParseResult, VcpParserOptions } from '../types.ts';
import { readAsAioHub } from './aioHub.ts';
import { compareWithStandard } from './compareWithStandard.ts';
import { readAsVcpToolbox } from './vcpToolbox.ts';

/**
 * The parser of a host's dialect. A host reads a finished reply, so nothing is announced before the end. If it runs a
 * call that `standard` ignores (in code, reasoning, an echoed result), a `host-defect` reports it.
 */
export class HostParser implements VcpParser {
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
