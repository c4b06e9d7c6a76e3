import type { Opening } from '../../contract/types.ts';

/** Openings that wait for a window; more than the user asks for at once. */
const maxWaiting = 16;

/** What the desktop shell was asked to show, until its window takes it. */
export interface OpeningsService {
  /** The oldest goes where too many wait. */
  put(opening: Opening): void;
  /** Those that wait, oldest first; they are given out once. */
  take(): Opening[];
}

/** `onChange` tells the windows that something waits. */
export function createOpeningsService({ onChange }: { onChange: () => void }): OpeningsService {
  let waiting: Opening[] = [];
  return {
    put(opening) {
      waiting = [...waiting, opening].slice(-maxWaiting);
      onChange();
    },
    take() {
      const taken = waiting;
      waiting = [];
      return taken;
    },
  };
}
