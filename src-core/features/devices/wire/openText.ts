import type { IncomingMessage } from 'node:http';
import { maskSecrets } from './maskSecrets.ts';

/** The handshake as it came, without credentials: request line, then one header a line. */
export function openText(request: IncomingMessage): string {
  const lines = [`${request.method} ${request.url}`];
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index] ?? '';
    const secret = /^(authorization|cookie)$/i.test(name);
    lines.push(`${name}: ${secret ? '***' : request.rawHeaders[index + 1]}`);
  }
  return maskSecrets(lines.join('\n'));
}
