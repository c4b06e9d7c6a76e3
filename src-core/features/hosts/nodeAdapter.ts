import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * The request in the form that the SDK accepts. Its body is read separately, so that numbers stay as they were written.
 * @param signal Aborts when the client disconnects.
 */
export function toWebRequest(request: IncomingMessage, url: URL, signal: AbortSignal): Request {
  const headers: [string, string][] = [];
  for (const [at, name] of request.rawHeaders.entries())
    if (at % 2 === 0) headers.push([name, request.rawHeaders[at + 1] ?? '']);
  return new Request(url, { method: request.method ?? 'GET', headers, signal });
}

/** ms for which the head of an answer waits for its parts, so that one write sends all of them. */
const gatherMs = 2;

/**
 * Sends an answer of the SDK; ends with the stream, or when the client disconnects. `onChunk` gets each part of its body once it is sent, and
 * `undefined` after the last one: the client does not wait for what is done with them.
 */
export async function sendWebResponse(
  answer: Response,
  response: ServerResponse,
  { signal, onChunk }: { signal: AbortSignal; onChunk?: ((chunk: Uint8Array | undefined) => void) | undefined },
): Promise<void> {
  if (response.destroyed || response.writableEnded) return void (await answer.body?.cancel());
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) return void response.end();
  const { socket } = response;
  socket?.cork();
  /** Parts that are written and not sent; undefined once parts are sent as they come. */
  let gathered: Uint8Array[] | undefined = [];
  const send = (): void => {
    const parts = gathered ?? [];
    gathered = undefined;
    if (parts.length === 0 && !response.writableEnded) response.flushHeaders();
    socket?.uncork();
    for (const part of parts) onChunk?.(part);
  };
  const begin = setTimeout(send, gatherMs);
  const reader = answer.body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) break;
      const isWritten = response.write(value);
      if (gathered === undefined) onChunk?.(value);
      else gathered.push(value);
      if (!isWritten) await drained(response, signal);
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    if (signal.aborted) cancel();
    clearTimeout(begin);
    // This uncorks the socket, too.
    response.end();
    if (gathered !== undefined) send();
  }
  onChunk?.(undefined);
}

function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      response.off('drain', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    response.once('drain', end);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
}
