import { MessageChannel } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';

import { openPortLine } from '../../../renderer/client/openPortLine.ts';
import { portWire } from '../../../src-core/rpc/portWire.ts';
import { openWindow, type TestWindow } from '../openWindow.ts';

let engine: TestWindow | undefined;
const leaving = new AbortController();
afterEach(async () => {
  leaving.abort();
  await engine?.close();
});

/** What the preload does: waits for the request and answers in this window. jsdom carries no ports, so the event is made by hand. */
function answer(data: object, source: MessageEventSource | null, port: unknown): void {
  const event = new MessageEvent('message', { data, source });
  Object.defineProperty(event, 'ports', { value: [port] });
  window.dispatchEvent(event);
}

it('takes the port that carries its nonce from its own window, and no other', async () => {
  engine = await openWindow();
  const workbench = engine.workbench;
  const asked = new Promise<{ type: string; nonce: string }>((resolve) => {
    window.addEventListener('message', (event: MessageEvent<{ type: string; nonce: string }>) => resolve(event.data), {
      once: true,
    });
  });
  const opening = openPortLine(window)(leaving.signal);
  const { type, nonce } = await asked;
  expect(type).toBe('toolwire:connect');

  const stranger = new MessageChannel();
  answer({ type: 'toolwire:port', nonce: 'guessed' }, window, stranger.port2);
  answer({ type: 'toolwire:port', nonce }, null, stranger.port2);
  answer({ type: 'toolwire:connect', nonce }, window, stranger.port2);
  stranger.port1.close();

  const { port1, port2 } = new MessageChannel();
  workbench.contract.serve(portWire(port1));
  answer({ type: 'toolwire:port', nonce }, window, port2);
  const line = await opening;
  expect((await line.client.workbench.info()).version).toBe(workbench.info().version);

  const closed = new Promise<void>((resolve) => line.onClose(resolve));
  line.close();
  await closed;
});

it('stops asking when the connection is given up', async () => {
  const giveUp = new AbortController();
  const opening = openPortLine(window)(giveUp.signal);
  giveUp.abort();
  await expect(opening).rejects.toThrow('stopped asking');
});
