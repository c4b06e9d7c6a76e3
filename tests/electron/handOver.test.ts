import type { MessagePort } from 'node:worker_threads';
import { beforeEach, expect, onTestFinished, test } from 'vitest';

import { pageUrl } from '../../electron/appScheme.ts';
import type { IpcEvent } from '../../electron/electronParts.ts';
import { createHandOver } from '../../electron/handOver.ts';
import type { PortLike } from '../../src-core/rpc/portWire.ts';
import { FakeContents, FakeElectron, FakeFrame } from './fakeElectron.ts';

const nonce = 'a-nonce-of-thirty-two-characters';
let electron: FakeElectron;
let contents: FakeContents;
let served: { port: PortLike; closed: boolean }[];

beforeEach(() => {
  electron = new FakeElectron();
  contents = new FakeContents();
  contents.mainFrame = new FakeFrame(pageUrl);
  served = [];
  const handOver = createHandOver({
    ipcMain: electron.ipcMain,
    createChannel: electron.createChannel,
    servePort(port) {
      const entry = { port, closed: false };
      served.push(entry);
      return () => {
        entry.closed = true;
        port.close();
      };
    },
  });
  handOver.admit(contents);
  onTestFinished(() => served.forEach(({ port }) => port.close()));
});

const ours = (): IpcEvent => ({ sender: contents, senderFrame: contents.mainFrame });

test('our page gets one end of a channel under its nonce; the contract is served at the other', async () => {
  electron.ask(ours(), { nonce });
  const [answer] = contents.mainFrame.received;
  expect(answer).toMatchObject({ channel: 'toolwire:port', message: { nonce } });
  const port = answer!.ports[0] as MessagePort;
  const arrived = new Promise((resolve) => served[0]!.port.on('message', resolve));
  served[0]!.port.start();
  port.postMessage('hello');
  expect(await arrived).toBe('hello');
});

test.each([
  ['a page with a query and a fragment', `${pageUrl}?pane=parser#x`, true],
  ['another file of ours', 'app://toolwire/other.html', false],
  ['another host', 'app://toolwire.evil/index.html', false],
  ['a longer name', `${pageUrl}.evil`, false],
  ['a user name that looks like us', 'app://toolwire@evil/index.html', false],
  ['the web', 'https://toolwire/index.html', false],
  ['another opaque origin', 'data:text/html,app://toolwire/index.html', false],
  ['a blank page', 'about:blank', false],
])('%s: %s', (_what, url, answered) => {
  contents.mainFrame.url = url;
  electron.ask(ours(), { nonce });
  expect(contents.mainFrame.received).toHaveLength(answered ? 1 : 0);
  expect(served).toHaveLength(answered ? 1 : 0);
});

const strangers: [string, () => IpcEvent][] = [
  [
    'a sub-frame, though of our URL',
    () => ({ sender: contents, senderFrame: new FakeFrame(pageUrl, contents.mainFrame) }),
  ],
  ['a top frame that is not the window’s', () => ({ sender: contents, senderFrame: new FakeFrame(pageUrl) })],
  ['a frame that has gone', () => ({ sender: contents, senderFrame: null })],
  [
    'a frame that is detached',
    () => {
      contents.mainFrame.detached = true;
      return ours();
    },
  ],
  [
    'a window that was never admitted',
    () => {
      const other = new FakeContents();
      other.mainFrame = new FakeFrame(pageUrl);
      return { sender: other, senderFrame: other.mainFrame };
    },
  ],
];

test.each(strangers)('%s receives nothing', (_who, event) => {
  electron.ask(event(), { nonce });
  expect(served).toEqual([]);
});

test.each([
  undefined,
  null,
  nonce,
  {},
  { nonce: 7 },
  { nonce: '' },
  { nonce: 'short' },
  { nonce: 'x'.repeat(129) },
  { nonce: [nonce] },
])('a request that says %j gets nothing', (message) => {
  electron.ask(ours(), message);
  expect(served).toEqual([]);
});

test('the same nonce twice gets one port; a new nonce replaces the port', () => {
  electron.ask(ours(), { nonce });
  electron.ask(ours(), { nonce });
  expect(served.map(({ closed }) => closed)).toEqual([false]);
  electron.ask(ours(), { nonce: `${nonce}-2` });
  expect(served.map(({ closed }) => closed)).toEqual([true, false]);
});

test.each([
  ['it navigates', () => contents.navigate({ isMainFrame: true, isSameDocument: false })],
  ['its process is gone', () => contents.emit('render-process-gone')],
  ['its window closes', () => contents.emit('destroyed')],
])('the port of a page closes when %s', (_when, happen) => {
  electron.ask(ours(), { nonce });
  happen();
  expect(served.map(({ closed }) => closed)).toEqual([true]);
});

test('the port stays through a jump within the page and a navigation of a sub-frame', () => {
  electron.ask(ours(), { nonce });
  contents.navigate({ isMainFrame: true, isSameDocument: true });
  contents.navigate({ isMainFrame: false, isSameDocument: false });
  expect(served.map(({ closed }) => closed)).toEqual([false]);
});

test('after a reload the page may ask again; after its window closed it may not', () => {
  electron.ask(ours(), { nonce });
  contents.navigate({ isMainFrame: true, isSameDocument: false });
  electron.ask(ours(), { nonce: `${nonce}-2` });
  expect(served.map(({ closed }) => closed)).toEqual([true, false]);
  contents.emit('destroyed');
  electron.ask(ours(), { nonce: `${nonce}-3` });
  expect(served).toHaveLength(2);
});
