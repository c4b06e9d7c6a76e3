/**
 * The page between the window and an App. It has its own origin, which serves nothing else. It contains the App in an inner frame
 * without an origin, which inherits the policy of this page and cannot navigate to anything that the policy does not name.
 *
 * Messages to the window are JSON text: what is no JSON does not get through. The page bounds their number and size, so that the
 * window, which is another process, is not flooded.
 */
import type { JsonValue } from '../../base/json.ts';
import { appContentSecurityPolicy, readAppCsp } from './appCsp.ts';

/** UTF-16 units of one message of an App. */
const maxMessageLength = 4_000_000;
/** Limits of the messages of an App: in a burst, and per second. */
const burst = 400;
const perSecond = 200;

/**
 * The script of the page. `host` of its query is the origin of the window; `frame-ancestors` ensures that it is one of ours.
 * The methods `ui/notifications/sandbox-*` are between the page and the window, and not passed on.
 */
const script = `
(() => {
  'use strict';
  const host = new URLSearchParams(location.search).get('host') ?? '';
  const own = 'ui/notifications/sandbox-';
  let frame;
  let loads = 0;
  let left = ${burst};
  let before = performance.now();

  const tell = (method, params = {}) => parent.postMessage(JSON.stringify({ jsonrpc: '2.0', method, params }), host);

  function stop(reason) {
    if (frame === undefined) return;
    frame.remove();
    frame = undefined;
    tell(own + 'stopped', { reason });
  }

  function open({ html, permissions }) {
    frame = document.createElement('iframe');
    frame.setAttribute('sandbox', 'allow-scripts allow-forms');
    frame.setAttribute('allow', permissions.map((feature) => feature + ' *').join('; '));
    frame.addEventListener('load', () => {
      loads += 1;
      if (loads > 1) stop('navigated');
    });
    frame.srcdoc = html;
    document.body.append(frame);
  }

  function passOn(data) {
    const now = performance.now();
    left = Math.min(${burst}, left + ((now - before) / 1000) * ${perSecond});
    before = now;
    if (left < 1) return stop('flood');
    left -= 1;
    if (typeof data !== 'object' || data === null || String(data.method).startsWith(own)) return;
    let text;
    try {
      text = JSON.stringify(data);
    } catch {
      return;
    }
    if (text.length > ${maxMessageLength}) return stop('too-large');
    parent.postMessage(text, host);
  }

  addEventListener('message', ({ source, origin, data }) => {
    if (source === parent) {
      if (origin !== host || typeof data !== 'string') return;
      const message = JSON.parse(data);
      if (message.method === own + 'resource-ready' && frame === undefined) open(message.params);
      else frame?.contentWindow?.postMessage(message, '*');
    } else if (frame !== undefined && source === frame.contentWindow) passOn(data);
  });
  addEventListener('DOMContentLoaded', () => tell(own + 'proxy-ready'));
})();
`;

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>MCP App</title>
<style>
html, body { height: 100%; margin: 0; overflow: hidden; }
iframe { display: block; width: 100%; height: 100%; border: 0; }
</style>
<script>${script}</script>
<body></body>
</html>
`;

/**
 * Answers for the page. `csp` of the query are the hosts that the App declares, as JSON; invalid hosts are omitted.
 * `ancestors` are the origins of our windows.
 */
export function sandboxPage(
  query: URLSearchParams,
  ancestors: readonly string[],
): { headers: Record<string, string>; body: string } {
  const { csp } = readAppCsp(parseQuery(query.get('csp') ?? ''));
  return {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': appContentSecurityPolicy(csp, ancestors),
      'X-Content-Type-Options': 'nosniff',
      'X-DNS-Prefetch-Control': 'off',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
      // A separate process, if the browser supports it.
      'Origin-Agent-Cluster': '?1',
    },
    body: page,
  };
}

function parseQuery(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // Without hosts.
    return undefined;
  }
}
