import type { ToolExecutionResult } from '../../base/calls.ts';

/** A text of a result that comes behind it: which one, and its length in UTF-16 units. */
export interface LongText {
  /** Of which content block; absent for a text of the result itself. */
  block?: number;
  member: 'result' | 'structuredContent' | 'text' | 'data' | 'blob';
  length: number;
}

/**
 * A result on its way: first `result`, whose long texts are empty, with `long` to say what they are; then these texts, one
 * after the other, in pieces.
 */
export type ResultPiece = { result: ToolExecutionResult; long: LongText[] } | { text: string };
