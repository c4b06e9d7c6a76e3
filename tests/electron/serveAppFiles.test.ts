import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { serveAppFiles } from '../../electron/serveAppFiles.ts';

const parent = mkdtempSync(join(tmpdir(), 'toolwire-app-'));
const rendererDir = join(parent, 'renderer');
const serve = serveAppFiles({ rendererDir });

beforeAll(() => {
  mkdirSync(join(rendererDir, 'assets'), { recursive: true });
  mkdirSync(join(parent, 'renderer-secret'));
  writeFileSync(join(rendererDir, 'index.html'), '<!doctype html>');
  writeFileSync(join(rendererDir, 'assets', 'a b.js'), 'export {};');
  writeFileSync(join(rendererDir, 'assets', 'program.exe'), 'x');
  writeFileSync(join(parent, 'secret.txt'), 'secret');
  writeFileSync(join(parent, 'renderer-secret', 'x.txt'), 'secret');
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

/** `Request` would tidy the URL up: the handler gets it as Chromium hands it over, or worse. */
const get = (url: string, method = 'GET'): Promise<Response> => serve({ url, method } as Request);

test('the page comes under the policy, with its type', async () => {
  const response = await get('app://toolwire/index.html?x=1#y');
  expect(response.status).toBe(200);
  expect(await response.text()).toBe('<!doctype html>');
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = response.headers.get('content-security-policy')!.split('; ');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("connect-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy.join()).not.toContain('unsafe-eval');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
});

test('names with escapes and sub-folders are found; scripts have a type that a module may have', async () => {
  const response = await get('app://toolwire/assets/a%20b.js');
  expect(await response.text()).toBe('export {};');
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
});

test('HEAD gives the headers alone; writing is refused', async () => {
  const head = await get('app://toolwire/index.html', 'HEAD');
  expect(head.status).toBe(200);
  expect(await head.text()).toBe('');
  expect((await get('app://toolwire/index.html', 'POST')).status).toBe(405);
});

test.each([
  'app://toolwire/../secret.txt',
  'app://toolwire/%2e%2e/secret.txt',
  'app://toolwire/..%2fsecret.txt',
  'app://toolwire/assets/..%2f..%2fsecret.txt',
  'app://toolwire/%2e%2e%2frenderer-secret/x.txt',
  'app://toolwire/..%5csecret.txt',
  'app://toolwire/..\\secret.txt',
  'app://toolwire//etc/passwd',
  'app://toolwire/%2fetc%2fpasswd',
  'app://toolwire/index.html%00.txt',
  'app://toolwire/%E0%A4%A',
  'app://toolwire/%252e%252e/secret.txt',
  'app://other/index.html',
  'app://toolwire.evil/index.html',
  'app://user@toolwire:80/index.html',
  'file:///etc/passwd',
  'app://toolwire/',
  'app://toolwire/assets',
  'app://toolwire/assets/program.exe',
  'app://toolwire/gone.js',
])('%s is not there, and even that answer has the policy', async (url) => {
  const response = await get(url);
  expect(response.status).toBe(404);
  expect(await response.text()).not.toContain('secret');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
});
