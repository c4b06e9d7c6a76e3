import type { TextEdit, TextRange } from '../../../base/replyTypes.ts';
import type { VcpDiagnostic, VcpField } from '../types.ts';
import type { Finder } from '../finder.ts';
import type { MisspeltMarker } from '../misspeltMarker.ts';
import type { OutputMark } from './output.ts';

/** Which part of the grammar the reading position is in. */
export type MachineState = 'prose' | 'between-fields' | 'value' | 'inert';

/** How a value is fenced: as it should be, escaped, in the retired `exp` writing, or in look-alike brackets. */
export type ValueKind = 'plain' | 'escaped' | 'legacy' | 'loose';

/** A marker that may be alone on its line. */
export interface LoneMarker {
  kind: 'start' | 'end';
  start: number;
  end: number;
  /** The line break before it. */
  lineBreak: number;
  /** The first character after it on its line that is not a blank; a field that starts there makes the marker count. */
  next?: number;
}

/** What precedes an opening fence: a key and a colon, or something meant as such. */
export interface FieldHead {
  /** The start of the key, or of what was meant as one. */
  start: number;
  key: string;
  keyRange: TextRange;
  /** Why the key, colon or fence is invalid, as text. */
  problem: string | undefined;
  /** No edits make the key one that can be read. */
  isUnmendable?: boolean;
  /** The field can be used, but part of what looks like its key is not in it (`a.b:`). */
  doubt: boolean;
  /** Edits that would mend it. */
  edits: TextEdit[] | undefined;
}

/** An opening or closing fence, good or look-alike. */
export interface ValueFence extends TextRange {
  kind: ValueKind;
}

/** A field whose value is being read. */
export interface OpenField {
  head: FieldHead;
  opener: ValueFence;
  /** An END or START at a line's head inside the value, while what follows on its line is still to come. */
  lone: LoneMarker | undefined;
}

/** A request block that is being read. */
export interface BlockBuilder {
  /** Counts every START in the text. */
  index: number;
  start: number;
  /** End of the START marker. */
  bodyStart: number;
  fields: VcpField[];
  /** Why it will not run, once anything in it forbids that. */
  broken: boolean;
  /** Where `\n` is written as two characters between fields. */
  literalNewlines: number[];
  /** The last field that another 「末」 followed: reported once. */
  cutField?: VcpField;
  /** The report of the last field with look-alike fences. */
  loose?: { diagnostic: VcpDiagnostic; opener: TextRange } | undefined;
  /** The misspelt markers after its first field. */
  misspelt: MisspeltMarker[];
}

/** A retired or escaped START at the top level, until its END. */
export interface RetiredBlock {
  kind: 'legacy' | 'escaped';
  start: number;
  markerEnd: number;
}

/** A value that a marker alone on its line ended: its report, and where it opened. */
export interface CutValue {
  diagnostic: VcpDiagnostic;
  key: string;
  opener: TextRange;
  /** The report that the block has no END, if a START ended it. */
  unclosed: VcpDiagnostic | undefined;
  /** The first 「末」 after the block that the marker ended or began. */
  closer: TextRange | undefined;
}

/** Fields outside any block that follow one another. */
export interface BareRun {
  start: number;
  /** After the last closing fence. */
  end: number;
  /** One of them is `tool_name`: a call was meant. */
  named: boolean;
  /** The last field's closing fence is still to come. */
  open: boolean;
}

/** A misspelt START in the prose, and what follows it. */
export interface MisspeltBlock {
  marker: MisspeltMarker;
  /** Undefined until a field or the end of the block tells. */
  isBlock: boolean | undefined;
  /** One of its fields is `tool_name`. */
  isCall: boolean;
  /** After the last field; undefined while a value is open. */
  fieldsEnd: number | undefined;
}

/** Text that is passed over: reasoning, or an echoed result block. */
export interface InertText {
  kind: 'reasoning' | 'echo';
  start: number;
  openEnd: number;
  /** Tag name, or the marker that ends the echo. */
  closer: string;
  /** Tags of that name that are open. */
  depth: number;
  /** Where the text goes on afterwards. */
  after: MachineState;
  /** Start of a request block inside, -1 if none is open. */
  request: number;
  /** Start of the first one inside, -1 if there is none. */
  firstRequest: number;
  /** Looks for an echo's end marker. */
  finder: Finder | undefined;
}

/**
 * Something that is open and may never close: a fence, inline code, an escaped value. Until that is known, the text
 * after it is read as if it were not there; when it does close, all found since is taken back. So nothing is read
 * twice and nothing inside is announced too early.
 */
export interface Hold {
  kind: 'fence' | 'inline' | 'escape';
  start: number;
  /** End of the opening run or fence. */
  openEnd: number;
  /** Backtick or tilde, and how many. */
  character: string;
  length: number;
  /** For a fence: how far a list or quotation indents it. */
  lead: number;
  /** A backtick run at a line's start that is a fence if its line has no other backtick. */
  maybeFence: boolean;
  state: MachineState;
  block: BlockBuilder | undefined;
  fields: number;
  broken: boolean;
  literalNewlines: number;
  field: OpenField | undefined;
  tokenEnd: number;
  bare: BareRun | undefined;
  retired: RetiredBlock | undefined;
  misspelt: MisspeltBlock | undefined;
  /** Misspelt markers within `block`. */
  misspeltWithin: number;
  cutValue: CutValue | undefined;
  mark: OutputMark;
}
