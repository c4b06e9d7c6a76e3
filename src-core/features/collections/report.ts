import type { ToolExecutionStatus } from '../../registry/calls.ts';
import type { Verdict } from './verdict.ts';

/** Why a call of a run was not made, or could not be. */
export type CallTrouble =
  | 'file' // the file is none of ours
  | 'variables' // a variable or secret is missing, or no device is clear
  | 'extract' // a path for a later call leads nowhere
  | 'asks-first' // dangerous, and nobody has confirmed it: skipped
  | 'bail' // an earlier one failed: skipped
  | 'cancelled'; // the run was stopped: skipped

/** What came of one saved call in a run. No secret is in it. */
export interface CallReport {
  file: string;
  /** The call's name; the file's where it could not be read. */
  name: string;
  verdict: 'passed' | 'failed' | 'skipped';
  /** As it was called, its variables filled in. */
  tool?: string;
  argsJson?: string;
  callId?: string;
  trouble?: CallTrouble;
  /** In a sentence, English: what the trouble is. */
  message?: string;
  /** Absent where the call was not made. */
  status?: ToolExecutionStatus;
  errorCode?: string;
  /** ms. */
  durationMs?: number;
  /** Its text, shortened. */
  result?: string;
  checks: Verdict[];
}

/** A run of a collection, whole or as far as it came. */
export interface RunReport {
  name: string;
  /** Epoch ms. */
  startedAt: number;
  environment?: string;
  calls: CallReport[];
  /** The person stopped it. */
  stopped?: true;
  /** Why it ended before its end, where nobody stopped it: the engine was lost. The calls are those that ended before. */
  error?: string;
}
