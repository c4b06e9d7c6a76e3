import type { JsonCallForm, JsonDiagnosticCode } from './json/types.ts';
import type { LocatedRequest, TextDiagnostic, TextRegion } from './parse.ts';
import type { VcpDiagnosticCode, VcpDialect, VcpRegionKind } from './vcp/types.ts';

/** How to read a model's reply: VCP as one host reads it, JSON tool calls, or whichever of the two the reply uses. */
export type ReplyDialect = VcpDialect | 'json' | 'auto';

/** Codes of the diagnostics of a reply, in any dialect. */
export type ReplyDiagnosticCode = VcpDiagnosticCode | JsonDiagnosticCode | 'other-protocol';

/** A diagnostic of a reply. */
export type ReplyDiagnostic = TextDiagnostic<ReplyDiagnosticCode>;

/** A stretch of a reply; JSON tool calls use the kinds of VCP that fit them. */
export type ReplyRegion = TextRegion<VcpRegionKind>;

/** A call in a reply, with the facts that only one of the protocols has. */
export interface ReplyRequest extends LocatedRequest {
  /** VCP: control fields, apart from the arguments. */
  control?: Record<string, string>;
  /** VCP's host dialects: name and arguments exactly as that host returns them. */
  raw?: { name: string; args: Record<string, string> };
  /** JSON: how the call was written. */
  form?: JsonCallForm;
}

/** How many parts of a reply a reading leaves out, each kind from some place on (`boundReading.ts`). */
export interface OmittedParts {
  calls: number;
  diagnostics: number;
  regions: number;
  /** Parts that look like calls and are not run. */
  refused: number;
}

/** Everything in a reply. Regions are leaves and tile the text (docs/protocols/vcp.md#parse-result). */
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
  /** Set if the reading is not whole. */
  omitted?: OmittedParts;
}
