import type { IncomingMessage, ServerResponse } from 'node:http';

import { HttpError } from './httpError.ts';
import { refusalOf, singleHostAndOrigin } from './policies.ts';
import { respondText } from './respond.ts';
import type { RouteTable } from './routeTable.ts';
import type { HttpRoute, Refusal } from './types.ts';

const defaultMaxBodyBytes = 64 * 1024;

/** The answer to a request whose policy or handler failed. The error itself is for `onError` only. */
export const internalError: Refusal = { status: 500, message: 'Internal error.' };

/**
 * The request's path and query, on `localhost`. `undefined` if the target is not a path: an absolute target may name
 * another host than `Host` does.
 */
export function requestUrl(request: IncomingMessage): URL | undefined {
  const target = request.url ?? '';
  return target.startsWith('/') ? (URL.parse(`http://localhost${target}`) ?? undefined) : undefined;
}

/**
 * Finds the route of a request, applies its policies and runs it. An `HttpError` is sent with its status and message; any
 * other error is answered with 500 and passed to `onError`.
 */
export async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { routes, onError }: { routes: RouteTable<HttpRoute>; onError: (error: unknown) => void },
): Promise<void> {
  const ambiguous = singleHostAndOrigin(request);
  if (ambiguous !== undefined) return respondRefusal(response, ambiguous);
  const url = requestUrl(request);
  if (url === undefined) return respondText(response, 400, 'The request names no path.');
  const candidates = routes.match(url.pathname);
  const route = candidates.find(({ methods }) => methods.includes(request.method ?? ''));
  if (route === undefined) {
    if (candidates.length === 0) return respondText(response, 404, 'Nothing is served under this path.');
    const allow = candidates.flatMap(({ methods }) => methods).join(', ');
    return respondText(response, 405, `This path takes ${allow}.`, { Allow: allow });
  }
  try {
    const refusal = refusalOf(route.policies, request);
    if (refusal !== undefined) return respondRefusal(response, refusal);
    await route.handle({
      request,
      response,
      url,
      readBody: () => readBody(request, route.maxBodyBytes ?? defaultMaxBodyBytes),
    });
  } catch (error) {
    const known = error instanceof HttpError ? error : undefined;
    if (known === undefined) onError(error);
    if (response.headersSent) response.destroy();
    else respondRefusal(response, known ?? internalError);
  }
}

function respondRefusal(response: ServerResponse, { status, message }: Refusal): void {
  respondText(response, status, message, { Connection: 'close' });
}

/** Reads a request's body, at most `maxBytes`. @throws {HttpError} 413 beyond, 400 if the client aborts. */
function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const refuse = (): void => {
      request.off('data', keep).pause();
      reject(new HttpError(413, `The body is larger than ${maxBytes} bytes.`));
    };
    const keep = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > maxBytes) refuse();
    };
    const cut = (): void => reject(new HttpError(400, 'The request ended before its body did.'));
    if (request.destroyed) return cut();
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) return refuse();
    request.on('data', keep).once('error', cut).once('close', cut);
    request.once('end', () => {
      request.off('close', cut);
      resolve(Buffer.concat(chunks));
    });
  });
}
