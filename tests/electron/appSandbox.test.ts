/** The sandbox of MCP Apps in the desktop app: a scheme of its own, and requests that only its frames may make. */
import { expect, test } from 'vitest';

import { schemePrivileges } from '../../electron/appScheme.ts';
import { sandboxOrigin, sandboxScheme, serveSandbox, type FramePlace } from '../../electron/appSandbox.ts';
import { serveAppFiles } from '../../electron/serveAppFiles.ts';
import { pageUrl } from '../../electron/appScheme.ts';
import { start } from './startedShell.ts';

const page: FramePlace = { url: pageUrl, parent: null };
const sandbox: FramePlace = { url: `${sandboxOrigin}/?csp={}`, parent: page };
const app: FramePlace = { url: 'about:srcdoc', parent: sandbox };
const nested: FramePlace = { url: 'https://video.example/', parent: app };
const get = (url: string, method = 'GET'): Promise<Response> => serveSandbox({ url, method } as Request);

test('the sandbox has one page, under the policy of the App, that only our window may show', async () => {
  const csp = encodeURIComponent(JSON.stringify({ connectDomains: ['https://api.example.com', "'unsafe-eval'"] }));
  const answer = await get(`${sandboxOrigin}/?csp=${csp}`);
  expect(answer.status).toBe(200);
  const policy = answer.headers.get('content-security-policy')!.split('; ');
  expect(policy).toContain('connect-src https://api.example.com');
  expect(policy).toContain('frame-ancestors app://toolwire');
  expect(policy).toContain("default-src 'none'");
  for (const [url, method] of [
    [`${sandboxOrigin}/index.html`],
    [`${sandboxOrigin}/`, 'POST'],
    ['mcp-app://other/'],
    ['mcp-app://toolwire/index.html'],
  ] as const)
    expect((await get(url, method)).status).toBe(404);
});

test('the scheme is registered, has an origin of its own, and is served; the window may show it and nothing else', async () => {
  const { electron } = await start();
  expect(electron.handlers.has(sandboxScheme)).toBe(true);
  expect(schemePrivileges.map(({ scheme }) => scheme)).toContain(sandboxScheme);
  const files = serveAppFiles({ rendererDir: 'renderer' });
  const answer = await files({ url: pageUrl, method: 'GET' } as Request);
  expect(answer.headers.get('content-security-policy')!.split('; ')).toContain(`frame-src ${sandboxOrigin}`);
});

test.each([
  ['https://api.example.com/x', app, false],
  ['wss://api.example.com/', app, false],
  ['blob:null/3f1c', app, false],
  ['https://video.example/x.mp4', nested, false],
  [`${sandboxOrigin}/?csp={}`, page, false],
  ['https://api.example.com/x', page, true],
  ['https://api.example.com/x', null, true],
  ['https://api.example.com/x', undefined, true],
  ['file:///etc/passwd', app, true],
  ['mcp-app://other/', app, true],
])('the request for %s of a frame is cancelled: %#', async (url, frame, cancelled) => {
  const { electron } = await start();
  let answer: { cancel: boolean } | undefined;
  electron.beforeRequest!({ url, ...(frame !== undefined && { frame }) }, (response) => (answer = response));
  expect(answer).toEqual({ cancel: cancelled });
});

test.each([
  ['the frame of the sandbox loads', `${sandboxOrigin}/?csp={}`, { ...sandbox, url: '' }, false, false],
  ['an App leaves to a host, which its policy decides on', 'https://video.example/', app, false, false],
  ['the sandbox is led elsewhere', 'https://evil.example/', sandbox, false, true],
  ['a frame of our page', 'https://evil.example/', { url: '', parent: page }, false, true],
  ['the window itself', `${sandboxOrigin}/`, page, true, true],
  ['a frame that is gone', 'https://evil.example/', null, false, true],
] as const)('navigation, %s', async (_what, url, frame, isMainFrame, prevented) => {
  const { window } = await start();
  expect(window.webContents.preventsFrame({ url, frame, isMainFrame })).toBe(prevented);
});

test('no frame of the sandbox gets a permission', async () => {
  const { electron } = await start();
  for (const permission of ['media', 'clipboard-sanitized-write', 'clipboard-read', 'geolocation', 'notifications']) {
    let granted: boolean | undefined;
    electron.permissions[0]!(null, permission, (answer) => (granted = answer), {
      requestingUrl: `${sandboxOrigin}/`,
      isMainFrame: false,
      mediaTypes: ['audio'],
    });
    expect(granted).toBe(false);
  }
});
