import type { RealtimeTimelineItem } from '../../../contract/types/realtime.ts';
import { RevisedList, type Revisions } from './revisedList.ts';

const maxItems = 5_000;
/** Events that an item names: the first ones, and as many of the last. */
const namedEvents = 4;
const maxLabel = 300;

/** What an item begins with. */
export interface TimelineStart extends Pick<RealtimeTimelineItem, 'lane' | 'from' | 'label'> {
  state?: RealtimeTimelineItem['state'];
  call?: RealtimeTimelineItem['call'];
  /** The wire event that it began with. */
  event?: number | undefined;
}

/** What happened in a conversation, in lanes. Items that go on are changed by whoever began them. */
export class Timeline {
  readonly #items: RevisedList<RealtimeTimelineItem>;
  #last = 0;

  constructor(revisions: Revisions) {
    this.#items = new RevisedList({ revisions, limit: maxItems });
  }

  since(revision: number): RealtimeTimelineItem[] {
    return this.#items.since(revision);
  }

  /** A span that goes on. */
  begin({ lane, from, label, state = 'running', call, event }: TimelineStart): RealtimeTimelineItem {
    this.#last += 1;
    const events = event === undefined ? [] : [event];
    return this.#items.add({
      seq: this.#last,
      lane,
      from,
      label: label.slice(0, maxLabel),
      state,
      events,
      ...(call !== undefined && { call }),
    });
  }

  /** A point in time. */
  point(at: number, label: string, options: { failed?: boolean; event?: number | undefined } = {}): void {
    const item = this.begin({ lane: 'event', from: at, label, event: options.event });
    this.end(item, at, options.failed === true ? 'failed' : 'ok');
  }

  /** Changes some of an item. */
  change(item: RealtimeTimelineItem, change: Partial<RealtimeTimelineItem>): void {
    Object.assign(item, change);
    item.label = item.label.slice(0, maxLabel);
    this.#items.touch(item);
  }

  end(item: RealtimeTimelineItem, to: number, state: RealtimeTimelineItem['state'] = 'ok'): void {
    this.change(item, { to: Math.max(to, item.from), state });
  }

  /** One more wire event of an item; it goes to the window with the item's next change. */
  note(item: RealtimeTimelineItem, event: number): void {
    const { events } = item;
    if (events.includes(event)) return;
    if (events.length === 2 * namedEvents) events.splice(namedEvents, 1);
    events.push(event);
  }
}
