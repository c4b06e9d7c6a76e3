/**
 * The key by which this window returns after a restart of the engine without a new link (SECURITY.md). It is kept in the memory
 * of the page only, cannot be exported, and is never sent: a program that takes the engine's port learns nothing from it.
 */
export interface WindowKey {
  /** Makes the key once the window is connected, if a link led to it. */
  renew(): Promise<void>;
  /** The subprotocols of a WebSocket that lets this window in; undefined unless the server proves that it is the window's. */
  prove(): Promise<string[] | undefined>;
}

const tokenKey = 'window.token';
const curve = { name: 'ECDSA', namedCurve: 'P-256' };

/** For a page of 127.0.0.1: `localhost` may lead to another server. */
export function createWindowKey({ hostname, host, port }: Pick<Location, 'hostname' | 'host' | 'port'>): WindowKey {
  let own: { id: string; privateKey: CryptoKey; serverKey: CryptoKey } | undefined;
  const text = (who: 'server' | 'window', nonce: string, boot: string): Uint8Array<ArrayBuffer> =>
    new TextEncoder().encode(`toolwire ${who}\n${port}\n${nonce}\n${boot}`);

  async function post(path: string, body: object): Promise<Record<string, string> | undefined> {
    const response = await fetch(`http://${host}${path}`, { method: 'POST', body: JSON.stringify(body) });
    return response.ok ? ((await response.json()) as Record<string, string>) : undefined;
  }

  return {
    async renew() {
      const token = sessionStorage.getItem(tokenKey);
      if (hostname !== '127.0.0.1' || own !== undefined || token === null) return;
      const { publicKey, privateKey } = await crypto.subtle.generateKey(curve, false, ['sign', 'verify']);
      const spki = new Uint8Array(await crypto.subtle.exportKey('spki', publicKey));
      sessionStorage.removeItem(tokenKey);
      const input = { publicKey: btoa(String.fromCharCode(...spki)), token };
      const { id, secret, token: next } = (await post('/window-key', input)) ?? {};
      if (id === undefined || secret === undefined || next === undefined) return;
      // For the key after a reload. It is good for this process of the engine only.
      sessionStorage.setItem(tokenKey, next);
      const hmac = { name: 'HMAC', hash: 'SHA-256' };
      own = {
        id,
        privateKey,
        serverKey: await crypto.subtle.importKey('raw', bytesOf(secret), hmac, false, ['verify']),
      };
    },
    async prove() {
      if (own === undefined) return undefined;
      const { id, privateKey, serverKey } = own;
      const nonce = textOf(crypto.getRandomValues(new Uint8Array(32)));
      const { boot, proof } = (await post('/window-proof', { id, nonce })) ?? {};
      if (boot === undefined || proof === undefined) return undefined;
      const isOurs = await crypto.subtle.verify('HMAC', serverKey, bytesOf(proof), text('server', nonce, boot));
      if (!isOurs) return undefined;
      const signature = await crypto.subtle.sign(
        { name: 'ECDSA', hash: 'SHA-256' },
        privateKey,
        text('window', nonce, boot),
      );
      return ['toolwire', `window.${id}.${textOf(new Uint8Array(signature))}`];
    },
  };
}

/** As base64url. */
function textOf(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** @throws DOMException if it is not base64url */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}

/** Takes the token that a link left in the address of the page. */
export function takeWindowToken(location: Location, history: History): void {
  const [, token] = /^#enter=([\w-]+)$/.exec(location.hash) ?? [];
  if (token === undefined) return;
  sessionStorage.setItem(tokenKey, token);
  history.replaceState(null, '', location.pathname);
}
