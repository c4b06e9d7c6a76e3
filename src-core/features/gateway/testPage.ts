import { createHash } from 'node:crypto';

const style = `
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

const script = `
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
<title>LLM gateway test client</title><style>${style}</style></head>
<body><main><h1 id="title"></h1><p id="state" role="status"></p>
<form id="ask"><input id="text" aria-labelledby="send" required><button id="send"></button></form>
<form id="tool"><label id="toolLabel"> <input id="answer" value='{"level": 85}'></label><button id="register"></button></form>
<ol id="log" aria-live="polite"></ol></main>
<script>${script}</script></body></html>
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** A web page that is a client of the gateway which serves it, and the headers it is sent with. */
export const testPage = {
  contentType: 'text/html; charset=utf-8',
  body: html,
  headers: {
    'content-security-policy': `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; connect-src 'self' ws: wss:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
    'referrer-policy': 'no-referrer',
  },
};
