import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ref } from 'vue';

import { useArguments } from '../../../../renderer/ui/forms/state/useArguments.ts';
import type { JsonSchema } from '../../../../src-core/contract/types.ts';

const schema: JsonSchema = {
  type: 'object',
  properties: {
    volume: { type: 'integer', minimum: 0, maximum: 100 },
    color: { type: 'object', properties: { r: { type: 'integer' } } },
  },
  required: ['volume'],
};
const make = (initial: string) => {
  const text = ref(initial);
  return { text, args: useArguments({ text, schema: ref(schema) }) };
};

describe('form and JSON in step', () => {
  it('a form edit is an edit of the text, and the text an edit of the form', () => {
    const { text, args } = make('{\n  "volume": 10,\n  "extra": [1, 2]\n}');
    args.set(['volume'], '50');
    expect(text.value).toBe('{\n  "volume": 50,\n  "extra": [1, 2]\n}');
    text.value = '{"volume": 70}';
    expect(args.nodeAt(['volume'])).toMatchObject({ kind: 'number', raw: '70' });
  });

  it('loses nothing while the JSON cannot be read: the form rests and shows what was there', () => {
    const { text, args } = make('{"volume": 50}');
    text.value = '{"volume": 50,';
    expect(args.problem.value).toMatchObject({ what: expect.stringContaining('the text ends') as string });
    expect(args.nodeAt(['volume'])).toMatchObject({ raw: '50' });
    args.set(['volume'], '60');
    args.leaveOut(['volume']);
    expect(text.value).toBe('{"volume": 50,');
    text.value = '{"volume": 50, "extra": 1}';
    args.set(['volume'], '60');
    expect(text.value).toBe('{"volume": 60, "extra": 1}');
  });

  it('takes nothing but an object for arguments', () => {
    const { args } = make('[1]');
    expect(args.problem.value).toBe('not-object');
    expect(args.issues.value).toEqual([]);
  });

  it('shows an optional field that was opened, and sends nothing for it', () => {
    const { text, args } = make('{"volume": 1}');
    args.open(['color']);
    expect(args.isOpen(['color'])).toBe(true);
    expect(text.value).toBe('{"volume": 1}');
    args.leaveOut(['color']);
    expect(args.isOpen(['color'])).toBe(false);
  });

  it('forgets what was typed into a field that is no longer there, so that the call can be sent', () => {
    const typed = (initial: string) => {
      const made = make(initial);
      made.args.drafts.set('["color","r"]', '{');
      made.args.drafts.set('["note"]', '[');
      return made;
    };
    const drawn = typed('{"color": {"r": 1}}');
    drawn.args.set(['color'], '{"g": 1}');
    expect([...drawn.args.drafts.keys()]).toEqual(['["note"]']);
    const written = typed('{"color": {"r": 1}}');
    written.text.value = '{"color": {"r": 1}, "volume": 3}';
    expect(written.args.drafts.size).toBe(2);
    written.text.value = '{"volume": 3}';
    expect([...written.args.drafts.keys()]).toEqual(['["note"]']);
    written.text.value = '{"note": []}';
    expect(written.args.drafts.size).toBe(0);
    const near = typed('{"color": {"g": 1}}');
    near.args.set(['color', 'g'], '2');
    expect(near.args.drafts.size).toBe(2);
    near.text.value = '{"color": {"g": 3}}';
    expect([...near.args.drafts.keys()]).toEqual(['["note"]']);
  });

  it('uses the chosen type for a value that the user then writes as JSON', () => {
    const { text, args } = make('{"color": {}, "other": 1}');
    args.picked.set('["color"]', 1);
    args.set(['other'], '2');
    args.set(['color'], '{"r": 1}');
    text.value = '{"color": {"r": 1}}';
    expect(args.picked.get('["color"]')).toBe(1);
    text.value = '{"color": {"r": 2}}';
    expect(args.picked.size).toBe(0);
  });

  it('any run of edits ends where the same edits of an object end, and leaves unknown keys alone', () => {
    const edit = fc.record({
      key: fc.constantFrom('volume', 'color', 'a"b', '__proto__', ''),
      value: fc.option(fc.jsonValue()),
    });
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 12 }), (edits) => {
        const { text, args } = make('{"untouched": {"deep": [1, {"x": 1.0}]}, "id": 9007199254740993}');
        const model = new Map<string, string>();
        for (const { key, value } of edits) {
          if (value === null) {
            args.leaveOut([key]);
            model.delete(key);
          } else {
            args.set([key], JSON.stringify(value));
            model.set(key, JSON.stringify(JSON.parse(JSON.stringify(value))));
          }
        }
        expect(text.value.startsWith('{"untouched": {"deep": [1, {"x": 1.0}]}, "id": 9007199254740993')).toBe(true);
        const read = new Map(
          Object.entries(JSON.parse(text.value) as object).map(([key, value]) => [key, JSON.stringify(value)]),
        );
        read.delete('untouched');
        read.delete('id');
        expect(read).toEqual(model);
      }),
      { numRuns: 300 },
    );
  });
});
