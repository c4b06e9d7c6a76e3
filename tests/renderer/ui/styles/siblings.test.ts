/**
 * A rule for any element behind another one is matched against every element of the page: Chromium looks at all siblings
 * before it, which is quadratic, and computes the styles of all siblings behind an inserted element anew.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const folder = join(import.meta.dirname, '../../../../renderer');
const universalSibling = /[~+]\s*\*/;
/** Texts of rules in front of their braces, without comments. */
const selectorsOf = (css: string): string[] =>
  [...css.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/[^{};]+(?=\{)/g)].map(([selector]) => selector.trim());

it('no style sheet has a rule for any sibling', () => {
  const found: string[] = [];
  let read = 0;
  for (const file of globSync('**/*.{vue,css}', { cwd: folder })) {
    const text = readFileSync(join(folder, file), 'utf8');
    const sheets = file.endsWith('.css')
      ? [text]
      : [...text.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, css = '']) => css);
    const selectors = sheets.flatMap(selectorsOf);
    read += selectors.length;
    found.push(...selectors.filter((selector) => universalSibling.test(selector)).map((one) => `${file}: ${one}`));
  }
  expect(read).toBeGreaterThan(500);
  expect(found).toEqual([]);
  expect(universalSibling.test('header ~ *')).toBe(true);
});
