import { reportError } from '../base/reportError.ts';

/** Functions to call with each event. One that throws does not keep the others from it. */
export interface Listeners<T extends unknown[]> {
  add(listener: (...event: T) => void): () => void;
  call(...event: T): void;
}

/** `place` names the event in the report of a listener that threw. */
export function createListeners<T extends unknown[]>(place: string): Listeners<T> {
  const all = new Set<(...event: T) => void>();
  return {
    add(listener) {
      all.add(listener);
      return () => void all.delete(listener);
    },
    call(...event) {
      for (const listener of [...all])
        try {
          listener(...event);
        } catch (error) {
          reportError(error, place);
        }
    },
  };
}
