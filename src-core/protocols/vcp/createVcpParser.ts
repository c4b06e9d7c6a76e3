import { HostParser } from './dialects/hostParser.ts';
import { StandardParser } from './standard/parseStandard.ts';
import type { VcpParser, VcpParserOptions } from './types.ts';

/**
 * An incremental parse of a model's text (spec/vcp.md §5). `feed` takes it in pieces of any size, `end` gives the
 * result, which does not depend on the cuts. In dialect `standard` a request is announced as soon as its END has come;
 * the hosts read a finished reply, so their dialects announce at the end.
 */
export function createVcpParser(options: VcpParserOptions = {}): VcpParser {
  const { dialect = 'standard' } = options;
  return dialect === 'standard' ? new StandardParser(options) : new HostParser(dialect, options);
}
