import type { SavedRun } from '../contract/collections.ts';
import type { Remote } from './remote.ts';

/** Runs of saved calls, by the collection's folder (its real path) and the call's file; the newest 100 of each, and the newest 20 that passed. */
export interface SavedRunTable {
  append(folder: string, file: string, run: SavedRun): void;
  /** Newest first. */
  list(folder: string, file: string, limit: number): SavedRun[];
  /** ms of the newest 20 runs that passed, newest first, however many failed since: those say nothing of how long it should take. */
  passedDurations(folder: string, file: string): number[];
  /** The newest of each call of a folder, by file. */
  latest(folder: string): Map<string, SavedRun>;
}

/** The same, as features call it. */
export type SavedRunStore = Remote<SavedRunTable>;
