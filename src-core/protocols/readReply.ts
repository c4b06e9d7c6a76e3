import type { ToolCallingProtocol } from './base.ts';
import { detectProtocol } from './detectProtocol.ts';
import { createJsonProtocol } from './json/jsonProtocol.ts';
import { parseJsonCalls } from './json/parseJsonCalls.ts';
import type { ReplyDialect, ReplyReading } from '../base/replyTypes.ts';
import { parseVcp } from './vcp/parseVcp.ts';
import { vcpDialects } from './vcp/types.ts';
import { createVcpProtocol } from './vcp/vcpProtocol.ts';

/** Every way to read a reply. */
export const replyDialects: readonly ReplyDialect[] = ['auto', ...vcpDialects, 'json'];

/** Reads a reply in one dialect, or in the one it uses. Linear, and never throws. */
export function readReply(text: string, { dialect }: { dialect: ReplyDialect }): ReplyReading {
  if (dialect === 'json') return { dialect, ...parseJsonCalls(text) };
  if (dialect !== 'auto') return parseVcp(text, { dialect });
  const { protocol, reason, diagnostics } = detectProtocol(text);
  const reading = readReply(text, { dialect: protocol === 'json' ? 'json' : 'standard' });
  const all = [...reading.diagnostics, ...diagnostics].sort((a, b) => a.start - b.start);
  return { ...reading, reason, diagnostics: all };
}

/** The protocol that answers a reply that was read in this dialect. */
export function protocolOf(dialect: ReplyReading['dialect']): ToolCallingProtocol {
  return dialect === 'json' ? createJsonProtocol() : createVcpProtocol({ dialect });
}
