import { describe, expect, it } from 'vitest';
import { ref } from 'vue';

import {
  removeJsonAt,
  renameJsonKey,
  setJsonAt,
  swapJsonItems,
} from '../../../../renderer/ui/forms/json/editJsonText.ts';
import { parseJsonText } from '../../../../renderer/ui/forms/json/parseJsonText.ts';
import { pointerPath } from '../../../../renderer/ui/forms/json/pointerPath.ts';
import { listShape } from '../../../../renderer/ui/forms/schema/listShape.ts';
import { useArguments } from '../../../../renderer/ui/forms/state/useArguments.ts';
import { firstItem } from '../../../../renderer/ui/forms/values/firstItem.ts';
import { firstOf } from '../../../../renderer/ui/forms/values/firstValue.ts';
import { asVariant } from '../../../../renderer/ui/forms/values/variantOf.ts';
import type { JsonSchema } from '../../../../src-core/contract/types.ts';

const contentOf = (text: string) => {
  const parsed = parseJsonText(text);
  if (!parsed.ok) throw new Error('no JSON');
  return parsed.root;
};

describe('edits of lists and maps in the text', () => {
  it('adds to an empty list, to a list on one line and to one on many', () => {
    expect(setJsonAt('{}', ['a', 0], '1')).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(setJsonAt('{"a": [1]}', ['a', 1], '2')).toBe('{"a": [1, 2]}');
    expect(setJsonAt('{\n  "a": [\n    1\n  ]\n}', ['a', 1], '{\n  "b": 2\n}')).toBe(
      '{\n  "a": [\n    1,\n    {\n      "b": 2\n    }\n  ]\n}',
    );
    expect(() => setJsonAt('{"a": [1]}', ['a', 3], '2')).toThrow(RangeError);
    expect(() => setJsonAt('{"a": [1]}', ['a', 'b'], '2')).toThrow(/is not an object/);
  });

  it('takes an item out, changes two, and renames an entry, with nothing else touched', () => {
    expect(removeJsonAt('{"a": [1, 2,  3.0]}', ['a', 1])).toBe('{"a": [1,  3.0]}');
    expect(removeJsonAt('{"a": [1]}', ['a', 0])).toBe('{"a": []}');
    expect(removeJsonAt('{"a": [1]}', ['a', 4])).toBe('{"a": [1]}');
    expect(swapJsonItems('{"a": [1.0, {"x": 2}, 3]}', ['a'], 1, 0)).toBe('{"a": [{"x": 2}, 1.0, 3]}');
    expect(swapJsonItems('{"a": [1]}', ['a'], 0, 1)).toBe('{"a": [1]}');
    expect(renameJsonKey('{"a": {"b": 1e2}}', ['a', 'b'], 'c"')).toBe('{"a": {"c\\"": 1e2}}');
    expect(renameJsonKey('{"a": 1, "b": 2}', ['a'], 'b')).toBe('{"a": 1, "b": 2}');
  });

  it('names the items of a list by number if the engine names them by text', () => {
    expect(pointerPath('/list/0/a~1b', contentOf('{"list": [{"a/b": 1}], "0": 2}'))).toEqual(['list', 0, 'a/b']);
    expect(pointerPath('/0', contentOf('{"0": 2}'))).toEqual(['0']);
  });
});

describe('what a form knows of its fields', () => {
  it('moves with the items it is of, and is put back as it was', () => {
    const text = ref('{"list": ["a", "b", "c"]}');
    const args = useArguments({ text, schema: ref({}) });
    args.drafts.set('["list",2]', '{');
    args.picked.set('["list",1,"x"]', 3);
    args.open(['list', 0, 'y']);
    args.leaveOut(['list', 0]);
    expect([[...args.drafts.keys()], [...args.picked.keys()]]).toEqual([['["list",1]'], ['["list",0,"x"]']]);
    expect(args.isOpen(['list', 0, 'y'])).toBe(false);
    args.swap(['list'], 0, 1);
    expect(text.value).toBe('{"list": ["c", "b"]}');
    expect([...args.drafts]).toEqual([['["list",0]', '{']]);
    const saved = args.saveStates();
    args.restoreStates();
    expect(args.drafts.size + args.picked.size).toBe(0);
    args.restoreStates(saved);
    expect([...args.picked]).toEqual([['["list",1,"x"]', 3]]);
  });

  it('returns the same value object while the value is the same', () => {
    const text = ref('{"a": {"deep": [1, 2]}, "b": 1}');
    const args = useArguments({ text, schema: ref({}) });
    const before = args.nodeAt(['a']);
    args.set(['b'], '2');
    expect(args.nodeAt(['a'])).toBe(before);
    args.set(['a', 'deep', 1], '3');
    expect(args.nodeAt(['a'])).not.toBe(before);
  });
});

describe('what a value begins with', () => {
  const root: JsonSchema = {
    $defs: {
      circle: {
        type: 'object',
        properties: { kind: { const: 'circle' }, size: { type: 'integer' } },
        required: ['kind'],
      },
      box: { type: 'object', properties: { kind: { const: 'box' }, size: { type: 'integer' } }, required: ['kind'] },
      loop: { type: 'array', prefixItems: [{ $ref: '#/$defs/loop' }] },
    },
  };
  it.each<[JsonSchema, unknown]>([
    [{ type: 'string' }, ''],
    [{ type: 'integer' }, 0],
    [{ type: 'number', exclusiveMinimum: 2, multipleOf: 0.5 }, 2.5],
    [{ type: 'integer', maximum: -3 }, -3],
    [{ type: 'boolean' }, false],
    [{ type: 'string', default: 'd' }, 'd'],
    [{ enum: ['x', 'y'] }, 'x'],
    [{ $ref: '#/$defs/circle' }, { kind: 'circle' }],
    [{ type: 'array', prefixItems: [{ type: 'number' }, { enum: ['a'] }] }, [0, 'a']],
    [{ type: 'array', items: { type: 'string' }, minItems: 2 }, ['', '']],
    [{ oneOf: [{ $ref: '#/$defs/box' }, { type: 'string' }] }, { kind: 'box' }],
    [{}, null],
  ])('%j', (schema, expected) => expect(JSON.parse(firstOf(schema, root))).toEqual(expected));

  it('ends if a schema asks for itself', () => {
    expect(firstOf({ $ref: '#/$defs/loop' }, root).length).toBeLessThan(1_000);
    const places: JsonSchema = { type: 'array', prefixItems: Array.from({ length: 48 }, () => ({ $ref: '#' })) };
    expect(firstOf(places, places).length).toBeLessThan(20_000);
    expect(JSON.parse(firstOf(places, places))).toHaveLength(48);
  });

  it('takes over into another kind what that kind has a place for', () => {
    const made = asVariant(
      contentOf('{"kind": "circle", "size": 12345678901234567890}'),
      { $ref: '#/$defs/box' },
      root,
    );
    expect(made.replaceAll(/\s/g, '')).toBe('{"kind":"box","size":12345678901234567890}');
  });

  it('adds to a list of different choices one that is not there yet', () => {
    const list: JsonSchema = { type: 'array', uniqueItems: true, items: { enum: ['a', 'b'] } };
    expect(firstItem({ list, shape: listShape(list), node: contentOf('["a"]'), root: list })).toBe('"b"');
  });
});
