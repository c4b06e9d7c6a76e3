import type { Clock } from '../../base/clock.ts';
import type { RefusedPage } from '../../contract/gateway.ts';
import type { GatewayEvent } from './types.ts';

const maxPages = 20;
/** ms between two events for one origin: a page tries again every second. */
const eventMs = 60_000;

/** Web pages that were refused because their origin is not allowed. */
export interface RefusedPages {
  add(origin: string): void;
  /** The last to try first; at most 20. */
  list(): RefusedPage[];
}

/** Makes the list. `onEvent` is called for the first attempt of an origin, and then once a minute. */
export function createRefusedPages(options: {
  clock: Pick<Clock, 'wall' | 'now'>;
  isAllowed: (origin: string) => boolean;
  onEvent: (event: GatewayEvent) => void;
  onChange: () => void;
}): RefusedPages {
  const { clock, isAllowed, onEvent, onChange } = options;
  const pages = new Map<string, RefusedPage & { toldAt: number }>();
  return {
    add(named) {
      const origin = originOf(named);
      const known = pages.get(origin);
      const now = clock.now();
      const tell = known === undefined || now - known.toldAt >= eventMs;
      pages.delete(origin);
      pages.set(origin, {
        origin,
        count: (known?.count ?? 0) + 1,
        lastAt: clock.wall(),
        toldAt: tell ? now : known.toldAt,
      });
      const [oldest] = pages.keys();
      if (pages.size > maxPages && oldest !== undefined) pages.delete(oldest);
      if (tell) {
        onEvent({
          level: 'WARNING',
          message: 'web page refused',
          origin,
          advice: `Allow it with --allow-origin ${origin} or CLOUD_ALLOWED_ORIGINS=${origin}.`,
        });
      }
      onChange();
    },
    list: () =>
      [...pages.values()]
        .filter(({ origin }) => !isAllowed(origin))
        .map(({ origin, count, lastAt }) => ({ origin, count, lastAt }))
        .reverse(),
  };
}

/** The origin as URLs have it, so that what is shown can be allowed; other text is cut. */
function originOf(named: string): string {
  const { origin = named } = URL.parse(named) ?? {};
  return (origin === 'null' ? named : origin).slice(0, 200);
}
