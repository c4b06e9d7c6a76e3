import type { ToolExecutionStatus } from '../../registry/calls.ts';
import type { Verdict } from './verdict.ts';

/** Why a call of a run was not made, or could not be. */
export type CallTrouble =
  | 'file' // the file is none of ours
  | 'variables' // a variable or secret is missing, or no device is clear
  | 'extract' // a path for a later call leads nowhere
  | 'asks-first' // dangerous and not confirmed: skipped
  | 'bail' // an earlier one failed: skipped
  | 'cancelled'; // the run was stopped: skipped

/** The result of one saved call in a run. It contains no secret. */
export interface CallReport {
  file: string;
  /** The call's name; the file's if it could not be read. */
  name: string;
  verdict: 'passed' | 'failed' | 'skipped';
  /** The tool as called, its variables filled in. */
  tool?: string;
  argsJson?: string;
  callId?: string;
  trouble?: CallTrouble;
  /** A sentence in English that describes the trouble. */
  message?: string;
  /** Absent if the call was not made. */
  status?: ToolExecutionStatus;
  errorCode?: string;
  /** ms. */
  durationMs?: number;
  /** Its text, shortened. */
  result?: string;
  checks: Verdict[];
}

/** A run of a collection, complete or up to where it stopped. */
export interface RunReport {
  name: string;
  /** Epoch ms. */
  startedAt: number;
  environment?: string;
  calls: CallReport[];
  /** The user stopped it. */
  stopped?: true;
  /** Why it ended early without being stopped: the engine was lost. The calls are those that ended before. */
  error?: string;
}
