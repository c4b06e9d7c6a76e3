import { describe, expect, it } from 'vitest';

import { pickerOf, pickerValue, withPicked, type Picker } from '../../../../renderer/ui/forms/values/pickedText.ts';
import { zoneOf } from '../../../../renderer/ui/forms/values/zoneOf.ts';

describe('a text with a picker', () => {
  it.each<[Picker, string, string]>([
    ['date', '2026-01-31', '2026-01-31'],
    ['date', '31.1.2026', ''],
    ['time', '08:30:15+02:00', '08:30:15'],
    ['time', '08:30', '08:30:00'],
    ['time', 'soon', ''],
    ['datetime-local', '2026-01-31T08:30:00.250-05:00', '2026-01-31T08:30:00'],
    ['datetime-local', '2026-01-31 08:30z', '2026-01-31T08:30:00'],
    ['datetime-local', '2026-01-31', ''],
    ['color', '#FB4', '#ffbb44'],
    ['color', '#11223344', '#112233'],
    ['color', 'rebeccapurple', '#000000'],
  ])('%s shows %j as %j', (picker, text, expected) => expect(pickerValue(picker, text)).toBe(expected));

  it.each<[Picker, string, string, string]>([
    ['date', 'soon', '2026-02-01', '2026-02-01'],
    ['time', '08:30:00+02:00', '09:05', '09:05:00+02:00'],
    ['time', '08:30:00.5Z', '08:30', '08:30:00.5Z'],
    ['time', '08:30:00.5Z', '08:31', '08:31:00Z'],
    ['datetime-local', '2026-01-31T08:30:00.250-05:00', '2026-02-01T08:30', '2026-02-01T08:30:00.250-05:00'],
    ['datetime-local', '2026-01-31 08:30:00Z', '2026-02-01T09:30:10.000', '2026-02-01 09:30:10Z'],
    ['color', '#11223344', '#aabbcc', '#aabbcc44'],
    ['color', 'red', '#aabbcc', '#aabbcc'],
  ])('%s makes of %j, picking %j, %j', (picker, text, picked, expected) => {
    expect(withPicked(picker, text, picked)).toBe(expected);
  });

  it("adds this machine's offset to a time without one", () => {
    const there = zoneOf(new Date('2026-07-01T09:00'));
    expect(withPicked('datetime-local', '', '2026-07-01T09:00')).toBe(`2026-07-01T09:00:00${there}`);
    expect(there).toMatch(/^(Z|[+-]\d\d:\d\d)$/);
  });

  it('is there for dates, times and colours alone', () => {
    expect(['date', 'time', 'date-time', 'color', 'email', 'constructor'].map(pickerOf)).toEqual([
      'date',
      'time',
      'datetime-local',
      'color',
      undefined,
      undefined,
    ]);
  });
});
