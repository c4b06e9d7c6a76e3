import { hostName, urlHost } from './address.ts';
import type { RequestPolicy } from './types.ts';

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Refuses a missing or second `Host` with 400, and a second or empty `Origin` with 403. Of two headers, a proxy and
 * this listener may each read a different one, and an empty origin must not pass as none. The listener applies it to
 * every route.
 */
export const singleHostAndOrigin: RequestPolicy = ({ headersDistinct: { host = [], origin = [] } }) => {
  if (host.length !== 1) return { status: 400, message: 'The request must have exactly one Host header.' };
  if (origin.length > 1) return { status: 403, message: 'The request has more than one Origin header.' };
  if (origin[0] === '') return { status: 403, message: 'The Origin header is empty.' };
  return undefined;
};

/**
 * Stops DNS rebinding: the `Host` header must be this machine's loopback, the address that the connection reached, or
 * one of `names`, which is called for each request. Any port passes: ESP32 boards send none.
 */
export function hostPolicy(options: { names?: (() => readonly string[]) | undefined } = {}): RequestPolicy {
  const { names = () => [] } = options;
  return (request) => {
    const name = hostName(request.headers.host ?? '');
    const isOurs = (host: string) =>
      loopbackNames.includes(host) || host === urlHost(request.socket.localAddress ?? '');
    if (name !== undefined && (isOurs(name) || names().some((other) => other.toLowerCase() === name))) return undefined;
    return { status: 421, message: 'This listener does not answer for that Host.' };
  };
}

/**
 * Keeps web pages out: a request with an `Origin` passes only if `allowed`, called for each request, lists it. Devices
 * and command-line clients send none (docs/protocols/xiaozhi.md#connecting).
 */
export function originPolicy(options: { allowed?: (() => readonly string[]) | undefined } = {}): RequestPolicy {
  const { allowed = () => [] } = options;
  return (request) => {
    const { origin } = request.headers;
    if (origin === undefined || allowed().includes(origin)) return undefined;
    return { status: 403, message: 'Pages of this origin may not use this address.' };
  };
}

/** The refusal of the first policy that refuses the request. */
export function refusalOf(
  policies: readonly RequestPolicy[] | undefined,
  ...[request]: Parameters<RequestPolicy>
): ReturnType<RequestPolicy> {
  for (const policy of policies ?? []) {
    const refusal = policy(request);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}
