import type { ToolCallingProtocol } from './base.ts';
import { detectProtocol } from './detectProtocol.ts';
import { createJsonProtocol } from './json/jsonProtocol.ts';
import { parseJsonCalls } from './json/parseJsonCalls.ts';
import type { JsonCallForm, JsonDiagnosticCode } from './json/types.ts';
import type { LocatedRequest, TextDiagnostic, TextRegion } from './parse.ts';
import { parseVcp } from './vcp/parseVcp.ts';
import { vcpDialects } from './vcp/types.ts';
import type { VcpDiagnosticCode, VcpDialect, VcpRegionKind } from './vcp/types.ts';
import { createVcpProtocol } from './vcp/vcpProtocol.ts';

/** How a model's reply is to be read: VCP as one host reads it, JSON tool calls, or whichever of the two it uses. */
export type ReplyDialect = VcpDialect | 'json' | 'auto';

/** Every way to read a reply. */
export const replyDialects: readonly ReplyDialect[] = ['auto', ...vcpDialects, 'json'];

/** Codes of what a person should know about a reply, in any dialect. */
export type ReplyDiagnosticCode = VcpDiagnosticCode | JsonDiagnosticCode | 'other-protocol';

/** Something that a person should know about a reply. */
export type ReplyDiagnostic = TextDiagnostic<ReplyDiagnosticCode>;

/** A stretch of a reply; JSON tool calls use the kinds of VCP that fit them. */
export type ReplyRegion = TextRegion<VcpRegionKind>;

/** A call in a reply, with what only one of the protocols knows of it. */
export interface ReplyRequest extends LocatedRequest {
  /** VCP: control fields, apart from the arguments. */
  control?: Record<string, string>;
  /** VCP's host dialects: name and arguments exactly as that host returns them. */
  raw?: { name: string; args: Record<string, string> };
  /** JSON: how the call was written. */
  form?: JsonCallForm;
}

/** Everything in a reply. Regions are leaves and tile the text (spec/vcp.md §5). */
export interface ReplyReading {
  /** The dialect it was read in; never `auto`. */
  dialect: VcpDialect | 'json';
  /** Why `auto` chose it, in a sentence. */
  reason?: string;
  /** Length of the text in UTF-16 code units. */
  length: number;
  requests: ReplyRequest[];
  /** In the order of their places. */
  diagnostics: ReplyDiagnostic[];
  regions: ReplyRegion[];
}

/** Reads a reply in one dialect, or in the one it uses. Linear, and never throws. */
export function readReply(text: string, { dialect }: { dialect: ReplyDialect }): ReplyReading {
  if (dialect === 'json') return { dialect, ...parseJsonCalls(text) };
  if (dialect !== 'auto') return parseVcp(text, { dialect });
  const { protocol, reason, diagnostics } = detectProtocol(text);
  const reading = readReply(text, { dialect: protocol === 'json' ? 'json' : 'standard' });
  const all = [...reading.diagnostics, ...diagnostics].sort((a, b) => a.start - b.start);
  return { ...reading, reason, diagnostics: all };
}

/** The protocol that reads, and answers, a reply of this dialect. `auto` looks at the text. */
export function protocolOfReply(text: string, { dialect }: { dialect: ReplyDialect }): ToolCallingProtocol {
  if (dialect === 'auto') return detectProtocol(text).protocol === 'json' ? createJsonProtocol() : createVcpProtocol();
  return dialect === 'json' ? createJsonProtocol() : createVcpProtocol({ dialect });
}
