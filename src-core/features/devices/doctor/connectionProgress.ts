import type { Departure } from '../health/departure.ts';
import type { DoctorCause, DoctorStepId } from '../../../contract/deviceInfo.ts';

/** The progress of one connection: epoch ms of each step, absent for those that it has not reached. */
export interface ConnectionProgress {
  openedAt: number;
  helloAt?: number;
  /** When it began to wait for the user's approval. */
  heldAt?: number;
  admittedAt?: number;
  /** initialize was answered. */
  initializedAt?: number;
  listedAt?: number;
  /** The step at which it stopped or failed in part. */
  stopped?: { step: DoctorStepId; cause: DoctorCause; at: number };
  /** Why it ended, unless it had failed before. */
  departure?: Departure['cause'];
  endedAt?: number;
  /** The tool call that its end cut off: the request's id, and ms since it was sent. */
  cutOff?: { id: number; tookMs: number };
}

/** The first step that a connection has not reached yet; `undefined` if it has passed all of them. */
export function stationOf(progress: ConnectionProgress): DoctorStepId | undefined {
  if (progress.helloAt === undefined) return 'hello';
  if (progress.admittedAt === undefined) return 'approval';
  if (progress.initializedAt === undefined) return 'initialize';
  return progress.listedAt === undefined ? 'tools' : undefined;
}
