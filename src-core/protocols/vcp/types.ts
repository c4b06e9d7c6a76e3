import type {
  CallField,
  LocatedRequest,
  TextDiagnostic,
  TextRegion,
  VcpDiagnosticCode,
  VcpDialect,
  VcpRegionKind,
} from '../../base/replyTypes.ts';

export const vcpDialects: readonly VcpDialect[] = ['standard', 'vcptoolbox', 'vcptoolbox-fuzzy', 'aiohub'];

/** `block` counts every START in the text. */
export type VcpRegion = TextRegion<VcpRegionKind>;

export type VcpDiagnostic = TextDiagnostic<VcpDiagnosticCode>;

/** A field with its source ranges; `escaped` if it is between 「始ESCAPE」 and 「末ESCAPE」. */
export type VcpField = CallField;

/** One call of a serial block (docs/protocols/vcp.md#serial-calls). */
export interface VcpSerialCall {
  requestId: string;
  command: string;
  args: Record<string, string>;
}

/** A request with its position in the text (docs/protocols/vcp.md#parse-result). */
export interface VcpRequest extends LocatedRequest {
  /** Byte-exact values; `args` has one leading and trailing run of whitespace trimmed. */
  rawArgs: Record<string, string>;
  dialect: VcpDialect;
  /** archery, ink, river, vref, timely_contact, maid, valet, tool_password: apart from the arguments. */
  control: Record<string, string>;
  /** Set if the block is serial: the calls in numeric order. */
  calls?: VcpSerialCall[];
  /** In the two reference dialects: name and flat arguments exactly as that host returns them. */
  raw?: { name: string; args: Record<string, string> };
}

export interface VcpParseResult {
  dialect: VcpDialect;
  /** Length of the text in UTF-16 code units. */
  length: number;
  requests: VcpRequest[];
  diagnostics: VcpDiagnostic[];
  regions: VcpRegion[];
}

/** How to read a text as VCP (docs/protocols/vcp.md). */
export interface VcpParseOptions {
  /** The dialect; `standard` if absent. */
  dialect?: VcpDialect;
  /** Generates the id of a request that has none, from its number in the text. Must be unique across turns. */
  newId?: (position: number) => string;
}

/** Options of an incremental parse, with what is told while the text arrives. */
export interface VcpParserOptions extends VcpParseOptions {
  /** A request is certain: its END has come and nothing open can still take it back. Called once each, in order. */
  onRequest?: (request: VcpRequest) => void;
  /** A diagnostic is certain. Called once each, in the order of discovery. */
  onDiagnostic?: (diagnostic: VcpDiagnostic) => void;
}

/** An incremental parse: the result is the same however the text is cut into chunks. */
export interface VcpParser {
  /** Takes the next piece of the text, of any length. Throws an `Error` after `end`. */
  feed(chunk: string): void;
  /** Closes the text and returns everything found. Later calls return the same result. */
  end(): VcpParseResult;
}
