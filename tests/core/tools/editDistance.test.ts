import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance } from '../../../src-core/tools/editDistance.ts';

/** The definition, written down as it stands. */
function byDefinition(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const [lastA, lastB] = [a.at(-1), b.at(-1)];
  const [restA, restB] = [a.slice(0, -1), b.slice(0, -1)];
  const ways = [
    byDefinition(restA, b) + 1,
    byDefinition(a, restB) + 1,
    byDefinition(restA, restB) + (lastA === lastB ? 0 : 1),
  ];
  const swapped = a.length > 1 && b.length > 1 && lastA === b.at(-2) && a.at(-2) === lastB;
  if (swapped) ways.push(byDefinition(a.slice(0, -2), b.slice(0, -2)) + 1);
  return Math.min(...ways);
}

test.each([
  ['', '', 0],
  ['volume', 'volume', 0],
  ['volume', 'volum', 1],
  ['volume', 'voulme', 1],
  ['volume', 'volumes!', 2],
  ['kitten', 'sitting', 3],
])('%j and %j are %d apart', (a, b, distance) => {
  expect(editDistance(a, b, 10)).toBe(distance);
});

test('it is what its definition says, and above the limit one more than the limit', () => {
  const text = fc.stringMatching(/^[abc]{0,6}$/);
  fc.assert(
    fc.property(text, text, fc.nat(6), (a, b, most) => {
      expect(editDistance(a, b, most)).toBe(Math.min(byDefinition(a, b), most + 1));
    }),
  );
});
