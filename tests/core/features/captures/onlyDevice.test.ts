import { describe, expect, test } from 'vitest';

import { onlyDevice } from '../../../../src-core/features/captures/onlyDevice.ts';

const device = (id: string, name: string) => ({
  id,
  name,
  source: { kind: 'device' as const, id: `of-${id}`, label: name },
});
const devices = [device('box-1', 'Hall'), device('box-2', 'Room 1'), device('box-3', 'Room 1')];

describe('the device that {{$device}} means', () => {
  test.each(['Hall', 'box-1', 'of-box-1'])('by %s', (named) => {
    expect(onlyDevice(devices, named)).toBe('box-1');
  });

  test('of several with one name, those are named', () => {
    expect(() => onlyDevice(devices, 'Room 1')).toThrow(
      'Several devices are named "Room 1". Give the id: box-2, box-3.',
    );
  });

  test('of several, all are named', () => {
    expect(() => onlyDevice(devices)).toThrow(
      'Several devices are connected. Choose one for {{$device}}, in the terminal with --device: box-1, box-2, box-3.',
    );
  });
});
