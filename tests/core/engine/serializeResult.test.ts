import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { serializeResult } from '../../../src-core/engine/serializeResult.ts';
import { ToolError } from '../../../src-core/base/errors.ts';
import type { ContentBlock } from '../../../src-core/base/toolTypes.ts';

function textOf(value: unknown, content?: ContentBlock[]): string {
  return serializeResult({ output: { value, ...(content && { content }) }, maxResultBytes: 1_000 }).text;
}

function failureOf(output: unknown, maxResultBytes = 1_000): ToolError['info'] {
  try {
    serializeResult({ output, maxResultBytes });
  } catch (error) {
    if (error instanceof ToolError) return error.info;
    throw error;
  }
  throw new Error('It had a text.');
}

describe('the text of a value', () => {
  test.each<[unknown, string]>([
    ['as it is', 'as it is'],
    ['', ''],
    [{ a: [1, null, 'x'] }, '{"a":[1,null,"x"]}'],
    [5, '5'],
    [true, 'true'],
    [null, 'null'],
    [undefined, ''],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [9007199254740993n, '9007199254740993'],
    [{ id: 9007199254740993n, list: [1n] }, '{"id":9007199254740993,"list":[1]}'],
    [{ toJSON: () => 'own' }, '"own"'],
  ])('%o is %s', (value, text) => {
    expect(textOf(value)).toBe(text);
  });

  test('without a value, the text blocks are the text', () => {
    const content: ContentBlock[] = [
      { type: 'text', text: 'one' },
      { type: 'image', data: 'AA==', mimeType: 'image/png' },
      { type: 'text', text: 'two' },
    ];
    expect(textOf(undefined, content)).toBe('one\ntwo');
    expect(textOf('given', content)).toBe('given');
    expect(serializeResult({ output: { value: 1, content, isError: true }, maxResultBytes: 100 })).toEqual({
      text: '1',
      content,
      isError: true,
    });
  });

  test('omits values that are not content blocks', () => {
    expect(
      serializeResult({ output: { value: 1, content: [null, 5, { type: 'text', text: 'x' }] }, maxResultBytes: 9 }),
    ).toEqual({ text: '1', content: [{ type: 'text', text: 'x' }], isError: false });
    expect(serializeResult({ output: { value: 1, content: 'x' }, maxResultBytes: 9 })).toEqual({
      text: '1',
      isError: false,
    });
  });

  test('any JSON value is the text that JSON.stringify makes of it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { text } = serializeResult({ output: { value }, maxResultBytes: 1e6 });
        expect(text).toBe(typeof value === 'string' ? value : JSON.stringify(value));
      }),
    );
  });
});

describe('what has no text', () => {
  const circle: Record<string, unknown> = {};
  circle.self = { circle };
  const throwing = {
    get secret() {
      throw new Error('do not look');
    },
  };

  test.each<[string, unknown, RegExp]>([
    ['a circle', circle, /cannot be converted to JSON: .*circular/i],
    ['a circle with a bigint', { circle, n: 1n }, /cannot be converted to JSON/],
    ['a getter that throws', throwing, /cannot be converted to JSON: do not look/],
    [
      'a toJSON that throws',
      {
        toJSON: () => {
          throw new Error('no');
        },
      },
      /cannot be converted to JSON: no/,
    ],
    ['a function', () => 1, /a value of type function, which has no text/],
    ['a symbol', Symbol('x'), /a value of type symbol/],
  ])('%s', (_, value, message) => {
    expect(failureOf({ value })).toMatchObject({ code: 'bad-result', message: expect.stringMatching(message) });
  });

  test.each([undefined, null, 'text', 5])('an output that is %j', (output) => {
    expect(failureOf(output)).toEqual({ code: 'bad-result', message: 'The tool did not return an answer object.' });
  });

  test('an output whose value throws when read', () => {
    const output = {
      get value() {
        throw new Error('gone');
      },
    };
    expect(failureOf(output)).toEqual({ code: 'bad-result', message: 'The answer could not be read: gone' });
  });
});

describe('what is too large', () => {
  test('is an error with the size, the limit and the beginning', () => {
    expect(failureOf({ value: 'x'.repeat(10_000_000) }, 5_000_000)).toEqual({
      code: 'result-too-large',
      message: 'The tool returned 10.0 MB; at most 5.0 MB are passed on. Request less data from it.',
      details: { bytes: 10_000_000, limit: 5_000_000, preview: 'x'.repeat(1_000) },
    });
  });

  test('bytes are counted, not characters', () => {
    expect(textOf('é'.repeat(500))).toHaveLength(500);
    expect(failureOf({ value: 'é'.repeat(501) })).toMatchObject({ details: { bytes: 1_002 } });
  });

  test('content blocks together may have four times the limit', () => {
    const image = (size: number) => ({ type: 'image', data: 'A'.repeat(size), mimeType: '' });
    const output = (size: number) => ({ value: 'ok', content: [image(size), image(size)] });
    expect(serializeResult({ output: output(1_990), maxResultBytes: 1_000 }).text).toBe('ok');
    expect(failureOf(output(2_000))).toMatchObject({ code: 'result-too-large' });
  });
});
