import { describe, expect, it } from 'vitest';
import { h, render } from 'vue';

import { InlineText } from '../../../../renderer/features/chat/text/InlineText.ts';
import { inlinePieces } from '../../../../renderer/features/chat/text/inlinePieces.ts';
import { readMarkdown } from '../../../../renderer/features/chat/text/readMarkdown.ts';

describe('readMarkdown', () => {
  it('tells paragraphs, headings, lists, quotes, code and rules apart', () => {
    const text = [
      '# Head #',
      'one',
      'two',
      '',
      '- a',
      '  more of a',
      '  - b',
      '',
      '1. c',
      '> said',
      '> again',
      '---',
      '```ts',
      'x',
      '```',
      'end',
    ];
    expect(readMarkdown(text.join('\n'))).toMatchObject([
      { kind: 'heading', text: 'Head' },
      { kind: 'paragraph', text: 'one\ntwo' },
      {
        kind: 'list',
        items: [
          { marker: '•', depth: 0, text: 'a\nmore of a' },
          { marker: '•', depth: 1, text: 'b' },
          { marker: '1.', depth: 0, text: 'c' },
        ],
      },
      { kind: 'quote', text: 'said\nagain' },
      { kind: 'rule' },
      { kind: 'code', language: 'ts', text: 'x' },
      { kind: 'paragraph', text: 'end' },
    ]);
  });

  it('reads tables, with their alignment, escaped bars and rows of any length', () => {
    const text = [
      'Zones:',
      '| zone | time |',
      '|:-----|-----:|',
      '| UTC | `12:00` |',
      'a \\| b | c | d',
      '| one',
      '',
      '| e | f |',
    ];
    expect(readMarkdown(text.join('\n'))).toEqual([
      { start: 0, kind: 'paragraph', text: 'Zones:' },
      {
        start: 7,
        kind: 'table',
        aligns: ['left', 'right'],
        head: ['zone', 'time'],
        rows: [['UTC', '`12:00`'], ['a | b', 'c', 'd'], ['one']],
      },
      { start: 79, kind: 'paragraph', text: '| e | f |' },
    ]);
  });

  it.each([
    ['another number of cells', '| a | b |\n| --- |\n'],
    ['no head', '| --- | --- |\n| a | b |\n'],
    ['a line of dashes', 'a | b\n---\n'],
    ['a line that still comes', '| a | b |\n| --- | --- |'],
  ])('does not read %s as a table', (_what, text) => {
    expect(readMarkdown(text).map(({ kind }) => kind)).not.toContain('table');
  });

  it('shows a code block whose end has not come yet, and keeps a shorter fence inside it', () => {
    expect(readMarkdown('````\n```\ninner')).toMatchObject([{ kind: 'code', language: '', text: '```\ninner' }]);
  });

  it('leaves HTML, links and pictures the text they are', () => {
    const text = '<img src=x onerror=alert(1)> [a](javascript:b) ![c](d)';
    expect(readMarkdown(text)).toMatchObject([{ kind: 'paragraph', text }]);
  });

  it('loses nothing of a line of signs alone', () => {
    for (const text of ['***a', '**', '`', '*a *b', '> ', '-']) {
      const said = readMarkdown(text).flatMap((block) => ('text' in block ? inlinePieces(block.text) : []));
      expect(said.map((piece) => piece.text).join('')).toBe(text === '> ' ? '' : text);
    }
  });
});

describe('inlinePieces', () => {
  it('finds code, strong and emphasised words', () => {
    expect(inlinePieces('a `b*c*` **d** *e* f_g_ 2*3*4')).toEqual([
      { kind: 'plain', text: 'a ' },
      { kind: 'code', text: 'b*c*' },
      { kind: 'plain', text: ' ' },
      { kind: 'strong', text: 'd' },
      { kind: 'plain', text: ' ' },
      { kind: 'em', text: 'e' },
      { kind: 'plain', text: ' f_g_ 2*3*4' },
    ]);
  });

  it('finds links to web pages, and no others', () => {
    const page = '[a `page`](https://example.com/x?y=1)';
    expect(inlinePieces(`See ${page}.`)).toEqual([
      { kind: 'plain', text: 'See ' },
      { kind: 'link', text: 'a `page`', href: 'https://example.com/x?y=1' },
      { kind: 'plain', text: '.' },
    ]);
    for (const text of [
      '[a](javascript:b)',
      '[a](https://)',
      `!${page}`,
      '[a](/b)',
      '[a](https://b c)',
      '`[a](http://b)`',
    ])
      expect(inlinePieces(text).filter(({ kind }) => kind === 'link')).toEqual([]);
  });

  it('opens a link in a window of its own and says its address', () => {
    const place = document.createElement('p');
    render(h(InlineText, { text: '[https://bank.example](https://evil.example/)' }), place);
    const link = place.querySelector('a');
    expect(link?.textContent).toBe('https://bank.example');
    expect(link?.title).toBe('https://evil.example/');
    expect(link?.getAttribute('href')).toBe('https://evil.example/');
    expect([link?.target, link?.rel]).toEqual(['_blank', 'noopener noreferrer']);
  });
});
