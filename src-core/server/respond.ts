import type { ServerResponse } from 'node:http';

/**
 * Answers with a whole body: Content-Type and Content-Length are always there, since devices hang or fail without
 * them (docs/protocols/xiaozhi.md#ota).
 */
export function respond(
  response: ServerResponse,
  answer: { status: number; contentType: string; body: string; headers?: Record<string, string> },
): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(answer.status, {
    'Content-Type': answer.contentType,
    'Content-Length': Buffer.byteLength(answer.body),
    'X-Content-Type-Options': 'nosniff',
    ...answer.headers,
  });
  response.end(answer.body);
}

/** `respond` with JSON. */
export function respondJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  respond(response, { status, contentType: 'application/json', body: JSON.stringify(value), headers });
}

/** `respond` with one line of text. */
export function respondText(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Record<string, string> = {},
): void {
  respond(response, { status, contentType: 'text/plain; charset=utf-8', body: `${message}\n`, headers });
}
