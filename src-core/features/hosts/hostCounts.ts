/** Calls of one host that run at the same time, those that wait for an answer included. */
const maxCalls = 128;
/** Calls of one host that ask the user at the same time. */
const maxQuestions = 16;

/** Counts one thing for each host. */
interface HostCount {
  most: number;
  /** Counts one more until it is disposed of. Undefined if the host has as many already. */
  enter(hostId: string): Disposable | undefined;
}

/** Bounds on what each host has open, so that one host cannot exhaust the workbench. */
export interface HostCounts {
  calls: HostCount;
  questions: HostCount;
}

export function createHostCounts(): HostCounts {
  return { calls: createCount(maxCalls), questions: createCount(maxQuestions) };
}

function createCount(most: number): HostCount {
  const counts = new Map<string, number>();
  return {
    most,
    enter(hostId) {
      const now = counts.get(hostId) ?? 0;
      if (now >= most) return undefined;
      counts.set(hostId, now + 1);
      return {
        [Symbol.dispose]() {
          const left = (counts.get(hostId) ?? 0) - 1;
          if (left > 0) counts.set(hostId, left);
          else counts.delete(hostId);
        },
      };
    },
  };
}
