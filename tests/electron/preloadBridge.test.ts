import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';

import { installBridge, type PreloadParts } from '../../electron/preloadBridge.ts';

function install(origin = 'app://toolwire') {
  const exposed: Record<string, unknown> = {};
  const sent: unknown[][] = [];
  const posted: unknown[][] = [];
  const ipc = new EventEmitter();
  const listeners: ((event: MessageEvent<unknown>) => void)[] = [];
  const window = {
    origin,
    postMessage: (...args: unknown[]) => void posted.push(args),
    addEventListener: (_type: string, listener: (event: MessageEvent<unknown>) => void) =>
      void listeners.push(listener),
  } as unknown as PreloadParts['window'];
  installBridge({
    contextBridge: { exposeInMainWorld: (name, value) => void (exposed[name] = value) },
    ipcRenderer: {
      send: (...args) => void sent.push(args),
      on: (channel, listener) => ipc.on(channel, listener),
    },
    window,
    platform: 'linux',
  });
  const message = (data: unknown, source: unknown = window): void =>
    listeners.forEach((listener) => listener({ data, source } as MessageEvent<unknown>));
  return { exposed, sent, posted, ipc, message };
}

test('the page sees a name and a platform, and nothing to call', () => {
  expect(install().exposed).toEqual({ toolwireShell: { kind: 'electron', platform: 'linux' } });
});

test('a request goes out with its nonce alone', () => {
  const { sent, message } = install();
  message({ type: 'toolwire:connect', nonce: 'abc', more: 'x' });
  expect(sent).toEqual([['toolwire:connect', { nonce: 'abc' }]]);
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
