import type { EngineTexts } from '../createWording.ts';

const codes = Object.entries({
  EACCES: '没有权限（EACCES）',
  EAI_AGAIN: '暂时无法解析主机名（EAI_AGAIN）',
  ECONNREFUSED: '连接被拒绝（ECONNREFUSED）',
  ECONNRESET: '连接被重置（ECONNRESET）',
  EHOSTUNREACH: '无法到达主机（EHOSTUNREACH）',
  ENETUNREACH: '无法访问网络（ENETUNREACH）',
  ENOENT: '文件或目录不存在（ENOENT）',
  ENOTFOUND: '无法解析主机名（ENOTFOUND）',
  EPIPE: '对方已关闭连接（EPIPE）',
  ETIMEDOUT: '连接超时（ETIMEDOUT）',
});
const messages = ['CODE', 'connect CODE {0}', 'read CODE', 'write CODE', 'getaddrinfo CODE {0}', 'spawn {0} CODE'];

/** Why a connection, a program or a frame failed, as the engine's sentences and its logs have it from Node, undici or a parser. */
export const causeTexts: EngineTexts = {
  ...Object.fromEntries(
    codes.flatMap(([code, chinese]) => messages.map((message) => [message.replace('CODE', code), chinese])),
  ),
  'fetch failed': '请求失败',
  'fetch failed: {0}': '请求失败：{0~}',
  'bad port': 'Node.js 和浏览器禁止使用此端口',
  'socket hang up': '对方中断了连接',
  'other side closed': '对方关闭了连接',
  terminated: '连接中断',
  'Client network socket disconnected before secure TLS connection was established': '对方在建立 TLS 连接之前断开',
  'Connect Timeout Error': '连接超时',
  'Headers Timeout Error': '等待响应头超时',
  'Body Timeout Error': '等待响应内容超时',
  'Unexpected end of JSON input': 'JSON 不完整',
  'Unexpected token {0}, {1} is not valid JSON': '不是有效的 JSON',
  'Invalid JSON response': '不是有效的 JSON',
  'not UTF-8 (byte {0} at position {1})': '不是 UTF-8（位置 {1} 处的字节 {0}）',
  'not valid JSON from character {0}': '从第 {0} 个字符起不是有效的 JSON',
  'an HTML page': '网页',
  'an HTML page, “{0}”': '网页“{0}”',
};
