/** What came of one run of a saved call. */
export interface SavedRun {
  /** Epoch ms. */
  at: number;
  verdict: 'passed' | 'failed' | 'skipped';
  /** ms; absent where the call never went out. */
  durationMs?: number | undefined;
}

/** Runs of saved calls, by the collection's folder (its real path) and the call's file; the newest 100 of each. */
export interface SavedRunStore {
  append(folder: string, file: string, run: SavedRun): void;
  /** Newest first. */
  list(folder: string, file: string, limit: number): SavedRun[];
  /** The newest of each call of a folder, by file. */
  latest(folder: string): Map<string, SavedRun>;
}
