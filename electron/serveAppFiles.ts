import { readFile } from 'node:fs/promises';
import { extname, resolve, sep } from 'node:path';

import { securityHeaders } from '../src-core/rpc/contentSecurityPolicy.ts';
import { pageHeaders } from '../src-core/rpc/serveAppSandbox.ts';
import { sandboxOrigin } from './appSandbox.ts';
import { appHost, appScheme } from './appScheme.ts';

const contentTypes = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.woff2', 'font/woff2'],
  ['.ttf', 'font/ttf'],
  ['.wasm', 'application/wasm'],
  ['.json', 'application/json'],
  ['.txt', 'text/plain; charset=utf-8'],
]);

/** Answers `app://toolwire/…` with the files of the built window and with nothing else, each under the page's policy. */
export function serveAppFiles({ rendererDir }: { rendererDir: string }): (request: Request) => Promise<Response> {
  const root = resolve(rendererDir);
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, 'Only reading is possible here.');
    const file = fileOf(request.url, root);
    const contentType = file && contentTypes.get(extname(file));
    if (!file || !contentType) return answer(404, 'There is no such file.');
    let bytes: Buffer<ArrayBuffer>;
    try {
      bytes = await readFile(file);
    } catch {
      // Not there, or a folder: the page asks for something that the build did not make.
      return answer(404, 'There is no such file.');
    }
    const body = request.method === 'HEAD' ? null : bytes;
    return new Response(body, { headers: { ...pageHeaders(sandboxOrigin), 'Content-Type': contentType } });
  };
}

/** The file a URL names inside of `root`; undefined for another host, a broken escape, and every way out. */
function fileOf(url: string, root: string): string | undefined {
  const { protocol, host, pathname } = new URL(url);
  if (protocol !== `${appScheme}:` || host !== appHost) return undefined;
  let path: string;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
  if (/[\0\\]/.test(path) || path.split('/').includes('..')) return undefined;
  const file = resolve(root, `.${path}`);
  return file.startsWith(root + sep) ? file : undefined;
}

function answer(status: number, text: string): Response {
  return new Response(text, { status, headers: { ...securityHeaders, 'Content-Type': 'text/plain; charset=utf-8' } });
}
