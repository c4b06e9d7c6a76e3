import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nearestNames } from '../../../src-core/base/nearestNames.ts';

const methods = [
  'self.audio_speaker.set_volume',
  'self.audio_speaker.get_volume',
  'self.screen.set_brightness',
  'self.screen.set_theme',
  'self.get_device_status',
  'music_player.search_and_play',
  'listFiles',
];

function nearest(query: string, items: string[] = methods, limit = 5): string[] {
  return nearestNames({ query, items, keysOf: (item) => [item], limit });
}

describe('finds the meant name for common typing errors', () => {
  test.each([
    ['self.audio_speaker.set_volum', 'self.audio_speaker.set_volume'],
    ['self.audio_speaker.set_voluem', 'self.audio_speaker.set_volume'],
    ['set_volume', 'self.audio_speaker.set_volume'],
    ['setVolume', 'self.audio_speaker.set_volume'],
    ['audio speaker volume set', 'self.audio_speaker.set_volume'],
    ['list_files', 'listFiles'],
    ['LISTFILES', 'listFiles'],
    ['get_status', 'self.get_device_status'],
    ['brightness', 'self.screen.set_brightness'],
    ['lsitFiles', 'listFiles'],
  ])('%j is nearest to %j', (query, expected) => {
    expect(nearest(query)[0]).toBe(expected);
  });

  test('names that differ only in the order of two adjacent letters are one edit apart, also short ones', () => {
    expect(nearest('prot', ['port', 'host'])).toEqual(['port']);
    expect(nearest('otpr', ['port', 'host'])).toEqual([]);
  });

  test('two letters in the wrong order are likelier than another letter, unless the first is one of them', () => {
    expect(nearest('tiem', ['item', 'time'])[0]).toBe('time');
    expect(nearest('modles', ['modules', 'modes', 'models'])[0]).toBe('models');
    expect(nearest('ahnd', ['hand', 'and'])[0]).toBe('and');
  });

  test('a name is not offered for letters at the edges of two of its words', () => {
    expect(nearest('t_c', ['self.ir.list_codes'])).toEqual([]);
    expect(nearest('vol')).toContain('self.audio_speaker.set_volume');
  });

  test('names with nothing in common are not offered', () => {
    expect(nearest('wholly-unrelated')).toEqual([]);
    expect(nearest('')).toEqual([]);
  });

  test('Chinese names are compared like others', () => {
    expect(nearest('设置音亮', ['设置音量', '打开灯'])).toEqual(['设置音量']);
  });
});

test('the best key of an item counts', () => {
  const items = [
    { id: 'd4', name: 'Directory tree' },
    { id: 'c7', name: 'Clock' },
  ];
  const found = nearestNames({
    query: 'directory-tree',
    items,
    keysOf: ({ id, name }) => [id, name],
  });
  expect(found).toEqual([items[0]]);
});

test('the limit holds, and equal ones come by name', () => {
  const items = Array.from({ length: 50 }, (_, i) => `lamp_${String(i).padStart(2, '0')}`);
  expect(nearest('lamp_', items, 3)).toEqual(['lamp_00', 'lamp_01', 'lamp_02']);
});

test('the best of a few are the first of all', () => {
  // Names that are all much alike, so that a comparison that was left out by mistake would be noticed.
  const edit = fc.tuple(fc.nat(20), fc.constantFrom('', 'e', 'SetB', '_', 'me'));
  const name = fc
    .array(edit, { maxLength: 5 })
    .map((edits) => edits.reduce((to, [at, put]) => to.slice(0, at) + put + to.slice(at + 1), 'self.audio.set_volume'));
  const names = fc.uniqueArray(name, { minLength: 20, maxLength: 60 });
  let skipped = 0;
  fc.assert(
    fc.property(name, names, fc.integer({ min: 1, max: 5 }), (query, items, limit) => {
      const all = nearest(query, items, items.length);
      expect(nearest(query, items, limit)).toEqual(all.slice(0, limit));
      skipped += Number(all.length > 2 * limit);
    }),
    { numRuns: 1000 },
  );
  expect(skipped).toBeGreaterThan(100);
});

test('one slip in one of ten thousand names is found', () => {
  const items = Array.from({ length: 10_000 }, (_, i) => `device${i}_self.tool_${i * 7}.run`);
  expect(nearest('device4321_self.tool_30247.rum', items)[0]).toBe('device4321_self.tool_30247.run');
});

describe('very many names made of the letters of the query', () => {
  const wanted = 'kitchen-lamp_self.audio_speaker.set_volume_of_all_the_rooms';
  const query = wanted.replace('volume', 'volme');
  const letters = [...query];
  const anagrams = Array.from({ length: 10_000 }, (_, at) =>
    letters.map((_letter, place) => letters[(place * 7 + at) % letters.length]).join(''),
  );

  test('at most 500 are compared in full', () => {
    const items = anagrams.map((name) => ({ name }));
    const all = nearestNames({ query, items, keysOf: ({ name }) => [name], limit: items.length, least: 0 });
    expect(all).toHaveLength(500);
  });

  test('they do not displace a name with one slip', () => {
    expect(nearest(query, [...anagrams, wanted])[0]).toBe(wanted);
    expect(nearest(query, [wanted, ...anagrams])[0]).toBe(wanted);
  });

  test('of an item with many names, at least the first is read, and the others as far as its share goes', () => {
    const others = Array.from({ length: 40_000 }, (_, at) => [`lamp_${at}`]);
    const first = [wanted, 'x'.repeat(80)];
    const last = ['x'.repeat(80), wanted];
    const found = (item: string[]): string[][] =>
      nearestNames({ query, items: [...others, item], keysOf: (keys) => keys });
    expect(found(first)).toEqual([first]);
    expect(found(last)).toEqual([]);
  });
});

test('a name with one character removed or two swapped is still offered first', () => {
  fc.assert(
    fc.property(fc.constantFrom(...methods), fc.nat(), fc.boolean(), (name, seed, swap) => {
      const at = seed % (name.length - 1);
      const [a, b] = [name[at]!, name[at + 1]!];
      const typo = swap ? name.slice(0, at) + b + a + name.slice(at + 2) : name.slice(0, at) + name.slice(at + 1);
      // Losing the letter that tells "set_volume" from "get_volume" leaves both as near; either may come first.
      expect(nearest(typo, methods, 2)).toContain(name);
    }),
  );
});

test('any query and any names are taken, however long', () => {
  const text = fc.string({ unit: 'binary', maxLength: 400 });
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 20 }), (query, items) => {
      const found = nearest(query, items);
      expect(found.length).toBeLessThanOrEqual(5);
      for (const name of found) expect(items).toContain(name);
    }),
  );
});
