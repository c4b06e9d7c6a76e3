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
