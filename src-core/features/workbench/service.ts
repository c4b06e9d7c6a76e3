import type { Service } from '../../contract/implementation.ts';
import type { Opening, WorkbenchInfo } from '../../contract/types.ts';
import type { workbench } from '../../contract/workbench.ts';
import { version } from '../../base/version.ts';
import type { EventBus } from '../context.ts';
import { createTopics } from './topics.ts';

/** Openings that wait for a window; more than the user asks for at once. */
const maxWaiting = 16;

/** Opens what windows and terminals are told of the workbench as a whole. `about` is called for each `info`. */
export function openWorkbenchFacts({
  events,
  about,
}: {
  events: EventBus;
  about: () => Omit<WorkbenchInfo, 'version' | 'platform' | 'node'>;
}) {
  const topics = createTopics(events);
  let waiting: Opening[] = [];
  let windows = 0;
  const service = {
    info: () => ({ version, platform: process.platform, node: process.version, ...about() }),
    async *events(_input?: undefined, signal?: AbortSignal) {
      windows += 1;
      try {
        yield* topics.subscribe(signal);
      } finally {
        windows -= 1;
      }
    },
    /** As `events`, for this process, which is not a window. */
    follow: (signal: AbortSignal) => topics.subscribe(signal),
    /** How many windows, and terminals that show what happens, follow the events. */
    windows: () => windows,
    takeOpenings() {
      const taken = waiting;
      waiting = [];
      return taken;
    },
    /** Shows something in the next window that asks. If too many wait, the oldest is dropped. */
    putOpening(opening: Opening): void {
      waiting = [...waiting, opening].slice(-maxWaiting);
      events.emit('changed', 'openings');
    },
  } satisfies Service<typeof workbench>;
  return { service, close: topics.close };
}
