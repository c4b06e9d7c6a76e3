import type { VueWrapper } from '@vue/test-utils';
import { expect, it, vi } from 'vitest';

import ServersPane from '../../../../renderer/features/servers/ServersPane.vue';
import { partsOfPrompt } from '../../../../renderer/features/servers/detail/answerParts.ts';
import { serveLegacy, type LegacyAnswer } from '../../../core/mcp/legacyServer.ts';
import { addServer, untilState } from '../../../core/features/servers/support.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';

const uri = 'test://lamp';
let window: TestWindow;
windowForEachTest((opened) => (window = opened), { width: 1_400, height: 900 });

/** The pane with the tab Resources of a started server. */
async function openTab(answer: LegacyAnswer): Promise<{ pane: VueWrapper; id: string; send(message: object): void }> {
  const server = await serveLegacy(answer, { resources: { subscribe: true } });
  const { workbench } = window;
  const id = await addServer(workbench, { name: 'lab', type: 'http', url: server.url, headers: [] });
  await untilState(workbench, 'ready');
  const pane = window.mount(ServersPane);
  const tab = await vi.waitUntil(() => pane.findAll('[role=tab]').find((each) => each.text().startsWith('Resources')));
  await tab.trigger('click');
  return { pane, id, send: (message) => server.send(message) };
}

it('reads a subscribed resource once more if it changes while it is read', async () => {
  const reads: PromiseWithResolvers<Record<string, unknown>>[] = [];
  const { pane, id, send } = await openTab(({ method }) => {
    if (method === 'resources/list') return { resources: [{ uri, name: 'lamp' }] };
    if (method !== 'resources/read') return undefined;
    reads.push(Promise.withResolvers());
    return reads.at(-1)?.promise;
  });
  const finish = (text: string): void => reads.at(-1)?.resolve({ contents: [{ uri, text }] });
  await window.workbench.services.servers.subscribe({ id, uri, on: true });
  await vi.waitUntil(() => pane.find('input[aria-label="URI of the resource"]').exists());
  await pane.find('input[aria-label="URI of the resource"]').setValue(uri);
  await pane.find('form.sub').trigger('submit');
  await vi.waitUntil(() => reads.length === 1);
  finish('off');
  await vi.waitUntil(() => pane.find('.parts').exists() && pane.find('.parts').text().includes('off'));
  const change = (): void => send({ method: 'notifications/resources/updated', params: { uri } });
  change();
  await vi.waitUntil(() => reads.length === 2);
  change();
  await vi.waitUntil(() => pane.text().includes('2 changes'));
  finish('dim');
  await vi.waitUntil(() => reads.length === 3);
  finish('on');
  await vi.waitUntil(() => pane.find('.parts').exists() && pane.find('.parts').text().includes('on'));
  expect(reads).toHaveLength(3);
});

it('shows that resources are being listed', async () => {
  const listed = Promise.withResolvers<Record<string, unknown>>();
  const { pane } = await openTab(({ method }) => (method === 'resources/list' ? listed.promise : undefined));
  await vi.waitUntil(() => pane.find('.skeleton').exists());
  listed.resolve({ resources: [{ uri, name: 'lamp' }] });
  await vi.waitUntil(() => pane.findAll('.address').length === 1);
  expect(pane.find('.skeleton').exists()).toBe(false);
});

it('never cuts the end of a URI, which tells it from others', async () => {
  const uris = ['text', 'markdown'].map((end) => `demo://resource/static/document/architecture-of-the-lamp.${end}`);
  const { pane } = await openTab(({ method }) =>
    method === 'resources/list' ? { resources: uris.map((uri) => ({ uri, name: 'lamp' })) } : undefined,
  );
  await vi.waitUntil(() => pane.findAll('.address').length === 2);
  const kept = pane.findAll('.address .last');
  expect(kept.map((each) => each.text())).toEqual(uris.map((each) => each.slice(-20)));
});

it('lists the resources although the templates cannot be read, and says why', async () => {
  const { pane } = await openTab(({ method }) => {
    if (method === 'resources/templates/list') return { error: { code: -32603, message: 'no database' } };
    return method === 'resources/list' ? { resources: [{ uri, name: 'lamp' }] } : undefined;
  });
  await vi.waitUntil(() => pane.find('[role=alert]').exists());
  expect(pane.find('[role=alert]').text()).toContain('no database');
  await vi.waitUntil(() => pane.text().includes('test://lamp'));
});

