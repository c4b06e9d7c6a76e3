import { expect, test } from 'vitest';

import { inBothLanguages } from '../../../renderer/i18n/inBothLanguages.ts';

test('pairs a text with the other language, so that a search in either finds it', () => {
  expect(inBothLanguages('Theme')).toMatch(/^Theme .*主题/);
  expect(inBothLanguages('主题')).toMatch(/^主题 .*Theme/);
  expect(inBothLanguages('Folder for directory-tree')).toContain('directory-tree 的目录');
});

test('leaves other texts alone', () => {
  expect(inBothLanguages('/home/nova')).toBe('/home/nova');
  expect(inBothLanguages('')).toBe('');
});
