import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { createWireNames } from '../../../src-core/registry/wireNames.ts';

const pattern = /^[a-zA-Z0-9_-]{1,64}$/;
const wired = (...names: string[]): string[] => {
  const { toWire } = createWireNames(names);
  return names.map(toWire);
};

/** Names that look alike once their odd characters are gone, beside any others. */
const name = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', '.', '_', '-', '/', ' ', '打', '开', '\ud800') }),
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.string({ unit: fc.constantFrom('a', '.'), minLength: 60, maxLength: 80 }),
);

describe('names of tools on the way to a model', () => {
  test('a name that fits stays, a dot becomes an underscore', () => {
    expect(wired('get_time', 'self.audio_speaker.set_volume', 'a/b c')).toEqual([
      'get_time',
      'self_audio_speaker_set_volume',
      'a_b_c',
    ]);
  });

  test('a.b and a_b stay two, and a_b keeps its name', () => {
    const [dotted, plain, slashed] = wired('a.b', 'a_b', 'a/b');
    expect(plain).toBe('a_b');
    expect(dotted).toMatch(/^a_b_[0-9a-f]{8}$/);
    expect(slashed).toMatch(/^a_b_[0-9a-f]{8}$/);
    expect(slashed).not.toBe(dotted);
  });

  test('Chinese, over-long and empty names get a name that says which they are', () => {
    const [light, fan, mixed, long, empty] = wired('打开灯', '关闭风扇', '客厅.light', 'x'.repeat(65), '');
    expect(light).toMatch(/^tool_[0-9a-f]{8}$/);
    expect(fan).toMatch(/^tool_[0-9a-f]{8}$/);
    expect(fan).not.toBe(light);
    expect(mixed).toMatch(/^___light_[0-9a-f]{8}$/);
    expect(long).toMatch(/^x{55}_[0-9a-f]{8}$/);
    expect(empty).toMatch(/^tool_[0-9a-f]{8}$/);
  });

  test('a marked name keeps its name whatever the set is', () => {
    expect(wired('打开灯')).toEqual([createWireNames(['关灯', 'a', '打开灯']).toWire('打开灯')]);
  });

  test('a tool that has another one’s marked name keeps it', () => {
    const [marked = ''] = wired('打开灯');
    const both = createWireNames(['打开灯', marked]);
    expect(both.toWire(marked)).toBe(marked);
    expect(both.toWire('打开灯')).not.toBe(marked);
  });

  test('a tool that is gone still has a name, apart from all others', () => {
    const names = createWireNames(['a.b']);
    expect(names.toWire('gone')).toBe('gone');
    expect(names.toWire('a_b')).toMatch(/^a_b_[0-9a-f]{8}$/);
    expect(names.fromWire(names.toWire('a_b'))).toBe('a_b');
    expect(names.toWire('a_b')).toBe(names.toWire('a_b'));
  });

  test('a tool that comes later gets a name as readable as the others, if that is free', () => {
    const names = createWireNames(['a_b']);
    expect(names.toWire('self.led.on')).toBe('self_led_on');
    expect(names.toWire('self/led/on')).toMatch(/^self_led_on_[0-9a-f]{8}$/);
    expect(names.toWire('a.b')).toMatch(/^a_b_[0-9a-f]{8}$/);
  });

  test('an unknown wire name maps to no tool', () => {
    const names = createWireNames(['a.b']);
    expect(['a.b', 'a_c', '', '__proto__', 'constructor'].map(names.fromWire)).toEqual(Array(5).fill(undefined));
  });

  test('any set: each name fits, comes back, and does not depend on the order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 30 }), (names) => {
        const one = createWireNames(names);
        const other = createWireNames([...names].reverse());
        for (const each of names) {
          expect(one.toWire(each)).toMatch(pattern);
          expect(one.fromWire(one.toWire(each))).toBe(each);
          expect(other.toWire(each)).toBe(one.toWire(each));
        }
      }),
    );
  });

  test('any set and any names beside it stay apart', () => {
    fc.assert(
      fc.property(fc.array(name, { maxLength: 10 }), fc.array(name, { maxLength: 10 }), (names, others) => {
        const map = createWireNames(names);
        const all = [...new Set([...names, ...others])];
        const wires = all.map(map.toWire);
        expect(new Set(wires).size).toBe(all.length);
        expect(wires.map(map.fromWire)).toEqual(all);
      }),
    );
  });
});
