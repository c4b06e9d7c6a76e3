import { zoneOf } from './zoneOf.ts';

/** A value of a format that is right in this moment: now, today, an id that nobody has. Undefined for other formats. */
export function freshValue(format: string, now: Date = new Date()): string | undefined {
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString();
  const wall = local.slice(0, 19);
  switch (format) {
    case 'date-time':
      return `${wall}${zoneOf(now)}`;
    case 'date':
      return wall.slice(0, 10);
    case 'time':
      return `${wall.slice(11)}${zoneOf(now)}`;
    case 'uuid':
      return crypto.randomUUID();
    default:
      return undefined;
  }
}
