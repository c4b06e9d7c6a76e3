/** What a lossless parse of a model's text returns, in any protocol (docs/protocols/vcp.md#parse-result). */
import type { ParsedToolRequest } from '../base/calls.ts';

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
  /** Index of the block the region lies in. */
  block?: number;
}

/** Something that the user should know about the text. */
export interface TextDiagnostic<Code extends string = string> extends TextRange {
  code: Code;
  severity: 'error' | 'warning' | 'info';
  /** What was seen, and what follows from it. */
  message: string;
  /** What was probably meant, if the message says so: the text of a value without an end. */
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
