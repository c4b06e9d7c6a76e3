import type { endpoint } from '../en/endpoint.ts';
import type { Translation } from '../message.ts';

export const zhEndpoint: Translation<typeof endpoint> = {
  'endpoint.badUrl': '地址必须以 ws:// 或 wss:// 开头，且不能含有 #。请从智能体的控制台复制。',
  'endpoint.closed': ({ code }) => `接入点关闭了连接（代码 ${code}）。`,
  'endpoint.noWebSocket': ({ status }) => `该地址返回 HTTP ${status}，没有建立 WebSocket。请检查地址。`,
  'endpoint.replaced':
    '另一个程序使用同一令牌建立了连接，或接入点结束了连接（代码 1000）。请关闭那个程序，然后重新连接。',
  'endpoint.sameToken': ({ label }) => `“${label}”已在使用此地址。接入点的每个令牌只接受一个连接。`,
  'endpoint.silent': '接入点没有应答 ping。',
  'endpoint.stuck': '接入点没有接收对其请求的应答。',
  'endpoint.tokenRefused': '接入点拒绝了令牌。请从控制台重新复制地址。',
  'endpoint.tooMany': ({ most }) => `已有 ${most} 个接入点。请先移除一个。`,
  'endpoint.unknown': '此接入点已不存在。',
  'endpoint.unreachable': ({ cause }) => `无法连接接入点：${cause}。`,
  'endpoint.unreadable': '无法从密钥存储中读取此接入点的地址。请重新输入。',
};
