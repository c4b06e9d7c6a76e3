import type { Departure } from '../health/departure.ts';
import type { DoctorCause, DoctorStepId } from '../types.ts';

/** How far one connection has come; epoch ms, absent for what it has not reached. */
export interface ConnectionProgress {
  openedAt: number;
  helloAt?: number;
  /** It had to wait for a person's approval from here on. */
  heldAt?: number;
  admittedAt?: number;
  /** initialize was answered. */
  initializedAt?: number;
  listedAt?: number;
  /** Where it got no further, or not well. */
  stopped?: { step: DoctorStepId; cause: DoctorCause; at: number };
  /** Why it ended, unless it had failed before. */
  departure?: Departure['cause'];
  endedAt?: number;
}

/** The station that a connection is at: what it has not reached yet. `undefined` where all are behind it. */
export function stationOf(progress: ConnectionProgress): DoctorStepId | undefined {
  if (progress.helloAt === undefined) return 'hello';
  if (progress.admittedAt === undefined) return 'approval';
  if (progress.initializedAt === undefined) return 'initialize';
  return progress.listedAt === undefined ? 'tools' : undefined;
}
