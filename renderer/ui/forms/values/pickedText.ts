import { zoneOf } from './zoneOf.ts';

/** The browser's native picker for a text: the `type` of an input. */
export type Picker = 'date' | 'time' | 'datetime-local' | 'color';

const pickers: ReadonlyMap<string, Picker> = new Map([
  ['date', 'date'],
  ['time', 'time'],
  ['date-time', 'datetime-local'],
  ['color', 'color'],
]);

/** The picker that fits a format; undefined if there is none. */
export function pickerOf(format: string): Picker | undefined {
  return pickers.get(format);
}

const clock = String.raw`(\d\d:\d\d)(:\d\d)?(\.\d+)?`;
const zone = String.raw`(z|[+-]\d\d:?\d\d)?`;
const times = new RegExp(`^${clock}${zone}$`, 'i');
const moments = new RegExp(String.raw`^(\d{4}-\d\d-\d\d)([t ])${clock}${zone}$`, 'i');

/** The initial value of a picker: the text in the picker's notation. If it cannot be parsed: empty, or black. */
export function pickerValue(picker: Picker, text: string): string {
  if (picker === 'color') return hexOf(text)?.color ?? '#000000';
  if (picker === 'date') return /^\d{4}-\d\d-\d\d$/.test(text) ? text : '';
  if (picker === 'time') {
    const [, minutes = '', seconds = ':00'] = times.exec(text) ?? [];
    return minutes === '' ? '' : `${minutes}${seconds}`;
  }
  const [, date = '', , minutes = '', seconds = ':00'] = moments.exec(text) ?? [];
  return date === '' ? '' : `${date}T${minutes}${seconds}`;
}

/**
 * Returns the text after a pick. It keeps what the picker does not support: the offset from UTC, the fraction of an
 * unchanged second, and the alpha value of a colour. A time without an offset gets this machine's offset.
 */
export function withPicked(picker: Picker, text: string, picked: string): string {
  if (picker === 'color') return `${picked}${hexOf(text)?.alpha ?? ''}`;
  if (picker === 'date') return picked;
  if (picker === 'time') {
    const [, , , fraction = '', offset] = times.exec(text) ?? [];
    const kept = withSeconds(picked) === pickerValue(picker, text) ? fraction : '';
    return `${withSeconds(picked)}${kept}${offset ?? zoneOf(new Date())}`;
  }
  const [, , between = 'T', , , fraction = '', offset] = moments.exec(text) ?? [];
  const [date = '', time = ''] = picked.split('T');
  const kept = withSeconds(time) === pickerValue(picker, text).split('T')[1] ? fraction : '';
  return `${date}${between}${withSeconds(time)}${kept}${offset ?? zoneOf(new Date(picked))}`;
}

/** Pickers omit seconds that are 0, and write milliseconds. */
function withSeconds(time: string): string {
  return time.length === 5 ? `${time}:00` : time.slice(0, 8);
}

/** A colour of hexadecimal digits, three to eight of them, as a picker writes it, and its alpha digits. */
function hexOf(text: string): { color: string; alpha: string } | undefined {
  const digits = /^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.exec(text)?.[1]?.toLowerCase();
  if (digits === undefined) return undefined;
  const long = digits.length < 6 ? digits.replaceAll(/./g, '$&$&') : digits;
  return { color: `#${long.slice(0, 6)}`, alpha: long.slice(6) };
}
