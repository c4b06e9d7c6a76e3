import type { IncomingMessage, ServerResponse } from 'node:http';
import { HttpError } from './httpError.ts';
import { refusalOf } from './policies.ts';
import { readBody } from './readBody.ts';
import { respondText } from './respond.ts';
import type { RouteTable } from './routeTable.ts';
import type { HttpRoute } from './types.ts';

const defaultMaxBodyBytes = 64 * 1024;

/** The request's path and query on a host of our own. `undefined` where the request line holds no path. */
export function requestUrl(request: IncomingMessage): URL | undefined {
  const target = request.url ?? '';
  return target.startsWith('/') && URL.canParse(`http://localhost${target}`)
    ? new URL(`http://localhost${target}`)
    : undefined;
}

/**
 * Finds the route of a request, asks its policies, and runs it. A handler's `HttpError` is answered as it says; any
 * other error is answered 500 and passed to `onError`.
 */
export async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { routes, onError }: { routes: RouteTable<HttpRoute>; onError: (error: unknown) => void },
): Promise<void> {
  const url = requestUrl(request);
  if (url === undefined) return respondText(response, 400, 'The request names no path.');
  const candidates = routes.match(url.pathname);
  const route = candidates.find(({ methods }) => methods.includes(request.method ?? ''));
  if (route === undefined) {
    if (candidates.length === 0) return respondText(response, 404, 'Nothing is served under this path.');
    const allow = candidates.flatMap(({ methods }) => methods).join(', ');
    return respondText(response, 405, `This path takes ${allow}.`, { Allow: allow });
  }
  const refusal = refusalOf(route.policies, request);
  if (refusal !== undefined) return respondText(response, refusal.status, refusal.message, { Connection: 'close' });
  try {
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
    else respondText(response, known?.status ?? 500, known?.message ?? 'Internal error.', { Connection: 'close' });
  }
}
