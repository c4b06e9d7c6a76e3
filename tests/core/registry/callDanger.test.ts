import { describe, expect, test } from 'vitest';
import { callDanger } from '../../../src-core/registry/callDanger.ts';
import { matchesPattern } from '../../../src-core/base/matchesPattern.ts';

describe('a pattern', () => {
  test.each([
    ['a_b', 'a_b', true],
    ['a_b', 'a', false],
    ['a', 'a_b', false],
    ['a_b', '*', true],
    ['', '*', true],
    ['', '', true],
    ['a', '', false],
    ['box_self.reboot', '*.reboot', true],
    ['box_self.reboot.now', '*.reboot', false],
    ['box_self.reboot', 'box_*boot', true],
    ['box_self.reboot', 'box_**', true],
    ['box_self.reboot', '*self*reboot*', true],
    ['box_self.Reboot', '*reboot', false],
    ['aXbXc', 'a*b*c', true],
    ['abab', '*ab', true],
    ['a.b', 'a?b', false],
    ['axb', 'a.b', false],
    ['书房_播放', '书*放', true],
  ])('%j against %j: %s', (text, pattern, matches) => {
    expect(matchesPattern(text, pattern)).toBe(matches);
  });

  test('full of stars takes no long time', () => {
    expect(matchesPattern('a'.repeat(2_000), `${'*a'.repeat(100)}b`)).toBe(false);
  });
});

describe("a call's danger", () => {
  const qualifiedName = 'box_self.reboot';

  test('is what the source says', () => {
    expect(callDanger({ method: {}, qualifiedName })).toBeUndefined();
    expect(callDanger({ method: { danger: 'Restarts it.' }, qualifiedName }, ['other_*'])).toBe('Restarts it.');
  });

  test("is what the user's list says, and by which entry", () => {
    expect(callDanger({ method: {}, qualifiedName }, ['x', 'box_*'])).toBe(
      '"box_self.reboot" is on your list of tools that ask first, as "box_*".',
    );
    expect(callDanger({ method: { danger: 'Restarts it.' }, qualifiedName }, [qualifiedName])).toBe(
      'Restarts it. "box_self.reboot" is on your list of tools that ask first.',
    );
  });
});
