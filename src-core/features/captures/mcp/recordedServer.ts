import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import { RequestError } from '../../../base/requestError.ts';
import { canonicalJson } from '../canonicalJson.ts';
import type { CaptureFrame } from '../captureFrame.ts';
import { mcpPayload } from '../mcpPayload.ts';

/** The message that a server answered with. */
type Answer = JsonObject;

/** Answers requests as a recorded MCP server did. */
export interface RecordedServer {
  /** Returns the messages that answer one message, as JSON; none if it is a notification or an answer. */
  receive(text: string): string[];
}

/** JSON-RPC: method not found. */
const methodNotFound = -32_601;
const parseError = -32_700;

/**
 * A server made of the frames of a capture. The same requests in the same order get the same answers, then the last one again; what
 * counts in the parameters is all but `_meta`. A tool that is called with other arguments gives its last answer, with a line that says so.
 * @throws {RequestError} If the capture holds no answer.
 */
export function createRecordedServer(frames: Iterable<CaptureFrame>): RecordedServer {
  const book = readAnswers(frames);
  if (book.byRequest.size === 0)
    throw new RequestError(
      'It holds no answer of an MCP server, so that none can be served: record one from its start on.',
    );

  function find(method: string, params: JsonValue | undefined): Answer | undefined {
    const exact = takeNext(book.byRequest.get(keyOf(method, params)));
    if (exact !== undefined) return exact;
    if (method === 'ping') return { jsonrpc: '2.0', id: null, result: {} };
    if (method === 'tools/call') return otherArguments(book.byTool.get(nameOf(params)));
    // Its parameters are the client's own: a name, capabilities, a revision.
    return method === 'initialize' || method === 'server/discover' ? book.byMethod.get(method) : undefined;
  }

  return {
    receive(text) {
      const message = mcpPayload({ text });
      if (message === undefined) return [failure(null, parseError, 'The message is not a JSON object.')];
      const { id, method, params } = message;
      if (id === undefined || typeof method !== 'string') return [];
      const answer = find(method, params);
      if (answer !== undefined) return [JSON.stringify({ ...answer, id })];
      return [failure(id, methodNotFound, `The recording has no answer to this ${method.slice(0, 100)}.`)];
    },
  };
}

interface Answers {
  byRequest: Map<string, Answer[]>;
  byMethod: Map<string, Answer>;
  /** The last answer of a tool, and the arguments that it was recorded for. */
  byTool: Map<string, { answer: Answer; args: string }>;
}

/** Ties each answer to its request. */
function readAnswers(frames: Iterable<CaptureFrame>): Answers {
  const book: Answers = { byRequest: new Map(), byMethod: new Map(), byTool: new Map() };
  const waiting = new Map<string, JsonObject>();
  for (const frame of frames) {
    if (frame.kind === 'open') waiting.clear();
    const message = frame.kind === 'text' ? mcpPayload(frame) : undefined;
    if (message?.['id'] === undefined) continue;
    const key = JSON.stringify(message['id']);
    if (frame.direction === 'out' && typeof message['method'] === 'string') waiting.set(key, message);
    const request = frame.direction === 'in' && message['method'] === undefined ? waiting.get(key) : undefined;
    if (request === undefined) continue;
    waiting.delete(key);
    keep(book, request, message);
  }
  return book;
}

function keep({ byRequest, byMethod, byTool }: Answers, { method, params }: JsonObject, answer: Answer): void {
  const key = keyOf(String(method), params);
  byRequest.set(key, [...(byRequest.get(key) ?? []), answer]);
  byMethod.set(String(method), answer);
  if (method !== 'tools/call' || !isJsonObject(params)) return;
  byTool.set(nameOf(params), { answer, args: JSON.stringify(params['arguments'] ?? {}).slice(0, 200) });
}

function takeNext(answers: Answer[] | undefined): Answer | undefined {
  return answers !== undefined && answers.length > 1 ? answers.shift() : answers?.[0];
}

function otherArguments(found: { answer: Answer; args: string } | undefined): Answer | undefined {
  const result = found?.answer['result'];
  if (found === undefined || !isJsonObject(result) || !Array.isArray(result['content'])) return found?.answer;
  const note = { type: 'text', text: `(Toolwire: this was recorded for the arguments ${found.args}.)` };
  return { ...found.answer, result: { ...result, content: [...result['content'], note] } };
}

function keyOf(method: string, params: JsonValue | undefined): string {
  const { _meta, ...rest } = isJsonObject(params) ? params : {};
  return `${method}\n${canonicalJson(rest) ?? ''}`;
}

function nameOf(params: JsonValue | undefined): string {
  return isJsonObject(params) ? String(params['name']) : '';
}

function failure(id: JsonValue, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}