it('reads the resource that is chosen in the list, also if another is being read, and none that the arrows only pass', async () => {
  const reads: string[] = [];
  const first = Promise.withResolvers<undefined>();
  const uris = ['a', 'b', 'c'].map((name) => `test://${name}`);
  const { pane } = await openTab(async ({ method, params }) => {
    if (method === 'resources/list') return { resources: uris.map((each) => ({ uri: each, name: each })) };
    if (method !== 'resources/read') return undefined;
    const { uri: asked } = params as { uri: string };
    reads.push(asked);
    if (reads.length === 1) await first.promise;
    return { contents: [{ uri: asked, text: `text of ${asked}` }] };
  });
  const row = (name: string) => pane.findAll('[role=option]').find((each) => each.text().includes(`test://${name}`));
  await vi.waitUntil(() => row('c') !== undefined);
  await row('a')?.trigger('click');
  await vi.waitUntil(() => reads.length === 1);
  await row('b')?.trigger('click');
  await row('c')?.trigger('click');
  first.resolve(undefined);
  await vi.waitUntil(() => pane.text().includes('text of test://c'));
  expect(reads).toEqual(['test://a', 'test://c']);
});

it('leaves no content of an earlier reading below a failure', async () => {
  const { pane } = await openTab(({ method, params }) => {
    if (method === 'resources/list') return { resources: ['a', 'b'].map((name) => ({ uri: `test://${name}`, name })) };
    if (method !== 'resources/read') return undefined;
    if ((params as { uri: string }).uri === 'test://b') return { error: { code: -32602, message: 'no such resource' } };
    return { contents: [{ uri: 'test://a', text: 'text of a' }] };
  });
  await vi.waitUntil(() => pane.findAll('[role=option]').length === 2);
  await pane.findAll('[role=option]')[0]!.trigger('click');
  await vi.waitUntil(() => pane.text().includes('text of a'));
  await pane.findAll('[role=option]')[1]!.trigger('click');
  await vi.waitUntil(() => pane.text().includes('The server refused the request: no such resource (-32602)'));
  expect(pane.find('.answer-view').exists()).toBe(false);
});

it('shows the content of a resource as text or Markdown, without its HTML, and the JSON as the second view', async () => {
  const { pane } = await openTab(({ method }) => {
    if (method === 'resources/list') return { resources: [{ uri, name: 'lamp' }] };
    const text = '# Lamp\n\n<img src=x onerror="alert(1)"> **bright**';
    return method === 'resources/read'
      ? {
          contents: [
            { uri, mimeType: 'text/markdown', text },
            { uri, mimeType: 'text/plain', text: 'line 1\nline 2' },
          ],
        }
      : undefined;
  });
  await vi.waitUntil(() => pane.find('[role=option]').exists());
  await pane.find('[role=option]').trigger('click');
  await vi.waitUntil(() => pane.find('.parts strong').exists());
  expect(pane.find('.parts strong').text()).toBe('bright');
  expect(pane.find('.parts img').exists()).toBe(false);
  expect(pane.find('.parts pre').text()).toBe('line 1\nline 2');
  const json = pane.findAll('.answer-view [role=radio]').find((each) => each.text() === 'JSON');
  await json?.trigger('click');
  await vi.waitUntil(() => pane.find('.answer-view').text().includes('"mimeType": "text/plain"'));
});

it('shows the messages of a prompt with their roles', () => {
  const text = { type: 'text', text: 'Check the **lamp**.' };
  const resource = { type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'on' } };
  const messages = [
    { role: 'user', content: text },
    { role: 'assistant', content: [resource] },
  ];
  expect(partsOfPrompt({ messages })).toEqual([
    { of: 'user', markdown: 'Check the **lamp**.' },
    { of: 'assistant', blocks: [{ type: 'resource', uri, mimeType: 'text/plain', text: 'on' }] },
  ]);
});

it('shows why a resource cannot be read between its field and the list', async () => {
  const { pane } = await openTab(({ method }) => {
    if (method === 'resources/read') return { error: { code: -32002, message: 'no such lamp' } };
    return method === 'resources/list' ? { resources: [{ uri, name: 'lamp' }] } : undefined;
  });
  await vi.waitUntil(() => pane.findAll('.address').length === 1);
  await pane.get('input[aria-label="URI of the resource"]').setValue('test://nope');
  await pane.get('form.sub').trigger('submit');
  await vi.waitUntil(() => pane.find('.banner.error').exists());
  const failure = pane.get('.banner.error');
  expect(failure.get('.title').text()).toBe('“Read” failed');
  expect(failure.text()).toContain('no such lamp');
  expect(failure.element.previousElementSibling?.matches('form.sub')).toBe(true);
});
