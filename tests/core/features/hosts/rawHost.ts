import { expect } from 'vitest';

import { parseIntegersExactly } from '../../../../src-core/base/exactNumber.ts';

/** Begins a session before 2026-07-28. */
export const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

/** Sends one message as it is. */
export function post(
  url: URL,
  body: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    signal: signal ?? null,
  });
}

/** The messages of an answer that is a stream of events. */
export async function messagesOf(response: Response): Promise<Record<string, unknown>[]> {
  const text = await response.text();
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => parseIntegersExactly(line.slice('data: '.length)) as Record<string, unknown>);
}

/** The headers of a new session before 2026-07-28. */
export async function openSession(url: URL, headers: Record<string, string> = {}): Promise<Record<string, string>> {
  const response = await post(url, initialize, headers);
  await response.text();
  const session = {
    ...headers,
    'mcp-session-id': response.headers.get('mcp-session-id') ?? '',
    'mcp-protocol-version': '2025-11-25',
  };
  const initialized = await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  expect(initialized.status).toBe(202);
  return session;
}

/** One request of a host since 2026-07-28 that calls a tool. */
export async function callModern(
  url: URL,
  name: string,
  more: object = {},
  capabilities: object = { elicitation: {} },
  headers: Record<string, string> = {},
) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const response = await post(
    url,
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {}, _meta: meta, ...more } },
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name, ...headers },
  );
  return response.json() as Promise<{ result?: Record<string, unknown>; error?: { code: number } }>;
}
