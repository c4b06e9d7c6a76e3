import { createVcpParser } from './createVcpParser.ts';
import type { VcpParseOptions, VcpParseResult } from './types.ts';

/** Parses a whole text as VCP: what `createVcpParser` gives after one `feed` (docs/protocols/vcp.md). Never throws. */
export function parseVcp(text: string, options: VcpParseOptions = {}): VcpParseResult {
  const parser = createVcpParser(options);
  parser.feed(text);
  return parser.end();
}
