import { isTokenLike } from '../../base/looksSecret.ts';
import { localize } from '../../base/messages/localize.ts';
import { RequestError } from '../../base/requestError.ts';
import type { SecretStore } from '../../store/secretStore.ts';
import type { EndpointBook } from './endpointBook.ts';

/** The addresses of endpoints. Each contains a token and is kept as a secret. */
export function createEndpointAddresses({ secrets, book }: { secrets: SecretStore; book: Pick<EndpointBook, 'kept'> }) {
  return {
    get: (id: string) => secrets.get(secretName(id)),
    remove: (id: string) => secrets.delete(secretName(id)),
    /** @throws {RequestError} If another endpoint has this address. */
    async set(id: string, url: string): Promise<void> {
      for (const { stored } of book.kept.values()) {
        if (stored.id === id || (await secrets.get(secretName(stored.id))) !== url) continue;
        throw new RequestError(localize('endpoint.sameToken', { label: stored.label }), { field: 'url' });
      }
      await secrets.set(secretName(id), url);
    },
  };
}

function secretName(id: string): string {
  return `endpoint:${id}`;
}

/** An address without what may be a token. @throws {RequestError} If it is not a WebSocket URL, or has a fragment. */
export function maskAddress(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^wss?:$/.test(url.protocol) || text.includes('#'))
    throw new RequestError(localize('endpoint.badUrl'), { field: 'url' });
  const hasSecret = url.search !== '' || url.username !== '' || url.password !== '';
  const path = url.pathname.split('/').map((part) => (isTokenLike(part) ? '***' : part));
  return `${url.protocol}//${url.host}${path.join('/')}${hasSecret ? '?***' : ''}`;
}
