import { expect, test } from 'vitest';

import { expandTemplate, variablesOf } from '../../../src-core/mcp/uriTemplate.ts';

test.each([
  ['test://{id}/data', { id: 'foo/bar' }, 'test://foo%2Fbar/data'],
  ['file:///{+path}', { path: 'a/b c' }, 'file:///a/b%20c'],
  ['x://s{?q,lang}', { q: 'a&b', lang: 'en' }, 'x://s?q=a%26b&lang=en'],
  ['x://{/list*}', { list: ['a', 'b'] }, 'x:///a/b'],
])('%s', (template, values, uri) => {
  expect(expandTemplate(template, values as Record<string, string>)).toBe(uri);
});

test('the variables of a template', () => {
  expect(variablesOf('x://{id}/{+path}{?q,lang}')).toEqual(['id', 'path', 'q', 'lang']);
});

test('a malformed template is an error', () => {
  expect(() => variablesOf('x://{id')).toThrow();
});
