import { expect, it, vi } from 'vitest';

import { rawAnswer } from '../../../../renderer/features/calls/result/rawAnswer.ts';
import { resultTabs } from '../../../../renderer/features/calls/result/resultTabs.ts';
import ResultViews from '../../../../renderer/features/calls/result/ResultViews.vue';
import ResultValue from '../../../../renderer/features/calls/result/ResultValue.vue';
import type { ToolExecutionResult } from '../../../../src-core/contract/types.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

let window: TestWindow;
windowForEachTest((opened) => (window = opened));

const answered: ToolExecutionResult = {
  requestId: 'r',
  toolName: 't_m',
  status: 'success',
  result: '21 °C',
  durationMs: 1,
};

it('offers the views that fit the result', () => {
  const views = (...given: Parameters<typeof resultTabs>): string[] =>
    resultTabs(...given).map(({ value, label, count }) => `${value} ${label}${count === undefined ? '' : ` ${count}`}`);
  expect(views({}, { isText: false, hasTable: false })).toEqual(['tree Tree', 'raw Raw']);
  expect(views({}, { isText: true, hasTable: false })).toEqual(['tree Text']);
  const content = [{ type: 'text' as const, text: '21' }];
  expect(views({ content, structuredContent: '{}' }, { isText: false, hasTable: true })).toEqual([
    'tree Tree',
    'table Table',
    'structured Structured',
    'content Content 1',
    'raw Raw',
  ]);
});

it('shows an App first, until another view is chosen, and again once it is chosen', async () => {
  const views = () => window.mount(ResultViews, { result: answered, appOf: 'a call' });
  const tab = (view: ReturnType<typeof views>, at: number) => view.findAll('[role="tab"]')[at];
  const before = views();
  expect(before.findAll('[role="tab"]').map((each) => each.text())).toEqual(['App', 'Text']);
  expect(tab(before, 0)?.attributes('aria-selected')).toBe('true');
  await tab(before, 1)?.trigger('click');
  expect(tab(before, 1)?.attributes('aria-selected')).toBe('true');
  const after = views();
  expect(tab(after, 1)?.attributes('aria-selected')).toBe('true');
  await tab(after, 0)?.trigger('click');
  expect(tab(views(), 0)?.attributes('aria-selected')).toBe('true');
});

it('shows pictures first, and its text if that is chosen', async () => {
  const content = [{ type: 'image' as const, mimeType: 'image/png', data: 'aGk=' }];
  const view = window.mount(ResultViews, { result: { ...answered, content } });
  const selected = () => view.find('[role="tab"][aria-selected="true"]').text();
  expect(selected()).toContain('Content');
  await view.findAll('[role="tab"]')[0]?.trigger('click');
  expect(selected()).toBe('Text');
});

it('quotes the reason of a failure that the result reports', () => {
  const textOf = (result: string, softFailure: ToolExecutionResult['softFailure']): string =>
    window
      .mount(ResultValue, { result: { ...answered, result, softFailure }, view: 'raw' })
      .get('.soft')
      .text();
  const failed = { member: 'success', value: 'false' };
  expect(textOf('{"success":false,"message":"No camera"}', failed)).toMatch(/contains success: false\. “No camera”$/);
  expect(textOf('{"success":false,"message":7}', failed)).toMatch(/contains success: false\.$/);
  expect(textOf('{"error":"No"}', { member: 'error', value: '"No"' })).toMatch(/contains error: "No"\.$/);
});

it('shows pictures first also after a table was chosen, which they do not have', async () => {
  const rows = window.mount(ResultViews, { result: { ...answered, result: '[{"a":1},{"a":2}]' } });
  await vi.waitUntil(() => rows.text().includes('Table'));
  const table = rows.findAll('[role="tab"]').find((tab) => tab.text().includes('Table'));
  await table?.trigger('click');
  const content = [{ type: 'image' as const, mimeType: 'image/png', data: 'aGk=' }];
  const view = window.mount(ResultViews, { result: { ...answered, content } });
  expect(view.get('[role="tab"][aria-selected="true"]').text()).toContain('Content');
});

it('shows the data of an answer as a tree, and that it fits', async () => {
  const result = { ...answered, structuredContent: '{"id":9007199254740993}', outputIssues: [] };
  const view = window.mount(ResultValue, { result, view: 'structured' });
  await vi.waitUntil(() => view.findAll('[role="treeitem"]').length === 3);
  expect(view.get('[role="tree"]').attributes('aria-label')).toBe('Structured content');
  expect(view.text()).toContain('9007199254740993');
  expect(view.text()).toContain('Matches the tool’s outputSchema.');
  await view.setProps({ view: 'tree' });
  expect(view.text()).not.toContain('Matches');
});

