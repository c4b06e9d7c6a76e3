import { isJsonObject, type JsonValue } from '../../base/json.ts';
import { createJsonStore } from './jsonStore.ts';

/** Times are ISO 8601 text as received; `''` if there is none. */
export type CalendarEvent = Record<'id' | 'title' | 'start_time' | 'end_time' | 'description', string>;

const maxEvents = 1_000;
const fields = ['id', 'title', 'start_time', 'end_time', 'description'] as const;

/** Events, kept in a JSON file if one is given. */
export function createCalendarStore(file: string | undefined) {
  const store = createJsonStore(file);
  return {
    events: async (): Promise<CalendarEvent[]> => readEvents(await store.read(), file),
    /** Replaces the events. @throws {Error} If there would be more than 1,000. */
    change: (change: (events: CalendarEvent[]) => CalendarEvent[]): Promise<void> =>
      store.update((value) => {
        const events = change(readEvents(value, file));
        if (events.length > maxEvents) throw new Error(`The calendar is full: it holds ${maxEvents} events.`);
        return events;
      }),
  };
}

function readEvents(value: JsonValue | undefined, file: string | undefined): CalendarEvent[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every(isEvent)) return value;
  throw new Error(`${file ?? 'The store'} does not hold a list of events. Mend or remove it.`);
}

function isEvent(value: JsonValue): value is CalendarEvent {
  return isJsonObject(value) && fields.every((field) => typeof value[field] === 'string');
}
