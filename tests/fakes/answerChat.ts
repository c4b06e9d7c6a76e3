import type { ServerResponse } from 'node:http';

import { completionOf, eventsOf } from './chatServerTurn.ts';
import type { ChatServerTurn } from './chatServerTurn.ts';

const html = '<!doctype html><html><head><title>Sign in</title></head><body>Please sign in.</body></html>';
let calls = 0;
const newId = (): string => `call_${(calls += 1)}`;

/** Answers one chat completion as its turn says. Returns with the response open where the turn stalls. */
export async function answerChat(response: ServerResponse, turn: ChatServerTurn, stream: boolean): Promise<void> {
  await turn.gate;
  const { fault, status, pieceBytes } = turn;
  if (fault === 'no-answer') return;
  if (fault === 'cut-before-answer') return void response.destroy();
  if (fault === 'html') return void response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  if (status !== undefined) {
    const isText = typeof turn.body === 'string';
    response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...turn.headers });
    return void response.end(isText ? turn.body : JSON.stringify(turn.body ?? {}));
  }
  response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json', ...turn.headers });
  if (fault === 'stall-after-headers') return response.flushHeaders();

  const events = stream ? eventsOf(turn, newId) : [JSON.stringify(completionOf(turn, newId))];
  const half = stream ? events.slice(0, Math.ceil(events.length / 2)) : [events[0]!.slice(0, 20)];
  if (fault?.startsWith('error')) half.push(`data: ${JSON.stringify({ error: turn.error })}\n\n`);
  if (fault === 'stall-mid-stream' || fault === 'error-then-stall') return void (await write(half.join('')));
  if (fault === 'cut-mid-stream') {
    await write(half.join(''));
    return void response.destroy();
  }
  await write([...(fault === 'error-mid-stream' ? half : events), ...(stream ? ['data: [DONE]\n\n'] : [])].join(''));
  response.end();

  async function write(text: string): Promise<void> {
    const bytes = Buffer.from(text, 'utf8');
    const size = pieceBytes ?? bytes.length;
    for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
      await new Promise((resolve) => response.write(bytes.subarray(at, at + size), resolve));
    }
  }
}
