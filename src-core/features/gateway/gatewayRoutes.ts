import { createHash } from 'node:crypto';

import { hostPolicy, originPolicy, refusalOf } from '../../server/policies.ts';
import { respond, respondText } from '../../server/respond.ts';
import type { Listener, RequestPolicy, UpgradeRoute } from '../../server/types.ts';
import type { GatewaySettings } from '../../contract/gateway.ts';

/** Bytes of one message (docs/protocols/gateway.md#limits): a longer one closes the connection with 1009. */
const maxMessageBytes = 1024 * 1024;

/** The listener of the gateway's routes, and the callbacks for clients. */
export interface GatewayRoutesOptions {
  listener: Pick<Listener, 'route' | 'upgrade'>;
  settings: () => GatewaySettings;
  connect: UpgradeRoute['handle'];
  /** A web page was refused for its origin. */
  onRefusedPage: (origin: string) => void;
  /** Serves the test client at `/`, which may connect. */
  servesTestPage: boolean;
}

/** Adds the gateway's routes: WebSockets on every path. Returns what removes them. */
export function gatewayRoutes({
  listener,
  settings,
  connect,
  onRefusedPage,
  servesTestPage,
}: GatewayRoutesOptions): () => void {
  const removeUpgrade = listener.upgrade({
    path: '/*',
    policies: [browserPolicy({ settings, onRefusedPage, servesTestPage })],
    maxPayload: maxMessageBytes,
    handle: connect,
  });
  const removePage = listener.route({
    methods: ['GET'],
    path: '/*',
    handle: ({ request, response }) => {
      const { accept = '' } = request.headers;
      if (servesTestPage && accept.includes('text/html')) return respond(response, { status: 200, ...testPage });
      return respondText(response, 426, 'This is an LLM gateway. It speaks WebSocket: connect with ws://.', {
        Upgrade: 'websocket',
      });
    },
  });
  return () => {
    removeUpgrade();
    removePage();
  };
}

/**
 * Refuses web pages that are not listed, and those that reach this machine by their own host name (DNS rebinding). Only
 * browsers send an origin; devices and programs may use any name for this machine.
 */
function browserPolicy({
  settings,
  onRefusedPage,
  servesTestPage,
}: Pick<GatewayRoutesOptions, 'settings' | 'onRefusedPage' | 'servesTestPage'>): RequestPolicy {
  const allowed = (): string[] => allowedOrigins(settings());
  const names = (): string[] => allowed().flatMap((origin) => (URL.canParse(origin) ? [new URL(origin).hostname] : []));
  const host = hostPolicy({ names });
  const ownAddress = hostPolicy();
  return (request) => {
    const { origin } = request.headers;
    if (origin === undefined || allowed().includes('*')) return undefined;
    // Our own page, reached by an address: a host name could be a foreign one that resolves to this machine.
    const isOwnPage = servesTestPage && origin === `http://${request.headers.host ?? ''}`;
    if (isOwnPage && ownAddress(request) === undefined) return undefined;
    const refusal = refusalOf([originPolicy({ allowed })], request);
    if (refusal !== undefined) onRefusedPage(origin);
    return refusal ?? refusalOf([host], request);
  };
}

/** The origins that may connect; `*` allows all. */
export function allowedOrigins({ allowedOrigins: list }: Pick<GatewaySettings, 'allowedOrigins'>): string[] {
  return list.split(',').filter((origin) => origin !== '');
}

const testPageStyle = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 760px; margin: 24px auto; padding: 0 16px; }
h1 { font-size: 20px; }
form { display: flex; gap: 8px; margin: 12px 0; }
input { flex: 1; min-width: 0; }
input, button { font: inherit; padding: 6px 10px; }
label { display: block; }
#log { list-style: none; padding: 0; font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
#log li { padding: 4px 0; border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
`;

const testPageScript = `
const zh = navigator.language.startsWith('zh');
const words = zh
  ? { title: 'LLM 网关测试客户端', ask: '发送', text: '你好，我的电量还剩多少？', tool: '注册工具 get_battery，它的回答：',
      register: '注册', connecting: '正在连接…', connected: '已连接', closed: '连接已断开，3 秒后重连…' }
  : { title: 'LLM gateway test client', ask: 'Send', text: 'Hello, how much battery is left?', tool: 'Register the tool get_battery, which answers:',
      register: 'Register', connecting: 'Connecting…', connected: 'Connected', closed: 'Disconnected. Connecting again in 3 s…' };
document.documentElement.lang = zh ? 'zh' : 'en';
const at = (id) => document.getElementById(id);
document.title = at('title').textContent = words.title;
at('send').textContent = words.ask;
at('text').value = words.text;
at('toolLabel').firstChild.textContent = words.tool;
at('register').textContent = words.register;
let socket;
function show(direction, text) {
  const line = document.createElement('li');
  line.textContent = direction + ' ' + text;
  at('log').prepend(line);
  while (at('log').children.length > 500) at('log').lastChild.remove();
}
function say(message) {
  if (socket.readyState !== WebSocket.OPEN) return;
  const text = JSON.stringify(message);
  socket.send(text);
  show('→', text);
}
function answerOf() {
  try { return JSON.parse(at('answer').value); } catch { return at('answer').value; }
}
function connect() {
  at('state').textContent = words.connecting;
  socket = new WebSocket((location.protocol === 'https:' ? 'wss://' : 'ws://') + location.host);
  socket.onopen = () => { at('state').textContent = words.connected; };
  socket.onmessage = ({ data }) => {
    show('←', data);
    const message = JSON.parse(data);
    if (message.type === 'tool_callback') say({ type: 'tool_result', call_id: message.call_id, success: true, result: answerOf() });
  };
  socket.onclose = () => { at('state').textContent = words.closed; setTimeout(connect, 3000); };
}
at('ask').onsubmit = (event) => { event.preventDefault(); say({ type: 'text_input', text: at('text').value }); };
at('tool').onsubmit = (event) => {
  event.preventDefault();
  const parameters = { type: 'object', properties: {} };
  say({ type: 'register_tools', tools: [{ name: 'get_battery', description: zh ? '获取设备电量' : 'Battery level of the device', parameters }] });
};
connect();
`;

const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>LLM gateway test client</title><style>${testPageStyle}</style></head>
<body><main><h1 id="title"></h1><p id="state" role="status"></p>
<form id="ask"><input id="text" aria-labelledby="send" required><button id="send"></button></form>
<form id="tool"><label id="toolLabel"> <input id="answer" value='{"level": 85}'></label><button id="register"></button></form>
<ol id="log" aria-live="polite"></ol></main>
<script>${testPageScript}</script></body></html>
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** A web page that is a client of the gateway which serves it, and the headers it is sent with. */
const testPage = {
  contentType: 'text/html; charset=utf-8',
  body: html,
  headers: {
    'content-security-policy': `default-src 'none'; script-src ${hashOf(testPageScript)}; style-src ${hashOf(testPageStyle)}; connect-src 'self' ws: wss:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
    'referrer-policy': 'no-referrer',
  },
};
