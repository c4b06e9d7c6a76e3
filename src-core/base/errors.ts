import type { JsonNumber, JsonObject } from './json.ts';

/** Why a call did not succeed. */
export type ToolErrorCode =
  | 'not-authorized' // the user, or onBeforeExecute, said no
  | 'confirmation-required' // a dangerous method, and the user has not been asked yet
  | 'invalid-name' // empty, or the name of a tool without one of its methods
  | 'unknown-tool'
  | 'unknown-method'
  | 'ambiguous-name' // details.candidates
  | 'not-agent-callable'
  | 'tool-changed' // it has changed since the call was checked or the user was asked
  | 'tool-withheld' // its definition has changed and is not accepted yet
  | 'unusable-method' // the method has a mistake, such as no handler or a schema that cannot be read
  | 'tool-disabled' // toolToggles / defaultToolEnabled
  | 'repeated-call' // the same call again and again in one turn (docs/protocols/vcp.md#dialects)
  | 'invalid-arguments' // details.issues
  | 'timeout'
  | 'cancelled' // details.ran is false if the call never went out
  | 'disconnected' // the source left during the call
  | 'interrupted' // the engine ended during the call
  | 'tool-error' // the tool threw, or answered isError
  | 'bad-result' // circular, or not serialisable
  | 'result-too-large'
  | 'protocol-error' // the source sent an invalid answer
  | 'unknown-protocol'; // no ToolCallingProtocol of that id is registered

/** What is wrong with one argument. */
export interface ArgumentIssue {
  /** JSON Pointer into the arguments, `''` for the whole. */
  path: string;
  /** The parameter's name at the top level. */
  parameter: string;
  /** What is wrong and what would be right, in a sentence. */
  message: string;
  /** A value that would be accepted, if one follows from the schema. */
  remedy?: string | JsonNumber | boolean;
}

/** A `ToolError` as data: crosses the contract and is part of results. */
export interface ToolErrorInfo {
  code: ToolErrorCode;
  /** What happened, why if it is known, and what to do next, in English. The window translates known codes. */
  message: string;
  /** Registered names to choose from, nearest first. */
  candidates?: string[];
  issues?: ArgumentIssue[];
  /** Facts for the wording: code 1006, elapsed ms, limit … */
  details?: JsonObject;
}

/** The one error class of the engine. Anything else that a tool throws is reported as `tool-error`. */
export class ToolError extends Error {
  readonly code: ToolErrorCode;
  readonly info: ToolErrorInfo;

  constructor(
    code: ToolErrorCode,
    message: string,
    extra: Omit<ToolErrorInfo, 'code' | 'message'> & { cause?: unknown } = {},
  ) {
    const { cause, ...rest } = extra;
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ToolError';
    this.code = code;
    this.info = { code, message, ...rest };
  }
}
