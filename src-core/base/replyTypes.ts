/** What a lossless reading of a model's text returns, in any protocol (docs/protocols/vcp.md#parse-result). */
import type { ParsedToolRequest } from './calls.ts';

/** Half-open, in UTF-16 code units from the start of the text. */
export interface TextRange {
  start: number;
  end: number;
}

export interface TextEdit extends TextRange {
  newText: string;
}

/** A stretch of the text. Regions are leaves: in order, without gaps, their union is the whole text. */
export interface TextRegion<Kind extends string = string> extends TextRange {
  kind: Kind;
  /** Index of the block that contains the region. */
  block?: number;
}

/** Something that the user should know about the text. */
export interface TextDiagnostic<Code extends string = string> extends TextRange {
  code: Code;
  severity: 'error' | 'warning' | 'info';
  /** What was seen, and what follows from it. */
  message: string;
  /** What was probably meant, if the message states it: the text of an unclosed value. */
  guess?: string;
  fix?: { title: string; edits: TextEdit[] };
}

/** An argument with its source ranges. */
export interface CallField extends TextRange {
  key: string;
  keyRange: TextRange;
  /** The characters between the value's delimiters. */
  valueRange: TextRange;
  /** The source spells the value differently from what it means. */
  escaped: boolean;
}

/** A request with its position in the text. */
export interface LocatedRequest extends ParsedToolRequest {
  rawArgs: Record<string, string>;
  range: TextRange;
  fields: CallField[];
}

/** Whose reading of the text (docs/protocols/vcp.md#dialects). */
export type VcpDialect = 'standard' | 'vcptoolbox' | 'vcptoolbox-fuzzy' | 'aiohub';

/** What a stretch of the text is. Regions are leaves: in order, without gaps, their union is the whole text. */
export type VcpRegionKind =
  | 'prose'
  | 'reasoning' // a <think> … and all in it
  | 'code' // a fence or inline code outside blocks
  | 'echo' // an echoed result block of any host
  | 'marker' // START or END of a request block
  | 'key'
  | 'delimiter' // colon, fences 「始」「末」, comma after a field
  | 'value'
  | 'name' // the value of tool_name or command
  | 'control' // the value of a control field
  | 'skipped'; // inside a block, but no field

/** What a reading of VCP can report. */
export type VcpDiagnosticCode =
  | 'fenced'
  | 'in-reasoning'
  | 'echoed-result'
  | 'unclosed-block'
  | 'unclosed-value'
  | 'unclosed-fence'
  | 'unclosed-reasoning'
  | 'duplicate-key'
  | 'malformed-field'
  | 'control-value'
  | 'bare-fields'
  | 'misspelt-marker'
  | 'legacy-marker'
  | 'escaped-block'
  | 'literal-newline'
  | 'missing-tool-name'
  | 'empty-block'
  | 'stray-end'
  | 'repeated-call'
  | 'host-defect'
  | 'host-rejects'; // the host returns an error instead of running the call

/** What a reading of JSON calls can report. */
export type JsonDiagnosticCode =
  | 'fenced'
  | 'in-reasoning'
  | 'echoed-result'
  | 'unclosed-block'
  | 'unclosed-fence'
  | 'unclosed-reasoning'
  | 'duplicate-key'
  | 'missing-tool-name'
  | 'empty-block'
  | 'stray-end'
  | 'repeated-call'
  | 'broken-json' // what should be JSON is none
  | 'not-a-call' // a call was expected, but the text is other JSON or no JSON
  | 'arguments-not-object'
  | 'inline-call' // a call within a sentence
  | 'tool-definition' // a tool described, not called
  | 'stream-fragment'; // a piece of a streamed answer

/** How a call was written: in tags, in a fence, as in a message of a chat API, or as a bare object. */
export type JsonCallForm = 'tool_call' | 'fenced' | 'api' | 'bare';

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
