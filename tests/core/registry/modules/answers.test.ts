import { expect, test } from 'vitest';

import { moduleOf, openModuleFolder } from './moduleFolder.ts';

const png = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' };

const answers: [what: string, returned: object, output: object][] = [
  [
    'blocks',
    { content: [{ type: 'text', text: 'a' }, png] },
    { value: 'a', content: [{ type: 'text', text: 'a' }, png] },
  ],
  [
    'an embedded resource',
    { content: [{ type: 'resource', resource: { uri: 'file:///a', text: 'x' } }] },
    { value: 'x', content: [{ type: 'resource', uri: 'file:///a', text: 'x' }] },
  ],
  [
    'data beside blocks',
    { content: [{ type: 'text', text: '21' }], structuredContent: { celsius: 21 }, _meta: {} },
    { value: '21', content: [{ type: 'text', text: '21' }], structuredContent: { celsius: 21 } },
  ],
  ['data alone', { structuredContent: { a: 1 } }, { value: { a: 1 }, structuredContent: { a: 1 } }],
  [
    'a failure',
    { content: [{ type: 'text', text: 'no such city' }], isError: true },
    { value: 'no such city', content: [{ type: 'text', text: 'no such city' }], isError: true },
  ],
];

test.each(answers)('a tools/call result with %s is read as one', async (_what, returned, output) => {
  const { call } = await openModuleFolder({ 'a.js': moduleOf(`return ${JSON.stringify(returned)}`) });
  expect(await call('a', 'run')).toEqual(output);
});

test.each([
  [{ content: 'words' }],
  [{ content: [] }],
  [{ content: [{ type: 'chapter', text: 'a' }] }],
  [{ content: [{ type: 'text', text: 'a' }], author: 'b' }],
  [{ content: [{ type: 'image', data: 'x', mimeType: 'text/html' }] }],
  [{ structuredContent: 1 }],
  [{ isError: true }],
])('%j is any other value', async (returned) => {
  const { call } = await openModuleFolder({ 'a.js': moduleOf(`return ${JSON.stringify(returned)}`) });
  expect(await call('a', 'run')).toEqual({ value: returned });
});

test('with an outputSchema, an object is the answer as data', async () => {
  const method = (body: string): string =>
    `{ description: 'x', outputSchema: { type: 'object', required: ['a'] }, handler() { return ${body}; } }`;
  const { call, manager } = await openModuleFolder({
    'a.js': `export default { methods: { plain: ${method('{ b: 1 }')}, text: ${method('"b"')} } };`,
  });
  expect(manager.getTool('a')?.getMetadata().methods[0]?.outputSchema).toEqual({ type: 'object', required: ['a'] });
  expect(await call('a', 'plain')).toEqual({ value: { b: 1 }, structuredContent: { b: 1 } });
  expect(await call('a', 'text')).toEqual({ value: 'b' });
});

test('an invalid outputSchema disables only its method', async () => {
  const { manager } = await openModuleFolder({
    'a.js': `export default { methods: { run: { description: 'x', outputSchema: { type: 'array' }, handler() {} } } };`,
  });
  expect(manager.getTool('a')?.getMetadata().methods[0]?.error).toContain(
    'outputSchema that does not describe an object',
  );
});
