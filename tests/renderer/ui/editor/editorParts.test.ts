import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { safeSchema } from '../../../../renderer/ui/editor/safeSchema.ts';
import { outsideChange, textChange } from '../../../../renderer/ui/editor/textChange.ts';
import { themeOfTokens } from '../../../../renderer/ui/editor/themeOfTokens.ts';
import { blockSpans } from '../../../../src-core/protocols/blockSpans.ts';
import { caretPlace } from '../../../../renderer/ui/editor/vcp/caretPlace.ts';
import { findMethods } from '../../../../renderer/ui/editor/vcp/findMethods.ts';
import type { VcpMethod } from '../../../../renderer/ui/editor/vcp/vcpContext.ts';
import { parseVcp } from '../../../../src-core/protocols/vcp/parseVcp.ts';

describe('textChange', () => {
  it('turns one text into the other, and never cuts a surrogate pair', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n', '😀', '始', '\ud83d') });
    fc.assert(
      fc.property(text, text, (from, to) => {
        const change = textChange(from, to);
        if (change === undefined) {
          expect(from).toBe(to);
          return;
        }
        expect(from.slice(0, change.start) + change.text + from.slice(change.end)).toBe(to);
        expect(from.slice(change.start - 1, change.start + 1)).not.toBe('😀');
      }),
      { numRuns: 500 },
    );
  });

  it('is as small as the difference', () => {
    expect(textChange('{"volume": 10, "b": 1}', '{"volume": 50, "b": 1}')).toEqual({ start: 11, end: 12, text: '5' });
  });
});

describe('outsideChange', () => {
  it('moves what comes after the change, and leaves out what the change touches', () => {
    const spans = [
      { start: 0, end: 2 },
      { start: 1, end: 4 },
      { start: 5, end: 6 },
      { start: 8, end: 9 },
    ];
    expect(outsideChange(spans, { start: 3, end: 6, text: 'longer' })).toEqual([
      { start: 0, end: 2 },
      { start: 11, end: 12 },
    ]);
  });

  it('keeps every span that it returns on the same characters', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', 'c'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(text, text, fc.nat(12), fc.nat(12), (from, to, at, length) => {
        const change = textChange(from, to);
        if (change === undefined) return;
        const span = {
          start: Math.min(at, from.length),
          end: Math.min(at + length, from.length),
        };
        for (const { start, end } of outsideChange([span], change))
          expect(to.slice(start, end)).toBe(from.slice(span.start, span.end));
      }),
      { numRuns: 500 },
    );
  });
});

describe('safeSchema', () => {
  it('keeps what the editor may work with and drops what could hang, fetch or decorate', () => {
    const schema = {
      type: 'object',
      properties: {
        a: {
          type: 'string',
          pattern: '(a+)+$',
          format: 'date',
          markdownDescription: '[x](command:y)',
          description: 'plain',
        },
        b: { $ref: 'https://example.com/schema.json' },
        c: { $ref: '#/$defs/d' },
      },
      patternProperties: { '(x+)+': {} },
      $defs: { d: { enum: [1, 2], defaultSnippets: [{ body: 'x' }] } },
      required: ['a'],
      additionalProperties: false,
    };
    expect(safeSchema(schema)).toEqual({
      type: 'object',
      properties: { a: { type: 'string', description: 'plain' }, b: {}, c: { $ref: '#/$defs/d' } },
      $defs: { d: { enum: [1, 2] } },
      required: ['a'],
      additionalProperties: false,
    });
  });

  it('ignores a schema that is too large or too deep', () => {
    const wide = {
      properties: Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`k${String(at)}`, { type: 'string' }])),
    };
    expect(safeSchema(wide)).toBeUndefined();
    let deep = { type: 'string' } as Record<string, unknown>;
    for (let level = 0; level < 100; level += 1) deep = { items: deep };
    expect(safeSchema(deep as never)).toBeUndefined();
  });
});

describe('the theme', () => {
  it('uses the design tokens in any colour notation of the browser', () => {
    const color = (token: string) => (token === 'bg-pane' ? 'color(srgb 1 0.5 0 / 1)' : 'rgb(16, 19, 23)');
    const theme = themeOfTokens('dark', color);
    expect(theme).toMatchObject({
      base: 'vs-dark',
      colors: {
        'editor.background': '#ff8000',
        'editor.foreground': '#101317',
        'editor.selectionBackground': '#10131752',
      },
    });
    expect(theme.rules).toContainEqual({ token: 'number.json', foreground: '101317' });
  });
});

describe('the place of the caret', () => {
  const start = '<<<[TOOL_REQUEST]>>>\n';
  it.each<[string, object]>([
    ['prose', { in: 'text' }],
    [start, { in: 'key' }],
    [`${start}tool_name:「始」clo`, { in: 'value', key: 'tool_name', typed: 'clo' }],
    [`${start}tool_name:「始」clock「末」,\ncomm`, { in: 'key' }],
    [`${start}tool_name:「始」clock「末」\ncommand :「始」`, { in: 'value', key: 'command', typed: '' }],
    [`${start}tool_name:「始」a「末」\n<<<[END_TOOL_REQUEST]>>>\n`, { in: 'text' }],
  ])('%j', (before, expected) => {
    expect(caretPlace(before)).toMatchObject(expected);
  });

  it('knows the fields before it', () => {
    const place = caretPlace(`${start}tool_name:「始」clock「末」,command:「始」get_time「末」\n`);
    expect(place).toEqual({
      in: 'key',
      fields: new Map([
        ['tool_name', 'clock'],
        ['command', 'get_time'],
      ]),
    });
  });
});

describe('what a name may mean', () => {
  const method = (toolId: string, command: string): VcpMethod => ({
    qualifiedName: `${toolId}_${command}`,
    toolId,
    toolName: toolId,
    command,
    description: '',
    sourceLabel: '',
    parameters: [],
  });
  const methods = [method('clock', 'get_time'), method('clock', 'get_date'), method('files', 'list')];
  it.each<[string, string | undefined, string[]]>([
    ['clock_get_time', undefined, ['clock_get_time']],
    ['clock', undefined, ['clock_get_time', 'clock_get_date']],
    ['clock', 'get_date', ['clock_get_date']],
    ['nothing', undefined, []],
  ])('%s %s', (name, command, expected) => {
    expect(findMethods(methods, name, command).map(({ qualifiedName }) => qualifiedName)).toEqual(expected);
  });
});

describe('block spans', () => {
  it('say of each block whether it is a call', () => {
    const good = '<<<[TOOL_REQUEST]>>>\ntool_name:「始」a_b「末」\n<<<[END_TOOL_REQUEST]>>>';
    const text = `x\n${good}\ny\n<<<[TOOL_REQUEST]>>>\ntool_name：「始」a_b「末」\n<<<[END_TOOL_REQUEST]>>>\n`;
    const spans = blockSpans(parseVcp(text, { dialect: 'standard' }));
    expect(spans).toHaveLength(2);
    expect(text.slice(spans[0]!.start, spans[0]!.end)).toBe(good);
    expect(spans.map(({ request }) => request)).toEqual([0, undefined]);
  });
});
