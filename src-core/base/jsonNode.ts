import type { TextEdit, TextRange } from './replyTypes.ts';

/** A JSON value with its place. In a text that is cut off or broken, what had been read so far. */
export interface JsonNode extends TextRange {
  kind: 'object' | 'array' | 'string' | 'number' | 'literal';
  /** A string's meaning, escapes undone. */
  text?: string;
  /** Of an object, in the order of the text; a key may occur twice. */
  members?: JsonMember[];
  /** Of a list. */
  items?: JsonNode[];
}

export interface JsonMember {
  key: JsonNode;
  /** Absent if the text ends before it. */
  value?: JsonNode;
}

/** A place at which a text is not valid JSON. */
export interface JsonProblem extends TextRange {
  /** A clause: "a comma precedes the closing bracket". */
  what: string;
  /** The edits that make it valid JSON, if they are known. */
  edits?: TextEdit[];
}

/** One JSON value read from a text. */
export interface JsonScan {
  root?: JsonNode;
  /** Offset after what was read. */
  end: number;
  /** Empty if the value is valid JSON. */
  problems: JsonProblem[];
  /** Where reading continues after invalid JSON: nothing that could be valid JSON is skipped. */
  resume: number;
}

/** The value under a key, the last one if the key occurs twice. */
export function memberOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.members?.findLast((member) => member.key.text === key)?.value;
}

/** The text inside a string's quotes, or the whole of another value. */
export function innerRange({ kind, start, end }: JsonNode): TextRange {
  return kind === 'string' ? { start: start + 1, end: Math.max(start + 1, end - 1) } : { start, end };
}