it('says in every view where it does not fit', () => {
  const outputIssues = [
    { path: '/celsius', parameter: 'celsius', message: '"a" is a string, not a number. Use 1.', remedy: 1 },
  ];
  const result = { ...answered, structuredContent: '{"celsius":"a"}', outputIssues };
  const view = window.mount(ResultValue, { result, view: 'tree' });
  expect(view.text()).toContain('Does not match the tool’s outputSchema.');
  expect(view.text()).toContain('$.celsius "a" is a string, not a number.');
  expect(view.text()).not.toContain('Use 1');
});

it('names a place in the data as a path: of a list by its index, of an object by its name', () => {
  const at = (path: string) => ({ path, parameter: 'x', message: 'no' });
  const outputIssues = ['', '/rows/0/a b', '/names/0'].map(at);
  const result = { ...answered, structuredContent: '{"rows":[{"a b":1}],"names":{"0":1}}', outputIssues };
  const view = window.mount(ResultValue, { result, view: 'tree' });
  expect(view.findAll('.issues .mono').map((path) => path.text())).toEqual(['$', '$.rows[0]["a b"]', '$.names["0"]']);
});

it('has the whole answer as it is, also of pictures and sound', async () => {
  const content = [
    { type: 'text' as const, text: 'a lamp' },
    { type: 'image' as const, mimeType: 'image/png', data: 'aGk=' },
  ];
  const result = { ...answered, content, structuredContent: '{"id":9007199254740993}' };
  expect(resultTabs(result, { isText: true, hasTable: false }).map(({ value }) => value)).toContain('raw');
  expect(JSON.parse(rawAnswer(result))).toMatchObject({ content });
  expect(rawAnswer(result)).toContain('"structuredContent": {"id":9007199254740993}');
  expect(rawAnswer({ ...answered, content: content.slice(0, 1) })).toBe('21 °C');
  const view = window.mount(ResultValue, { result, view: 'raw' });
  await vi.waitUntil(() => view.text().includes('"content": ['));
});

it('offers no paths for plain text', () => {
  const view = window.mount(ResultValue, { result: { ...answered, result: 'word '.repeat(100) }, view: 'tree' });
  expect(view.find('[type="search"], [role="searchbox"]').exists()).toBe(true);
  expect(view.text()).not.toContain('Copy path');
});

it('draws of a long text block the lines in view, of a short one all', async () => {
  const text = Array.from({ length: 20_000 }, (_, at) => `line ${at}`).join('\n');
  const content = [text, 'short'].map((each) => ({ type: 'text' as const, text: each }));
  const view = window.mount(ResultValue, { result: { ...answered, content }, view: 'content' });
  await vi.waitUntil(() => view.findAll('.code-line').length > 0);
  expect(view.findAll('.code-line').length).toBeLessThan(100);
  expect(view.findAll('pre').map((each) => each.text())).toEqual(['short']);
});

it.each([
  ['application/json', '{"lamp":{"on":true}}', true],
  ['application/ld+json; charset=utf-8', '["a"]', true],
  ['Application/JSON', '{"lamp":', false],
  ['text/markdown', '{"lamp":true}', false],
  ['application/jsonlines', '{"lamp":true}', false],
  [undefined, '{"lamp":true}', false],
])('shows the text of a resource of the type %s: %s', (mimeType, text, isTree) => {
  const resource = {
    type: 'resource' as const,
    uri: 'file:///lamp',
    text,
    ...(mimeType !== undefined && { mimeType }),
  };
  const view = window.mount(ResultValue, { result: { ...answered, content: [resource] }, view: 'content' });
  expect(view.find('[role="tree"]').exists()).toBe(isTree);
  expect(view.findAll('pre').map((each) => each.text())).toEqual(isTree ? [] : [text]);
});

it('searches in a long resource as in a long answer', async () => {
  const text = Array.from({ length: 5_000 }, (_, at) => `line ${at}`).join('\n');
  const resource = { type: 'resource' as const, uri: 'file:///log', mimeType: 'text/markdown', text };
  const view = window.mount(ResultValue, { result: { ...answered, content: [resource] }, view: 'content' });
  await vi.waitUntil(() => view.findAll('.code-line').length > 0);
  expect(view.findAll('.code-line').length).toBeLessThan(100);
  await view.get('input').setValue('line 3');
  await vi.waitUntil(() => view.find('mark').exists());
  expect(view.get('mark').text()).toBe('line 3');
});

it('marks the find that a search is at', async () => {
  const view = window.mount(ResultValue, { result: { ...answered, result: '{"a":"lamp","b":"lamp"}' }, view: 'tree' });
  await view.get('input').setValue('lamp');
  const current = (): string[] => view.findAll('.json-row.current').map((row) => row.text());
  await vi.waitUntil(() => current().length === 1);
  expect(current()[0]).toContain('"a"');
  await view.get('[aria-label="Next"]').trigger('click');
  await vi.waitUntil(() => current()[0]?.includes('"b"') === true);
});
