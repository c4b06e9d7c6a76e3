/** What servers say of Apps: whatever it is, no policy and no answer gets more than it may. */
import { expect, test } from 'vitest';

import { appContentSecurityPolicy, readAppCsp } from '../../../src-core/mcp/apps/appCsp.ts';
import { isAppType, readAppResource, readToolUi } from '../../../src-core/mcp/apps/appMeta.ts';

test.each([
  "'self'",
  "'unsafe-eval'",
  '*',
  'https:',
  'data:',
  'blob:',
  'javascript:alert(1)',
  'https://*',
  'https://*.com',
  'https://*.*.com',
  'https://a.com; script-src *',
  'https://a.com https://b.com',
  'https://a.com,https://b.com',
  'https://a.com\nx',
  'https://me:key@a.com',
  'https://a.com/?q=1',
  'https://a..com',
  'https://a.com.',
  'ftp://a.com',
  `https://${'a'.repeat(250)}.com`,
  7 as unknown as string,
  null as unknown as string,
])('%j is not a host, and is refused', (entry) => {
  const { csp, refused } = readAppCsp({ connectDomains: [entry] });
  expect(csp.connectDomains).toEqual([]);
  expect(refused).toHaveLength(1);
});

test('hosts become sources once each, and of their own kind', () => {
  const { csp, refused } = readAppCsp({
    connectDomains: [
      'api.example.com',
      'https://api.example.com/',
      'wss://*.example.com:443',
      'http://127.0.0.1:8080/v1',
    ],
    frameDomains: 'https://a.com',
    other: ['https://b.com'],
  });
  expect(csp.connectDomains).toEqual([
    'https://api.example.com',
    'wss://*.example.com:443',
    'http://127.0.0.1:8080/v1',
  ]);
  expect([csp.frameDomains, csp.resourceDomains, csp.baseUriDomains, refused]).toEqual([[], [], [], []]);
  const policy = appContentSecurityPolicy(csp, ['http://127.0.0.1:1']);
  expect(policy).toContain("script-src 'unsafe-inline' blob:;");
  expect(policy).toContain("frame-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'");
  expect(policy.split('connect-src')).toHaveLength(2);
});

test('at most 50 hosts of a kind and 6,000 characters in all are taken; the others are listed', () => {
  const many = Array.from({ length: 80 }, (_, at) => `https://host-${at}.example.com`);
  const { csp, refused } = readAppCsp({ connectDomains: many });
  expect([csp.connectDomains.length, refused.length]).toEqual([50, 30]);
  const long = many.map((_, at) => `https://${'a'.repeat(60)}.${'b'.repeat(60)}.${at}.com`);
  const all = readAppCsp({ connectDomains: long, resourceDomains: long, frameDomains: long }).csp;
  expect(Object.values(all).flat().join('').length).toBeLessThanOrEqual(6_000);
});

test('a tool is for models and Apps unless it says otherwise; only a short ui:// address is an App', () => {
  const of = (ui: unknown, more = {}) => readToolUi({ _meta: { ui, ...more } } as never);
  expect(readToolUi({})).toEqual({ forModels: true, forApps: true });
  expect(of('nonsense')).toEqual({ forModels: true, forApps: true });
  expect(of({ visibility: [] })).toEqual({ forModels: false, forApps: false });
  expect(of({ visibility: 'app' })).toEqual({ forModels: true, forApps: true });
  expect(of({ visibility: ['app', 7] })).toEqual({ forModels: false, forApps: true });
  expect(of({ resourceUri: 'ui://a' })).toMatchObject({ resourceUri: 'ui://a' });
  expect(of({}, { 'ui/resourceUri': 'ui://old' })).toMatchObject({ resourceUri: 'ui://old' });
  for (const resourceUri of ['https://a.com', 'file:///etc/passwd', 7, null, `ui://${'a'.repeat(2_000)}`])
    expect(of({ resourceUri })).not.toHaveProperty('resourceUri');
});

test('only text/html with the profile is an App', () => {
  for (const type of ['text/html;profile=mcp-app', 'TEXT/HTML; charset=utf-8; profile="mcp-app"'])
    expect(isAppType(type), type).toBe(true);
  for (const type of ['text/html', 'text/html;profile=mcp-apps', 'text/plain;profile=mcp-app', '', 7, undefined])
    expect(isAppType(type), String(type)).toBe(false);
});

test('the page of an App is read from a text or base64, with what it declares; other answers are none', () => {
  const mimeType = 'text/html;profile=mcp-app';
  const uri = 'ui://a';
  const read = (content: object, listed?: object) =>
    readAppResource({ contents: [content] } as never, uri, listed as never);
  const ui = { permissions: { camera: {}, microphone: true, usb: {}, clipboardWrite: {} }, prefersBorder: 'yes' };
  expect(read({ uri, mimeType, text: '<p>', _meta: { ui } })).toEqual({
    html: '<p>',
    csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
    refused: [],
    permissions: ['camera', 'clipboard-write'],
  });
  const listed = { _meta: { ui: { csp: { connectDomains: ['https://a.com'] }, prefersBorder: false } } };
  expect(read({ uri, mimeType, blob: Buffer.from('<p>é').toString('base64') }, listed)).toMatchObject({
    html: '<p>é',
    csp: { connectDomains: ['https://a.com'] },
    prefersBorder: false,
  });
  // What the answer itself says counts.
  expect(read({ uri, mimeType, text: '', _meta: { ui: {} } }, listed)).toMatchObject({ csp: { connectDomains: [] } });
  expect(read({ uri, mimeType, text: 'a'.repeat(16_000_001) })).toBe('too-large');
  for (const content of [{ uri, text: '<p>' }, { uri, mimeType }, { uri, mimeType, text: 7 }, 7, null])
    expect(read(content as never)).toBe('no-app');
  expect(readAppResource({ contents: 'none' }, uri, undefined)).toBe('no-app');
});
