import { randomUUID } from 'node:crypto';

import { checkOptions } from '../../base/checkOptions.ts';
import { McpTool, type ToolArguments } from '../mcp/mcpTool.ts';
import { Property, PropertyType } from '../mcp/property.ts';
import { PropertyList } from '../mcp/propertyList.ts';
import type { ToolManager } from '../mcp/toolManager.ts';
import { isJsonObject, type JsonValue } from '../../base/json.ts';
import { createJsonStore } from './jsonStore.ts';

const maxEvents = 1_000;

const fields = ['id', 'title', 'start_time', 'end_time', 'description'] as const;

const shape = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})?)?$/;

const text = (name: string) => new Property(name, PropertyType.STRING);
const optionalText = (name: string) => new Property(name, PropertyType.STRING, { defaultValue: '' });

/** `self.calendar.create_event`, `get_events`, `update_event` and `delete_event`, kept in a JSON file if one is given. */
export function createCalendarManager(options: { file?: string } = {}): ToolManager {
  checkOptions('createCalendarManager', options, { file: true });
  const calendar = createCalendarStore(options.file);
  return {
    initTools(addTool) {
      addTool(
        new McpTool({
          name: 'self.calendar.create_event',
          description:
            'Puts an event into the calendar and answers with it as JSON. Times are ISO 8601: "2026-08-06T15:00", in the ' +
            'local time of the device unless they say an offset. "end_time" and "description" may be left out.',
          properties: new PropertyList([
            text('title'),
            text('start_time'),
            optionalText('end_time'),
            optionalText('description'),
          ]),
          callback: async (args) => {
            const event = checked({ id: randomUUID(), ...fieldsOf(args) });
            await calendar.change((events) => [...events, event]);
            return JSON.stringify(event);
          },
        }),
      );
      addTool(
        new McpTool({
          name: 'self.calendar.get_events',
          description:
            'Lists events as JSON, earliest first: all of them, or those that begin from "start_time" on and before "end_time".',
          properties: new PropertyList([optionalText('start_time'), optionalText('end_time')]),
          callback: async ({ start_time: from, end_time: to }) => {
            const start = from === '' ? -Infinity : readTime('start_time', String(from));
            const end = to === '' ? Infinity : readTime('end_time', String(to));
            const events = (await calendar.events())
              .map((event) => ({ event, at: readTime('start_time', event.start_time) }))
              .filter(({ at }) => at >= start && at < end)
              .sort((one, other) => one.at - other.at);
            return JSON.stringify({ events: events.map(({ event }) => event) });
          },
        }),
      );
      addTool(
        new McpTool({
          name: 'self.calendar.update_event',
          description: 'Changes an event. "event_id" is the "id" that it was listed with; what is left empty stays.',
          properties: new PropertyList([
            text('event_id'),
            optionalText('title'),
            optionalText('start_time'),
            optionalText('end_time'),
            optionalText('description'),
          ]),
          callback: async (args) => {
            const given = Object.entries(fieldsOf(args)).filter(([, value]) => value !== '');
            const update = (event: CalendarEvent) => checked({ ...event, ...Object.fromEntries(given) });
            await calendar.change((events) => {
              const index = indexOf(events, args);
              return events.map((event, at) => (at === index ? update(event) : event));
            });
            return true;
          },
        }),
      );
      addTool(
        new McpTool({
          name: 'self.calendar.delete_event',
          description: 'Takes an event out of the calendar. "event_id" is the "id" that it was listed with.',
          properties: new PropertyList([text('event_id')]),
          callback: async (args) => {
            await calendar.change((events) => events.toSpliced(indexOf(events, args), 1));
            return true;
          },
        }),
      );
    },
  };
}

function fieldsOf(args: ToolArguments): Omit<CalendarEvent, 'id'> {
  const { title, start_time, end_time, description } = args;
  return {
    title: String(title),
    start_time: String(start_time),
    end_time: String(end_time),
    description: String(description),
  };
}

function checked(event: CalendarEvent): CalendarEvent {
  const start = readTime('start_time', event.start_time);
  if (event.title.trim() === '') throw new Error('"title" must not be empty.');
  if (event.title.length > 200) throw new Error('"title" may have 200 characters.');
  if (event.description.length > 2_000) throw new Error('"description" may have 2,000 characters.');
  if (event.end_time !== '' && readTime('end_time', event.end_time) < start)
    throw new Error('"end_time" is before "start_time".');
  return event;
}

function indexOf(events: readonly CalendarEvent[], { event_id: id }: ToolArguments): number {
  const index = events.findIndex((event) => event.id === id);
  if (index < 0) throw new Error('There is no event of that "event_id". self.calendar.get_events lists them.');
  return index;
}

/** Epoch ms of an ISO 8601 day or time, local if it has no offset. @throws {Error} Names the field. */
function readTime(field: string, text: string): number {
  const whole = text.length === 10 ? `${text}T00:00` : text.replace(' ', 'T');
  const time = shape.test(text) ? Date.parse(whole) : Number.NaN;
  if (Number.isNaN(time)) throw new Error(`"${field}" must be a time as in "2026-08-06T15:00".`);
  return time;
}

/** Times are ISO 8601 text as received; `''` if there is none. */
type CalendarEvent = Record<'id' | 'title' | 'start_time' | 'end_time' | 'description', string>;

/** Events, kept in a JSON file if one is given. */
function createCalendarStore(file: string | undefined) {
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
