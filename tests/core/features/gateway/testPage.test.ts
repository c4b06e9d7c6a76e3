/** The web test client of the headless command: served to browsers, and nobody else gets in by it. */
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';

import { openGateway } from './support/openGateway.ts';

async function statusOf(url: string, headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(url, { headers });
  onTestFinished(() => socket.terminate());
  socket.on('error', () => undefined);
  return Promise.race([
    once(socket, 'open').then(() => 101),
    once(socket, 'unexpected-response').then(([, response]) => (response as { statusCode: number }).statusCode),
  ]);
}

test('serves the page to a browser and tells a program to use WebSocket', async () => {
  const { url } = await openGateway({ servesTestPage: true });
  const address = url.replace('ws:', 'http:');
  const page = await fetch(address, { headers: { accept: 'text/html,*/*' } });
  expect(page.status).toBe(200);
  expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'sha256-/);
  expect(await page.text()).toContain('LLM gateway test client');
  expect((await fetch(`${address}/test_client.html`, { headers: { accept: 'text/html' } })).status).toBe(200);
  expect((await fetch(address)).status).toBe(426);
});

test('the page may connect by an address; pages of other origins and names may not', async () => {
  const { url } = await openGateway({ servesTestPage: true });
  const host = new URL(url).host;
  expect(await statusOf(url, { origin: `http://${host}` })).toBe(101);
  expect(await statusOf(url, { origin: 'http://evil.test' })).toBe(403);
  // DNS rebinding: a foreign name that leads here.
  expect(
    await statusOf(url, { origin: `http://evil.test:${new URL(url).port}`, host: `evil.test:${new URL(url).port}` }),
  ).toBe(403);
});

test('without the page its origin is as foreign as any', async () => {
  const { url } = await openGateway();
  const page = await fetch(url.replace('ws:', 'http:'), { headers: { accept: 'text/html' } });
  expect(page.status).toBe(426);
  expect(await statusOf(url, { origin: `http://${new URL(url).host}` })).toBe(403);
});
