import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { createVcpParser } from '../../../../src-core/protocols/vcp/createVcpParser.ts';
import { parseVcp } from '../../../../src-core/protocols/vcp/parseVcp.ts';
import { vcpDialects, type VcpParseResult, type VcpRequest } from '../../../../src-core/protocols/vcp/types.ts';
import type { VcpDialect } from '../../../../src-core/base/replyTypes.ts';
import { applyEdits } from './applyEdits.ts';
import { block, call } from './blocks.ts';
import { edgeCases } from './edgeCases.ts';
import { cutText, vcpText } from './vcpArbitrary.ts';

/** Ids that depend on nothing but their order. */
function counted(): () => string {
  let count = 0;
  return () => `id${count++}`;
}

function fed(chunks: Iterable<string>, dialect: VcpDialect): { result: VcpParseResult; announced: VcpRequest[] } {
  const announced: VcpRequest[] = [];
  const parser = createVcpParser({ dialect, newId: counted(), onRequest: (request) => announced.push(request) });
  for (const chunk of chunks) parser.feed(chunk);
  return { result: parser.end(), announced };
}

function expectTiles({ regions, length }: VcpParseResult): void {
  let at = 0;
  for (const { start, end } of regions) {
    expect(start).toBe(at);
    expect(end).toBeGreaterThan(start);
    at = end;
  }
  expect(at).toBe(length);
}

describe.each(vcpDialects)('dialect %s', (dialect) => {
  test('any text, cut anywhere, gives the same result; regions tile it; nothing throws', () => {
    fc.assert(
      fc.property(cutText(vcpText()), ({ text, chunks }) => {
        const whole = parseVcp(text, { dialect, newId: counted() });
        expectTiles(whole);
        const { result, announced } = fed(chunks, dialect);
        expect(result).toStrictEqual(whole);
        expect(announced).toStrictEqual(whole.requests);
        expect(fed(text.split(''), dialect).result).toStrictEqual(whole);
      }),
      { numRuns: dialect === 'standard' ? 1500 : 300 },
    );
  });

  test('the edge cases, cut at every place and into single code units, give the same result', () => {
    for (const { text } of edgeCases) {
      const whole = parseVcp(text, { dialect, newId: counted() });
      expectTiles(whole);
      expect(fed(text.split(''), dialect).result).toStrictEqual(whole);
      if (dialect !== 'standard') continue;
      for (let cut = 1; cut < text.length; cut++) {
        expect(fed([text.slice(0, cut), text.slice(cut)], dialect).result).toStrictEqual(whole);
      }
    }
  });

  test('ranges lie in the text, and rawBlock is the text of its range', () => {
    fc.assert(
      fc.property(vcpText(), (text) => {
        const { requests, diagnostics } = parseVcp(text, { dialect });
        for (const { range, rawBlock, fields } of requests) {
          expect(rawBlock).toBe(text.slice(range.start, range.end));
          for (const { start, end, keyRange, key } of fields) {
            expect(start).toBeGreaterThanOrEqual(range.start);
            expect(end).toBeLessThanOrEqual(range.end);
            if (dialect === 'standard') expect(text.slice(keyRange.start, keyRange.end)).toBe(key);
          }
        }
        for (const { start, end, fix } of diagnostics) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThanOrEqual(start);
          expect(end).toBeLessThanOrEqual(text.length);
          for (const edit of fix?.edits ?? []) {
            expect(edit.start).toBeLessThanOrEqual(edit.end);
            expect(edit.end).toBeLessThanOrEqual(text.length);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

test('whatever came before, if nothing that hides is open, a block at a line’s start is read', () => {
  // Reasoning, results and fences hide what follows by rule; a held ESCAPE value may still end and take it in.
  const hiding = /think|reasoning|thought|RESULT|\[\[|`|~|末/i;
  fc.assert(
    fc.property(vcpText(), (text) => {
      fc.pre(!hiding.test(text));
      const { requests } = parseVcp(`${text}\n\n${call}`);
      expect(requests.at(-1)).toMatchObject({ toolName: 't', command: 'c', rawBlock: call });
    }),
    { numRuns: 1000 },
  );
});

test('closing a fence that never closes keeps every call running', () => {
  const lines = [
    '```js\n',
    '  - ```\n',
    '> ```\n',
    '~~~ x\n',
    '\n````\n',
    '@\n',
    '@',
    '> @\n',
    'x ',
    '`',
    '<think>',
    '\n',
  ];
  const numbered = (index: number): string => block(`tool_name:「始」t${index}「末」`);
  const calls = (text: string): string[] => parseVcp(text).requests.map(({ rawBlock }) => rawBlock);
  let closed = 0;
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...lines), { maxLength: 12 }), (some) => {
      let count = 0;
      const text = some.join('').replaceAll('@', () => numbered(count++));
      for (const { code, fix } of parseVcp(text).diagnostics) {
        if (code !== 'unclosed-fence' || fix === undefined) continue;
        const ran = calls(text);
        expect(calls(applyEdits(text, fix.edits)).slice(0, ran.length)).toEqual(ran);
        closed += Number(ran.length > 0);
      }
    }),
    { numRuns: 3_000 },
  );
  expect(closed).toBeGreaterThan(100);
});
