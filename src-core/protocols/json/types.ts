import type {
  JsonCallForm,
  JsonDiagnosticCode,
  LocatedRequest,
  TextDiagnostic,
  TextRegion,
} from '../../base/replyTypes.ts';

/** What a stretch of the text is: the kinds of a VCP parse, without its control fields. */
export type JsonRegionKind =
  | 'prose'
  | 'reasoning' // a <think> … and all in it
  | 'code' // a fence or inline code without a call that is run
  | 'echo' // a <tool_response>
  | 'marker' // <tool_call>, </tool_call>, the lines of a fence that holds calls
  | 'key'
  | 'delimiter' // quotes, braces, colons, commas and white space of a call
  | 'value'
  | 'name' // the tool's name
  | 'skipped'; // inside a block, but no part of the call

/** `block` counts the calls of the text, those that are not run included. */
export type JsonRegion = TextRegion<JsonRegionKind>;

export type JsonDiagnostic = TextDiagnostic<JsonDiagnosticCode>;

/** A call, with its position in the text. A field's ranges exclude quotes, as those of VCP exclude fences. */
export interface JsonRequest extends LocatedRequest {
  /** Each argument's JSON text, character for character: quotes and all digits of a number are in it. */
  rawArgs: Record<string, string>;
  form: JsonCallForm;
}

/** What a text holds. */
export interface JsonParseResult {
  /** Length of the text in UTF-16 code units. */
  length: number;
  requests: JsonRequest[];
  /** In the order of their places. */
  diagnostics: JsonDiagnostic[];
  regions: JsonRegion[];
}

export interface JsonParseOptions {
  /** Makes the id of a call that names none, from its number in the text. Must be unique across turns. */
  newId?: (position: number) => string;
}
