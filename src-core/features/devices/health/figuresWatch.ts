import type { Clock } from '../../../base/clock.ts';
import type { DeviceSession } from '../session/deviceSession.ts';

const everyMs = 1_000;

/**
 * Tells once a second which connections' figures (frames, round trips, audio) are others than a second before. Frames
 * cost nothing so: nobody is told of each. Runs while there are connections; `start` is called for each new one.
 */
export function createFiguresWatch(options: {
  clock: Clock;
  sessions: () => Iterable<DeviceSession>;
  onChange: (session: DeviceSession) => void;
}): { start: () => void; stop: () => void } {
  const { clock, sessions, onChange } = options;
  const shown = new WeakMap<DeviceSession, string>();
  let stop: (() => void) | undefined;

  function look(): void {
    let open = 0;
    for (const session of sessions()) {
      open += 1;
      const { framesIn, framesOut } = session.wire.counters;
      const figures = `${framesIn} ${framesOut} ${session.wire.audio?.framesPerSecond}`;
      if (shown.get(session) !== figures) onChange(session);
      shown.set(session, figures);
    }
    stop = open === 0 ? undefined : clock.after(everyMs, look);
  }

  return {
    start: () => {
      stop ??= clock.after(everyMs, look);
    },
    stop: () => {
      stop?.();
      stop = undefined;
    },
  };
}
