import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NameScanner, type NameScan } from '../../../src-core/base/nameScan.ts';

/** The same by one search for each word. */
function slowScan(query: string, name: string): NameScan & { differing: number } {
  const [wanted, text] = [query.toLowerCase(), name.toLowerCase()];
  const left = wanted.split('');
  for (const unit of text) if (left.includes(unit)) left.splice(left.indexOf(unit), 1);
  const split = query.replace(/([a-z\d])(?=[A-Z])/g, '$1 ').toLowerCase();
  const words = [...new Set(split.match(/[a-z\d]+/g))].filter((word) => isWordOf(name, word));
  let start = 0;
  while (start < Math.min(wanted.length, text.length) && wanted[start] === text[start]) start += 1;
  let end = 0;
  while (end < Math.min(wanted.length, text.length) - start && wanted.at(-1 - end) === text.at(-1 - end)) end += 1;
  return {
    shared: wanted.length - left.length,
    words: words.length,
    covered: words.join('').length,
    holdsQuery: text.includes(wanted),
    differing: Math.max(wanted.length, text.length) - start - end,
  };
}

function isWordOf(name: string, word: string): boolean {
  const edge = (at: number): boolean =>
    !/^[a-z\d]{2}$/i.test(name.slice(Math.max(0, at - 1), at + 1)) || /^[a-z\d][A-Z]$/.test(name.slice(at - 1, at + 1));
  return Array.from(name, (_, at) => at).some(
    (at) => name.toLowerCase().startsWith(word, at) && edge(at) && edge(at + word.length),
  );
}

const text = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'B', '_', '1'), minLength: 1, maxLength: 16 });

test('one pass tells the same as one search for each word', () => {
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 5 }), (query, names) => {
      const scanner = new NameScanner(query);
      for (const name of names) {
        const found = { ...scanner.scan(name), differing: scanner.differing(name) };
        expect(found, `${query} in ${name}`).toEqual(slowScan(query, name));
      }
    }),
    { numRuns: 5_000 },
  );
});

test('a word that ends at very many places of a name is looked for at the first 32 of them', () => {
  const scanner = new NameScanner('a b');
  expect(scanner.scan(`${'xa'.repeat(31)}_b`)).toMatchObject({ words: 1 });
  expect(scanner.scan(`${'xa'.repeat(40)}_b`)).toMatchObject({ words: 0 });
});
