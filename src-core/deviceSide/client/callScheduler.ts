/** In which order one connection's calls run and its answers go out. */
export interface CallScheduler {
  /** Runs a call when its turn has come. */
  runCall: <T>(run: () => Promise<T>) => Promise<T>;
  /** Sends an answer when its turn has come. */
  sendAnswer: (send: () => void) => void;
}

/** Calls run at once and beside one another; answers go out as they come. */
export function createConcurrentScheduler(): CallScheduler {
  return { runCall: (run) => run(), sendAnswer: (send) => send() };
}
