import { expect, it } from 'vitest';

import { en } from '../../../renderer/i18n/en/index.ts';
import { zh } from '../../../renderer/i18n/zh/index.ts';

const forms = (text: unknown): number => String(text).split(' | ').length;

function differing(english: unknown, chinese: unknown, path: string): string[] {
  if (typeof english !== 'object' || english === null)
    return [1, forms(english)].includes(forms(chinese)) ? [] : [path];
  const others = chinese as Record<string, unknown>;
  return Object.entries(english).flatMap(([key, text]) => differing(text, others[key], `${path}.${key}`));
}

it('of a count are one in Chinese, or as many as in English', () => {
  // Two of three would be those of 1 and of 0 or more than 1.
  expect(differing(en, zh, 't')).toEqual([]);
});
