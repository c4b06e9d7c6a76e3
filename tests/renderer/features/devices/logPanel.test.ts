import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import LogPanel from '../../../../renderer/features/log/LogPanel.vue';
import { useToasts } from '../../../../renderer/window/toasts.ts';
import { useSettings } from '../../../../renderer/window/settingsStore.ts';
import { useConnection } from '../../../../renderer/client/connectionStore.ts';
import { logSource } from '../../../../renderer/features/log/logSource.ts';
import { connectScripted, type ScriptedDevice } from '../../../core/features/devices/support/scriptedDevice.ts';
import { type TestWindow, windowForEachTest } from '../../openWindow.ts';
import { button, choose, press, until } from './acting.ts';

interface HarEntry {
  request: { method: string; url: string; postData?: { text: string } };
  response: { status: number; content: { text?: string } };
  _toolwire: { seq: number[]; rpcId?: number };
}

let window: TestWindow;
let device: ScriptedDevice;
let panel: VueWrapper;
let id: string;
let copied: string;
windowForEachTest((opened) => (window = opened), { width: 1_200, height: 800 });
beforeEach(async () => {
  copied = '';
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: (text: string) => ((copied = text), Promise.resolve()) },
  });
  device = await connectScripted(window.workbench.info().device.webSocketUrl, {
    answer: ({ id: rpcId, method, params }) => {
      if (rpcId === undefined) return undefined;
      if (params?.name === 'silent') return undefined;
      const result = {
        initialize: { protocolVersion: '2024-11-05', capabilities: {}, serverInfo: { name: 'sim', version: '1.0.0' } },
        'tools/list': { tools: ['a', 'silent'].map((name) => ({ name, inputSchema: { type: 'object' } })) },
        'tools/call': { content: [{ type: 'text', text: `needle of ${String(params?.name)}` }], isError: false },
      }[method];
      return { jsonrpc: '2.0', id: rpcId, result };
    },
  });
  device.hello();
  id = (await until(async () => (await window.connection.client.devices.list()).find(({ state }) => state === 'ready')))
    .id;
  const source = logSource(window.connection.client, { source: 'device', connection: id });
  panel = window.mount(LogPanel, { source, label: 'Frames', menu: [], reuses: ['out'] });
  await until(() => rows().some((row) => row.includes('tools/list')));
});
afterEach(() => {
  Reflect.deleteProperty(navigator, 'clipboard');
  device.socket.terminate();
});

const options = () => panel.findAll('.log-rows [role="option"]');
const rows = (): string[] => options().map((row) => row.text());
const list = () => panel.get('.log-rows [role="listbox"]');
const request = (rpcId: number, name: string): string =>
  JSON.stringify({ type: 'mcp', payload: { jsonrpc: '2.0', id: rpcId, method: 'tools/call', params: { name } } });
const send = (text: string) => window.connection.client.devices.send({ id, text });
const key = (name: string) => list().trigger('keydown', { key: name });
const listed = (text: string) => until(() => rows().some((row) => row.includes(text)));

it('says of the rows that it has how old they are while the engine is gone, not that the log could not be read', async () => {
  const before = rows();
  window.use(() => useConnection());
  const back = window.cut();
  await until(() => /Not connected: frames up to \d\d:\d\d:\d\d\./.test(panel.text()));
  expect(rows()).toEqual(before);
  // A request that fails meanwhile is no news.
  await panel.get('[role="searchbox"]').setValue('tools');
  await until(() => panel.text().includes('Could not read the log.'));
  await panel.get('[role="searchbox"]').setValue('');
  await until(() => !panel.text().includes('Could not read the log.'));
  expect(panel.text()).toContain('Not connected: frames up to');
  back();
  // An answer of before may still arrive and fail: what counts is what stands once the log is read again.
  await until(() => !/Not connected|could not be read/.test(panel.text()));
});

it('hides rows of sound, says how many, and lists them on request or if words are found in them', async () => {
  for (let frame = 0; frame < 100; frame += 1) device.socket.send(Buffer.alloc(80, 1));
  device.socket.send('{"type":"listen","state":"stop"}');
  await listed('listen');
  await until(() => panel.text().includes('Audio hidden1'));
  expect(rows().join()).not.toContain('audio frames');
  await panel.get('[role="searchbox"]').setValue('audio');
  await listed('100 audio frames');
  await panel.get('[role="searchbox"]').setValue('');
  await until(() => !rows().join().includes('audio frames') && rows().length > 1);
  await press(button(panel, 'Audio hidden'));
  await listed('100 audio frames');
  await press(button(panel, 'Hide audio'));
  await until(() => !rows().join().includes('audio frames'));
});

