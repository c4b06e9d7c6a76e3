import { hostName, urlHost } from './address.ts';
import type { RequestPolicy } from './types.ts';

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Stops DNS rebinding: the `Host` header must name this machine's loopback, the very address the connection reached,
 * or one of `names`, asked each time. A port is not asked for, since ESP32 boards send none (spec/xiaozhi.md §1.1).
 */
export function hostPolicy(options: { names?: () => readonly string[] } = {}): RequestPolicy {
  const { names = () => [] } = options;
  return (request) => {
    // Of two, each reader between here and the client might take another.
    const [host = '', ...more] = request.headersDistinct['host'] ?? [];
    const name = more.length === 0 ? hostName(host) : undefined;
    const isOurs = (host: string) =>
      loopbackNames.includes(host) || host === urlHost(request.socket.localAddress ?? '');
    if (name !== undefined && (isOurs(name) || names().some((other) => other.toLowerCase() === name))) return undefined;
    return { status: 421, message: 'This listener does not answer for that Host.' };
  };
}

/**
 * Keeps web pages out: a request with an `Origin` passes only if it is listed, asked each time. Devices and command-line clients send
 * none (spec/xiaozhi.md §1.1).
 */
export function originPolicy(options: { allowed?: () => readonly string[] } = {}): RequestPolicy {
  const { allowed = () => [] } = options;
  return (request) => {
    const { origin } = request.headers;
    if (origin === undefined || allowed().includes(origin)) return undefined;
    return { status: 403, message: 'Pages of this origin may not use this address.' };
  };
}

/** The first policy's word against a request. */
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
