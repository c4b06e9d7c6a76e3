/** Bytes of an answer; the engine's have some 200. */
const maxBytes = 4_096;

/**
 * The key by which this window returns after a restart of the engine without a new link (SECURITY.md). It is kept in the memory
 * of the page only, cannot be exported, and is never sent: a program that takes the engine's port learns nothing from it.
 */
export interface WindowKey {
  /**
   * Makes the key once the window is connected, if a link led to it. If the engine does not answer, the next call tries again.
   * @throws {Error} If the engine does not answer, or if `signal` aborts. The message contains the URL.
   */
  renew(signal: AbortSignal): Promise<void>;
  /**
   * The subprotocols of a WebSocket that lets this window in; undefined unless the server proves that it is the window's.
   * @throws {Error} If the engine does not answer, or if `signal` aborts. The message contains the URL.
   */
  prove(signal: AbortSignal): Promise<string[] | undefined>;
}

const tokenKey = 'window.token';
const curve = { name: 'ECDSA', namedCurve: 'P-256' };

/** For a page of 127.0.0.1: `localhost` may lead to another server. */
export function createWindowKey({ hostname, host, port }: Pick<Location, 'hostname' | 'host' | 'port'>): WindowKey {
  let own: { id: string; privateKey: CryptoKey; serverKey: CryptoKey } | undefined;
  const text = (who: 'server' | 'window', nonce: string, boot: string): Uint8Array<ArrayBuffer> =>
    new TextEncoder().encode(`toolwire ${who}\n${port}\n${nonce}\n${boot}`);

  return {
    async renew(signal) {
      const token = sessionStorage.getItem(tokenKey);
      if (hostname !== '127.0.0.1' || own !== undefined || token === null) return;
      const { publicKey, privateKey } = await crypto.subtle.generateKey(curve, false, ['sign', 'verify']);
      const spki = new Uint8Array(await crypto.subtle.exportKey('spki', publicKey));
      const input = { publicKey: btoa(String.fromCharCode(...spki)), token };
      const { status, fields } = await postSmall(`http://${host}/window-key`, input, signal);
      // The engine takes a token once. Another call may have stored the next one meanwhile.
      if (status === 401 && sessionStorage.getItem(tokenKey) === token) sessionStorage.removeItem(tokenKey);
      const { id, secret, token: next } = fields;
      const secretBytes = bytesOf(secret);
      if (id === undefined || secretBytes === undefined || next === undefined) return;
      const hmac = { name: 'HMAC', hash: 'SHA-256' };
      const serverKey = await crypto.subtle.importKey('raw', secretBytes, hmac, false, ['verify']);
      // For the key after a reload. It is good for this process of the engine only.
      sessionStorage.setItem(tokenKey, next);
      own = { id, privateKey, serverKey };
    },
    async prove(signal) {
      if (own === undefined) return undefined;
      const { id, privateKey, serverKey } = own;
      const nonce = textOf(crypto.getRandomValues(new Uint8Array(32)));
      const { fields } = await postSmall(`http://${host}/window-proof`, { id, nonce }, signal);
      const { boot } = fields;
      const proof = bytesOf(fields['proof']);
      if (boot === undefined || proof === undefined) return undefined;
      const isOurs = await crypto.subtle.verify('HMAC', serverKey, proof, text('server', nonce, boot));
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

/** Undefined if it is not base64url, or empty. */
function bytesOf(text = ''): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]+$/.test(text) || text.length % 4 === 1) return undefined;
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

/** The texts among the fields of a JSON answer: none if it is refused, larger than 4 kB or not a JSON object. */
interface SmallAnswer {
  status: number;
  fields: Readonly<Record<string, string | undefined>>;
}

/**
 * Posts JSON to a server that may be any program, and reads a small answer.
 * @throws {Error} If the engine does not answer, or if `signal` aborts. The message contains the URL.
 */
async function postSmall(url: string, body: object, signal: AbortSignal): Promise<SmallAnswer> {
  try {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body), signal });
    const text = await readSmall(response);
    return { status: response.status, fields: response.ok && text !== undefined ? textsOf(text) : {} };
  } catch (cause) {
    throw new Error(`No answer from ${url}`, { cause });
  }
}

async function readSmall({ body }: Response): Promise<string | undefined> {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let [text, size] = ['', 0];
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}

function textsOf(json: string): SmallAnswer['fields'] {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return {}; // Whatever it is, it is not the engine's answer.
  }
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