describe('folding', () => {
  it('makes one row of a request and its answer, with the duration; Enter lays the pair out and folds it again', async () => {
    await send(request(900, 'a'));
    await until(() => rows().some((row) => /request and answer.*900.*ms/.test(row)));
    const folded = rows().length;
    await key('End');
    await key('Enter');
    await until(() => rows().length === folded + 1);
    expect(rows().at(-1)).toMatch(/received.*900/);
    await key('Enter');
    await until(() => rows().length === folded);
    await press(button(panel, 'Fold answers into requests'));
    await until(() => rows().length > folded + 1);
    expect(rows().some((row) => row.includes('request and answer'))).toBe(false);
  });

  it('shows either half of a folded pair', async () => {
    await send(request(901, 'a'));
    await until(() => rows().some((row) => /request and answer.*901/.test(row)));
    await key('End');
    await until(() => panel.find('.frame-view').exists() && panel.get('.frame-view').text().includes('needle of a'));
    await press(button(panel, 'Request'));
    await until(() => panel.get('.frame-view').text().includes('"tools/call"'));
    expect(panel.get('.frame-view').text()).not.toContain('needle of a');
    const listed = rows();
    await key('Escape');
    await until(() => !panel.find('.frame-view').exists());
    expect(rows()).toEqual(listed);
  });

  it('says of a call that reached its time limit that it timed out, while the connection goes on', async () => {
    const { registryId } = (await window.connection.client.devices.list())[0]!;
    const toolName = `${registryId}_silent`;
    const call = { callId: 'limit', toolName, argsJson: '{}', origin: 'executor' as const };
    const running = window.connection.client.calls.execute({ ...call, timeoutMs: 3_000 });
    await until(() => rows().some((row) => row.includes('silent') && row.includes('…')));
    expect((await running).error?.code).toBe('timeout');
    await until(() => rows().some((row) => row.includes('silent') && row.includes('timed out')));
  });

  it('finds an unreadable answer by its type, also where it is one row with its request', async () => {
    await send(request(950, 'silent'));
    await listed('950');
    device.socket.send('{"type":"mcp","payload":{"jsonrpc":"2.0","id":950,"result":{"content":[');
    await until(() => rows().some((row) => row.includes('950') && row.includes('invalid')));
  });

  it('says of a request that it waits, and that no answer will come once the connection is gone', async () => {
    await send(request(902, 'silent'));
    await until(() => rows().some((row) => row.includes('902') && row.includes('…')));
    device.socket.terminate();
    await until(() => rows().some((row) => row.includes('902') && row.includes('no answer')));
    expect(rows().filter((row) => row.includes('902') && row.includes('…'))).toEqual([]);
  });
});

describe('frames', () => {
  it('that cannot be read are kept as they came', async () => {
    device.socket.send('{"type":"mcp","payload":{"id":1,"error":{"message":"no "such tool"}}}');
    await listed('invalid');
    await key('End');
    await until(() => panel.find('.frame-view').exists() && panel.get('.frame-view').text().includes('Unreadable'));
    expect(panel.get('.frame-view').text()).toContain('"no "such tool"');
  });

  it('are laid out or shown as they came, and copied', async () => {
    await send('{"type":"stt",  "text":"9007199254740993 is \\u4e00"}');
    await listed('stt');
    await key('End');
    await until(() => panel.find('.json-tree').exists());
    await press(button(panel, 'Raw'));
    await until(() => panel.find('.frame-view .code-block').exists());
    expect(panel.get('.frame-view').text()).toContain('{"type":"stt",  "text"');
    await press(button(panel, 'Copy frame'));
    expect(copied).toBe('{"type":"stt",  "text":"9007199254740993 is \\u4e00"}');
    await press(button(panel, 'Edit and send'));
    expect(panel.emitted('reuse')).toEqual([[copied, 'out']]);
  });
});

