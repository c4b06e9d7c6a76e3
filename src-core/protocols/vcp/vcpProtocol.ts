import type { ToolCallingProtocol } from '../base.ts';
import { toParsedRequest } from '../toParsedRequest.ts';
import { formatToolResults } from './formatToolResults.ts';
import { generateToolDefinitions } from './generateToolDefinitions.ts';
import { parseVcp } from './parseVcp.ts';
import type { VcpDialect } from '../../base/replyTypes.ts';

/** VCP as a protocol. Its id is `vcp` in every dialect. */
export function createVcpProtocol({ dialect = 'standard' }: { dialect?: VcpDialect } = {}): ToolCallingProtocol {
  return {
    id: 'vcp',
    generateToolDefinitions,
    parseToolRequests: (finalText) => parseVcp(finalText, { dialect }).requests.map(toParsedRequest),
    formatToolResults,
  };
}
