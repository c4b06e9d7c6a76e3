import { isLoopback } from './auth/checkUrls.ts';
import type { ServerEndpoint } from './types.ts';

type RemoteType = Exclude<ServerEndpoint['type'], 'stdio'>;

/** The schemes of the URLs that a transport reaches: `https://`. */
export function urlSchemes(type: RemoteType): string[] {
  return type === 'websocket' ? ['ws://', 'wss://'] : ['http://', 'https://'];
}

/** Whether the transport can reach such a URL. */
export function fitsTransport({ type, url }: { type: RemoteType; url: string }): boolean {
  const scheme = URL.parse(url)?.protocol;
  return urlSchemes(type).some((each) => each === `${scheme}//`);
}

/** Whether what is sent to the URL can be read on the network. */
export function isUnencrypted(url: string): boolean {
  const { protocol = '', hostname = '' } = URL.parse(url) ?? {};
  return ['http:', 'ws:'].includes(protocol) && !isLoopback(hostname);
}
