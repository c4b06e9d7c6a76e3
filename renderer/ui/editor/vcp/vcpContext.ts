import type { ParseReport, ReplyDiagnostic, ReplyRegion, ReplyRequest } from '../../../../src-core/contract/types.ts';

/** The engine's reading of a text, as far as the editor uses it. */
export interface VcpReading {
  /** The text that was read, to know whether offsets still hold. */
  text: string;
  requests: ReplyRequest[];
  diagnostics: ReplyDiagnostic[];
  regions: ReplyRegion[];
  omitted?: NonNullable<ParseReport['omitted']>;
  /** The text still comes: a block at its end may yet be finished. */
  partial?: boolean;
}

/** A parameter as completion and hover show it. */
export interface VcpParameter {
  name: string;
  type: string;
  required: boolean;
  description?: string;
  /** Values worth offering: an enum's, or true and false. */
  values: string[];
}

/** A method that is registered right now. */
export interface VcpMethod {
  qualifiedName: string;
  toolId: string;
  toolName: string;
  /** What `command` takes. */
  command: string;
  description: string;
  sourceLabel: string;
  parameters: VcpParameter[];
}

/** What the language features of one editor may ask, at any moment. */
export interface VcpContext {
  reading: () => VcpReading | undefined;
  methods: () => readonly VcpMethod[];
  problems: () => readonly VcpProblem[];
  /** Words in the window's language. */
  words: () => VcpWords;
}

export interface VcpWords {
  required: string;
  newRequest: string;
  /** The name of a block that is not executed. */
  notRun: (name: string) => string;
}

/** Something that keeps a call from running, or that should be known about it, in the window's language. */
export interface VcpProblem {
  code: string;
  severity: ReplyDiagnostic['severity'];
  start: number;
  end: number;
  title: string;
  why: string;
  /** The argument that it is of, with the place in its value, and what is said below it. */
  argument?: { name: string; place?: string; words: string };
  fix?: NonNullable<ReplyDiagnostic['fix']>;
  /** The id of a tool that is off: turning it on is the fix. */
  offTool?: string;
}

/** Model URI → context. The providers are Monaco's one per language; the texts are many. */
export const vcpContexts = new Map<string, VcpContext>();
