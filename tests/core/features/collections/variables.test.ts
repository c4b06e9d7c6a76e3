import { describe, expect, test } from 'vitest';

import { parseExact, writeExact, type ExactJson } from '../../../../src-core/base/exactJson.ts';
import { hideSecrets } from '../../../../src-core/features/collections/hideSecrets.ts';
import { fillVariables } from '../../../../src-core/features/collections/variables.ts';

const secrets = new Map([['KEY', 's3cret "x"']]);

function fill(value: ExactJson, ...scopes: Record<string, ExactJson>[]) {
  return fillVariables(value, {
    scopes,
    secret: (name) => Promise.resolve(secrets.get(name)),
    device: () => Promise.resolve('box-1'),
  });
}

describe('variables', () => {
  test('a whole value keeps its type, a part of a text becomes text', async () => {
    const variables = { n: 3, on: true, list: [1, { a: null }], text: 'x' };
    const { value } = await fill(
      { n: '{{n}}', on: '{{ on }}', list: '{{list}}', words: 'a {{n}} {{text}} {{list}}', deep: [['{{text}}']] },
      variables,
    );
    expect(value).toEqual({ n: 3, on: true, list: [1, { a: null }], words: 'a 3 x [1,{"a":null}]', deep: [['x']] });
  });

  test('the first scope that has the name is asked; null is a value', async () => {
    expect((await fill('{{a}}', { a: null }, { a: 1 })).value).toBe(null);
    expect((await fill('{{a}}', {}, { a: 1 })).value).toBe(1);
  });

  test('variables in variables are filled, in a circle they are refused', async () => {
    expect((await fill('{{a}}!', { a: '{{b}}{{b}}', b: 'x' })).value).toBe('xx!');
    await expect(fill('{{a}}', { a: '{{b}}', b: '{{a}}' })).rejects.toThrow('refers to itself');
    await expect(fill('{{a}}', { a: '{{b}}{{b}}', b: 'x'.repeat(3_000_000) })).rejects.toThrow('more than 4 MB');
  });

  test('a few lines that ask for more than ever ends are filled once each, or refused', async () => {
    const levels = Array.from({ length: 9 }, (_, level) => level);
    const texts = Object.fromEntries(levels.map((level) => [`v${level}`, `{{v${level + 1}}}`.repeat(10)]));
    expect((await fill('{{v0}}!', texts, { v9: '' })).value).toBe('!');
    const lists = Object.fromEntries(levels.map((level) => [`v${level}`, Array(30).fill(`{{v${level + 1}}}`)]));
    await expect(fill({ list: '{{v0}}' }, lists, { v9: 0 })).rejects.toThrow('makes a value of more than 4 MB');
    const objects = Object.fromEntries(
      levels.map((level) => [`v${level}`, { a: `{{v${level + 1}}}`, b: [`{{v${level + 1}}}`] }]),
    );
    expect((await fill('{{v5}}', objects, { v9: 0 })).value).toMatchObject({ a: { a: { a: { a: 0 } } } });
  });

  test('others get turns while a long value is filled', async () => {
    let turns = 0;
    setImmediate(() => (turns += 1));
    await fill(Array(2_000).fill('{{a}}{{a}}'), { a: '' });
    expect(turns).toBe(1);
  });

  test.each(['{{nobody}}', '{{toString}}', '{{__proto__}}', '{{constructor}}'])(
    '%s is not a variable',
    async (text) => {
      await expect(fill(text, {})).rejects.toThrow('There is no variable');
    },
  );

  test('keeps text that is not a variable, and escaped text', async () => {
    const text = '{{ }} {{1a}} {x} {{a b}} \\{{a}} {{{a}}}';
    expect((await fill(text, { a: 'A' })).value).toBe('{{ }} {{1a}} {x} {{a b}} {{a}} {A}');
  });

  test('the device and secrets, which are told apart from the rest', async () => {
    const { value, secrets: used } = await fill({ tool: '{{$device}}_set', key: 'Bearer {{$secret:KEY}}' });
    expect(value).toEqual({ tool: 'box-1_set', key: 'Bearer s3cret "x"' });
    expect(used).toEqual({ KEY: 's3cret "x"' });
    await expect(fill('{{$secret:OTHER}}')).rejects.toThrow('There is no secret "OTHER"');
  });

  test('whole numbers beyond 2^53 come through as they are', async () => {
    const { value } = await fill(parseExact('{"id": 9007199254740993, "again": "{{id}}"}'), {
      id: parseExact('123456789012345678901'),
    });
    expect(writeExact(value)).toBe('{"id":9007199254740993,"again":123456789012345678901}');
  });
});

describe('secrets in what is kept', () => {
  test('stand by their name, also inside JSON in a text; short ones only where they are the whole', () => {
    const value = { a: 'Bearer s3cret "x"', b: ['{"k":"s3cret \\"x\\""}'], c: 'a', d: 'banana', e: 7 };
    expect(hideSecrets(value, { KEY: 's3cret "x"', S: 'a' })).toEqual({
      a: 'Bearer {{$secret:KEY}}',
      b: ['{"k":"{{$secret:KEY}}"}'],
      c: '{{$secret:S}}',
      d: 'banana',
      e: 7,
    });
  });

  const ascii = (text: string): string =>
    text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const odd = 'p+ä/"😀\\\\n\n<é>';
  test.each([
    ['JSON', (text: string) => JSON.stringify(text)],
    ['Python’s JSON', (text: string) => ascii(JSON.stringify(text))],
    ['PHP’s JSON', (text: string) => ascii(JSON.stringify(text)).replaceAll('/', '\\/')],
    [
      '.NET’s JSON',
      (text: string) =>
        JSON.stringify(text)
          .slice(1, -1)
          .replaceAll('\\"', '\\u0022')
          .replace(
            /[+<>]|[^\0-\x7f]/g,
            (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`,
          ),
    ],
  ])('are found as %s spells them, in JSON in JSON in JSON, too', (_name, write) => {
    for (const [text, levels] of [
      [odd, 1],
      [odd, 2],
      [odd, 3],
    ] as const) {
      let written = `{${text}}`;
      for (let level = 0; level < levels; level += 1) written = write(written);
      expect(hideSecrets({ written }, { ODD: odd }).written).toContain('{{{$secret:ODD}}}');
    }
  });

  test('of many backslashes are looked for in no more time than others', () => {
    const secret = `${'\\'.repeat(30)}"`.repeat(5);
    const text = '\\'.repeat(100_000);
    expect(hideSecrets(text, { MANY: secret })).toBe(text);
  });

  test('the longer one goes first, and an empty one hides nothing', () => {
    const named = { A: 'secret', B: 'KEY:B' };
    const hidden = hideSecrets('a secret, its name KEY:B', named);
    expect(hidden).toBe('a {{$secret:A}}, its name {{$secret:B}}');
    expect(hideSecrets(hidden, named)).toBe(hidden);
    expect(hideSecrets('abcdefgh', { SHORT: 'abcd', LONG: 'abcdefgh', NONE: '' })).toBe('{{$secret:LONG}}');
  });
});
