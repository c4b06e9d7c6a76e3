import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';

import { installBridge, type PreloadParts } from '../../electron/preloadBridge.ts';

function install(origin = 'app://toolwire') {
  const exposed: Record<string, unknown> = {};
  const sent: unknown[][] = [];
  const posted: unknown[][] = [];
  const ipc = new EventEmitter();
  const listeners: Record<string, ((event: never) => void)[]> = {};
  const window = {
    origin,
    postMessage: (...args: unknown[]) => void posted.push(args),
    addEventListener: (type: string, listener: (event: never) => void) => void (listeners[type] ??= []).push(listener),
  } as unknown as PreloadParts['window'];
  installBridge({
    contextBridge: { exposeInMainWorld: (name, value) => void (exposed[name] = value) },
    ipcRenderer: {
      send: (...args) => void sent.push(args),
      on: (channel, listener) => ipc.on(channel, listener),
    },
    window,
    platform: 'linux',
    pathOf: (file) => `/home/me/${file.name}`,
  });
  const emit = (type: string, event: object): void => listeners[type]?.forEach((listener) => listener(event as never));
  const message = (data: unknown, source: unknown = window): void => emit('message', { data, source });
  return { exposed, sent, posted, ipc, message, emit };
}

test('the page sees a name and a platform, and nothing to call', () => {
  expect(install().exposed).toEqual({ toolwireShell: { kind: 'electron', platform: 'linux' } });
});

test('a request goes out with its nonce alone', () => {
  const { sent, message } = install();
  message({ type: 'toolwire:connect', nonce: 'abc', more: 'x' });
  expect(sent).toEqual([['toolwire:connect', { nonce: 'abc' }]]);
});

test('what the palette asks of its window goes out by name, and nothing else does', () => {
  const { sent, message } = install();
  message({ type: 'toolwire:window', command: 'zoomIn', more: 'x' });
  for (const command of ['other', 7, null, 'constructor']) message({ type: 'toolwire:window', command });
  message({ type: 'toolwire:window', command: 'quit' }, {});
  expect(sent).toEqual([['toolwire:window', 'zoomIn']]);
});

test.each([
  undefined,
  null,
  'toolwire:connect',
  {},
  { type: 'toolwire:connect' },
  { type: 'toolwire:connect', nonce: 7 },
  { type: 'other', nonce: 'abc' },
])('a message of %j goes nowhere', (data) => {
  const { sent, message } = install();
  message(data);
  expect(sent).toEqual([]);
});

test('a message of another window goes nowhere', () => {
  const { sent, message } = install();
  message({ type: 'toolwire:connect', nonce: 'abc' }, {});
  expect(sent).toEqual([]);
});

test('the port comes to this window’s origin under its nonce', () => {
  const { posted, ipc } = install();
  const port = {};
  ipc.emit('toolwire:port', { ports: [port] }, { nonce: 'abc' });
  ipc.emit('toolwire:port', { ports: [] }, { nonce: 'abc' });
  ipc.emit('toolwire:port', { ports: [port] }, {});
  expect(posted).toEqual([[{ type: 'toolwire:port', nonce: 'abc' }, 'app://toolwire', [port]]]);
});

test('a page of an opaque origin is reached all the same', () => {
  const { posted, ipc } = install('null');
  ipc.emit('toolwire:port', { ports: [{}] }, { nonce: 'abc' });
  expect(posted[0]![1]).toBe('*');
});

test('passes on dropped folders and files of a collection by their paths, and nothing that a page made up', () => {
  const { sent, emit } = install();
  const item = (name: string, isDirectory = false) => ({
    getAsFile: () => ({ name }),
    webkitGetAsEntry: () => ({ isDirectory }),
  });
  const dataTransfer = {
    items: [
      item('team', true),
      item('a.call.json'),
      item('toolwire.json'),
      item('log.jsonl'),
      { getAsFile: () => null, webkitGetAsEntry: () => null },
    ],
  };
  emit('drop', { isTrusted: false, dataTransfer });
  expect(sent).toEqual([]);
  emit('drop', { isTrusted: true, dataTransfer });
  emit('drop', { isTrusted: true, dataTransfer: { items: [item('log.jsonl')] } });
  emit('drop', { isTrusted: true, dataTransfer: null });
  expect(sent).toEqual([['toolwire:dropped', ['/home/me/team', '/home/me/a.call.json', '/home/me/toolwire.json']]]);
});

test('tells the page the paths of JSON and TOML files that the user drops or chooses', () => {
  const { posted, emit } = install();
  const files = ['mcp.json', 'config.TOML', 'photo.png'].map((name) => ({ name, size: 3, lastModified: 7 }));
  emit('drop', { isTrusted: false, dataTransfer: { files } });
  emit('change', { isTrusted: false, target: { files } });
  expect(posted).toEqual([]);
  emit('drop', { isTrusted: true, dataTransfer: { files } });
  emit('change', { isTrusted: true, target: { value: 'text' } });
  emit('change', { isTrusted: true, target: { files: files.slice(0, 1) } });
  const told = (name: string) => [
    { type: 'toolwire:file', name, size: 3, lastModified: 7, path: `/home/me/${name}` },
    'app://toolwire',
  ];
  expect(posted).toEqual([told('mcp.json'), told('config.TOML'), told('mcp.json')]);
});
