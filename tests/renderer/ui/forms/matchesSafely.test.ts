import fc from 'fast-check';
import { expect, it } from 'vitest';

import { countWays } from '../../../../renderer/ui/forms/schema/countWays.ts';
import { matchesSafely } from '../../../../renderer/ui/forms/schema/matchesSafely.ts';

it.each([
  ['^[a-z]+$', 'abc', true],
  ['^[a-z]+$', 'ABC', false],
  ['^#[0-9a-fA-F]{6}$', '#12abEF', true],
  ['^(on|off)$', 'dim', false],
  ['^((25[0-5]|2[0-4]\\d|1?\\d?\\d)\\.){3}(25[0-5]|2[0-4]\\d|1?\\d?\\d)$', '192.168.0.1', true],
  ['^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$', '123e4567-e89b-12d3-a456-426614174000', true],
  ['^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$', 'a.person.of.some.length@a.place.example.org', true],
  ['^(tmp|temp)+$', 'hello', false],
  ['\\(\\+\\)+', '(+)))', true],
  ['^\\p{L}+$', '灯', true],
  ['^[()|*+]{2,3}$', '(|)', true],
])('%s of %s', (pattern, text, expected) => {
  expect(matchesSafely(pattern, text)).toBe(expected);
});

const many = 'a'.repeat(28);
it.each([
  ['a repetition in a repetition', '^(a+)+$', many],
  ['the same with a group between', '^((a+)b?)*$', many],
  ['a choice that is repeated', '^(a|a)*$', many],
  ['a choice that is counted often', '^(a|a){30}$', many],
  ['a small count in a counted group', '^(a{0,4}){14}b$', many],
  ['the same of a class', '^([a-z]{1,4}){12}$', `${many}1`],
  ['what may be left out, in a counted group', '^(a?){26}a{26}$', many],
  ['much that may be left out', `^${'a?'.repeat(26)}${'a'.repeat(26)}$`, many],
  ['counts of counts', `^${'(a{1,4}){1,4}'.repeat(5)}$`, 'a'.repeat(60)],
  ['choices one after another', `^${'(?:a|a)'.repeat(30)}$`, many],
  ['many repetitions of a long text', '.*.*.*.*x', 'a'.repeat(500)],
  ['a repetition of a character by its number', '^(\\u{61}+)+$', many],
  ['a repetition in a look ahead', '^(?=(a+)+b)a', many],
  ['a beginning that only one alternative has', '^x|a*a*a*b', 'a'.repeat(100)],
  ['no expression', '(', 'a'],
  ['a text that is too long', 'a', 'a'.repeat(5_000)],
])('does not try %s', (_what, pattern, text) => {
  expect(matchesSafely(pattern, text)).toBeUndefined();
});

it('tries no more in one check than that may take', () => {
  const budget = { ways: 100 };
  const tried = Array.from({ length: 20 }, () => matchesSafely('^a+$', 'aaaaaaaaa', budget));
  expect(tried.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => true));
  expect(tried.slice(-1)).toEqual([undefined]);
});

/** Ways of an expression of these parts, one by one. */
type Part = { atom: string } | { parts: Part[]; times: [number, number] } | { choice: Part[] };

function write(part: Part): string {
  if ('atom' in part) return part.atom;
  if ('choice' in part) return `(?:${part.choice.map(write).join('|')})`;
  const [least, more] = part.times;
  return `(?:${part.parts.map(write).join('')}){${String(least)},${String(least + more)}}`;
}

/** The places at which each way of reading `text` from `at` ends: as many as there are ways. */
function ends(part: Part, text: string, at: number): number[] {
  if ('atom' in part) return text.charAt(at) === part.atom ? [at + 1] : [];
  if ('choice' in part) return part.choice.flatMap((one) => ends(one, text, at));
  const [least, more] = part.times;
  let now = [at];
  const found: number[] = least === 0 ? [at] : [];
  for (let time = 1; time <= least + more; time += 1) {
    const once = (from: number): number[] =>
      part.parts.reduce((places, one) => places.flatMap((to) => ends(one, text, to)), [from]);
    // A time beyond the least that would read nothing is none.
    now = now.flatMap((from) => once(from).filter((to) => time <= least || to > from));
    if (time >= least) found.push(...now);
  }
  return found;
}

const anyPart = fc.letrec<{ part: Part }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<Part>({ atom: 'a' }, { atom: 'b' }),
    fc.record({ choice: fc.array(tie('part'), { minLength: 1, maxLength: 2 }) }),
    fc.record({
      parts: fc.array(tie('part'), { minLength: 1, maxLength: 2 }),
      times: fc.tuple(fc.nat({ max: 2 }), fc.nat({ max: 2 })),
    }),
  ),
})).part;

it('never counts fewer ways than there are', () => {
  fc.assert(
    fc.property(anyPart, fc.stringMatching(/^[ab]{0,4}$/), (part, text) => {
      const bound = countWays(`^${write(part)}`)(text.length);
      if (bound < 5_000) expect(bound).toBeGreaterThanOrEqual(ends(part, text, 0).length);
    }),
  );
});