describe('what is listed', () => {
  it('leaves out rows with an excluded word, those that come later too, also after the device connected again', async () => {
    const search = panel.get<HTMLInputElement>('.log-search input');
    await search.setValue('-tools/list -hello');
    await until(() => rows().length > 0 && !rows().some((row) => /tools\/list|hello/.test(row)));
    await until(() => /^\d+ rows?$/.test(panel.get('.hits').text()));
    await send(request(903, 'a'));
    await until(() => rows().some((row) => row.includes('903')));
    device.socket.terminate();
    device = await connectScripted(window.workbench.info().device.webSocketUrl);
    device.hello();
    await until(() => rows().filter((row) => row.includes('initialize')).length === 2);
    expect(rows().some((row) => row.includes('hello'))).toBe(false);
    expect(search.element.value).toBe('-tools/list -hello');
  });

  it('is what failed, with its number: errors, unreadable frames, lost answers and broken connections', async () => {
    await send(request(930, 'silent'));
    device.socket.send('{"type":"mcp","payload":{"id":1,');
    await listed('invalid');
    await press(button(panel, 'Only failed'));
    expect(button(panel, 'Only failed').textContent).toContain('1');
    await until(() => rows().length === 1);
    device.socket.terminate();
    await until(() => rows().length === 3);
    expect(rows()[0]).toMatch(/930.*no answer/);
    expect(button(panel, 'Only failed').textContent).toContain('3');
  });

  it('is one direction alone, in which an answer is a row by itself', async () => {
    await send(request(931, 'a'));
    await until(() => rows().some((row) => /request and answer.*931/.test(row)));
    await press(button(panel, 'Only received'));
    await until(() => rows().every((row) => row.includes('received')) && rows().some((row) => row.includes('931')));
    await press(button(panel, 'Only sent'));
    await until(() => rows().every((row) => row.includes('sent')) && rows().some((row) => row.includes('931')));
    await press(button(panel, 'Only sent'));
    await until(() => rows().some((row) => /request and answer.*931/.test(row)));
    expect(rows().some((row) => row.includes('received'))).toBe(true);
  });

  it('is sorted by a column, and the choice is remembered', async () => {
    await send('{"type":"stt","text":"' + 'x'.repeat(5_000) + '"}');
    await listed('stt');
    await press(button(panel, 'Sort by Size'));
    await until(() => rows()[0]?.includes('stt'));
    await press(button(panel, 'Size, descending'));
    await until(() => rows().at(-1)?.includes('stt'));
    expect(window.use(() => useSettings()).own['wire.order']).toBe('size');
    await press(button(panel, 'Sort by Time'));
    await until(() => rows()[0]?.includes('open'));
    expect(rows()[1]).toMatch(/(<1|\+\d[\d.]*) ms/);
  });

  it('has columns of a width that is remembered', async () => {
    const edge = panel.get('[aria-label="Resize the column Type"]');
    await edge.trigger('keydown', { key: 'End' });
    expect(panel.get<HTMLElement>('.log-rows').element.style.getPropertyValue('--wire-type')).toBe('600px');
    expect(window.use(() => useSettings()).own['wire.columns']).toEqual({ type: 600 });
    await edge.trigger('dblclick');
    expect(window.use(() => useSettings()).own['wire.columns']).toEqual({});
  });

  it('is searched in its texts; Enter goes from hit to hit, and others can stay in the list', async () => {
    for (const [at, name] of ['one', 'two', 'three'].entries()) await send(request(910 + at, name));
    await until(
      () => rows().filter((row) => row.includes('request and answer') && row.includes('tools/call')).length === 3,
    );
    const search = panel.get<HTMLInputElement>('.log-search input');
    await search.setValue('NEEDLE OF');
    await until(() => panel.get('.hits').text() === '3 matches');
    await search.trigger('keydown', { key: 'Enter' });
    await until(() => panel.get('.hits').text() === '1 of 3');
    await search.trigger('keydown', { key: 'Enter', shiftKey: true });
    await until(() => panel.get('.hits').text() === '3 of 3');
    expect(rows()).toHaveLength(3);
    await press(button(panel, 'Highlight only'));
    await until(() => rows().length > 3);
    await press(button(panel, 'Highlight only'));
    await search.setValue('nowhere at all');
    await until(() => panel.text().includes('No frames match “nowhere at all”.'));
    expect(rows()).toEqual([]);
    await press(button(panel, 'Clear search'));
    await until(() => rows().length > 3);
    expect(search.element.value).toBe('');
  });

  it('opens at what was searched for, in the half of the pair that has it, however far down', async () => {
    const lines = Array.from({ length: 400 }, (_, at) => `"line${at}":"${at === 390 ? 'deep-Thread' : at}"`).join(',');
    const params = `{"name":"a","arguments":{${lines}}}`;
    await send(`{"type":"mcp","payload":{"jsonrpc":"2.0","id":905,"method":"tools/call","params":${params}}}`);
    await until(() => rows().some((row) => /request and answer.*905/.test(row)));
    await panel.get('[role="searchbox"]').setValue('deep-thread');
    await until(() => panel.text().includes('1 match'));
    await panel.get('[role="searchbox"]').trigger('keydown', { key: 'Enter' });
    await until(() => panel.find('.frame-view .hit').exists());
    expect(panel.get('.frame-view .json-row.active').text()).toContain('"line390": "deep-Thread"');
  });

  it('stands still while it is paused, counts what comes, and goes on with it', async () => {
    await press(button(panel, 'Pause'));
    const before = rows().length;
    await send('{"type":"stt","text":"one"}');
    await send('{"type":"stt","text":"two"}');
    await until(() => button(panel, 'Resume').textContent?.includes('2 new'));
    expect(rows()).toHaveLength(before);
    await press(button(panel, 'Resume'));
    await until(() => rows().length === before + 2);
  });

  it('keeps pinned rows in view, whatever is filtered', async () => {
    await key('Home');
    await key('p');
    await until(() => panel.find('.pinned').exists());
    const pinned = panel.get('.pinned .wire-row').text();
    expect(rows()[0]).toContain(pinned.slice(0, 12));
    await panel.get('.log-search input').setValue('no-such-word');
    await until(() => panel.text().includes('No frames match “no-such-word”.'));
    expect(panel.get('.pinned .wire-row').text()).toBe(pinned);
    await press(panel.get<HTMLElement>('.pinned .btn.icon').element);
    expect(panel.find('.pinned').exists()).toBe(false);
  });

  it('is copied row by row, or as a whole', async () => {
    await options()[0]?.trigger('mouseenter');
    await press(button(panel, 'Copy the row'));
    expect(copied).toContain('\topen\t');
    await choose(button(panel, 'More for this log'), 'Copy visible rows');
    await flushPromises();
    expect(copied.split('\n')).toHaveLength(rows().length);
  });

  it('is copied as an HTTP Archive, with a pair as one entry', async () => {
    await send(request(960, 'a'));
    await until(() => rows().some((row) => /request and answer.*960/.test(row)));
    await choose(button(panel, 'More for this log'), 'Copy visible rows as HAR');
    await until(() => copied !== '');
    const { log } = JSON.parse(copied) as { log: { version: string; creator: object; entries: HarEntry[] } };
    expect([log.version, log.creator]).toEqual(['1.2', { name: 'Toolwire', version: window.workbench.info().version }]);
    expect(log.entries).toHaveLength(rows().length);
    const pair = log.entries.find(({ _toolwire }) => _toolwire.rpcId === 960)!;
    expect(JSON.parse(pair.request.postData!.text)).toMatchObject({ payload: { id: 960 } });
    expect(pair.response.content.text).toContain('needle of a');
    expect(pair._toolwire.seq).toHaveLength(2);
    expect(pair.request.url).toMatch(/^toolwire:\/\/device\/[^/]+\/tools%2Fcall%20a/);
    expect(log.entries[0]).toMatchObject({ request: { method: 'open' }, response: { status: 0 } });
    expect(log.entries[0]!.request.postData!.text).toContain('Device-Id');
  });

  it('is not copied as an HTTP Archive in part, but reports what it could not read', async () => {
    await send(request(961, 'a'));
    await until(() => rows().some((row) => row.includes('961')));
    const toasts = window.use(() => useToasts());
    window.cut();
    await choose(button(panel, 'More for this log'), 'Copy visible rows as HAR');
    await until(() => toasts.list.some(({ title }) => title === 'Could not copy the rows.'));
    expect(copied).toBe('');
  });

  it('is empty once it was emptied, and fills again', async () => {
    await window.connection.client.frames.clear({ source: 'device', connection: id });
    await until(() => panel.text().includes('No frames yet.'));
    await send('{"type":"stt","text":"again"}');
    await until(() => rows().length === 1);
    expect(rows()[0]).toContain('stt');
  });
});
