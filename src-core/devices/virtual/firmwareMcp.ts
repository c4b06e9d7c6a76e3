import type { JsonObject, JsonValue } from '../../tools/json.ts';
import { isJsonObject } from '../deviceMessage.ts';
import { bindArguments } from './bindArguments.ts';
import { pageTools } from './pageTools.ts';
import type { VirtualAnswer, VirtualHost, VirtualProfile } from './profile.ts';

/**
 * Answers one JSON-RPC message the way the firmware does (spec/xiaozhi.md §1.4): an id that is no number and a
 * version that is not 2.0 get no answer, errors have no code, and their text is not escaped, so that a quote in it
 * makes the answer invalid JSON. `undefined` is silence.
 */
export function answerAsFirmware<State>(
  payload: JsonValue | undefined,
  { profile, state, host }: { profile: VirtualProfile<State>; state: State; host: VirtualHost },
): string | undefined {
  if (!isJsonObject(payload) || payload['jsonrpc'] !== '2.0') return undefined;
  const { id, method, params } = payload;
  if (typeof method !== 'string' || method.startsWith('notifications')) return undefined;
  if (params !== undefined && !isJsonObject(params)) return undefined;
  if (typeof id !== 'number') return undefined;
  const rpcId = Math.min(2 ** 31 - 1, Math.max(-(2 ** 31), Math.trunc(id)));
  try {
    const result = resultOf(method, params, { profile, state, host });
    return `{"jsonrpc":"2.0","id":${rpcId},"result":${result}}`;
  } catch (error) {
    return `{"jsonrpc":"2.0","id":${rpcId},"error":{"message":"${(error as Error).message}"}}`;
  }
}

function resultOf<State>(
  method: string,
  params: JsonObject | undefined,
  { profile, state, host }: { profile: VirtualProfile<State>; state: State; host: VirtualHost },
): string {
  if (method === 'initialize') {
    const serverInfo = { name: profile.board, version: profile.firmware };
    return JSON.stringify({ protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo });
  }
  if (method === 'tools/list') {
    const cursor = params?.['cursor'];
    return pageTools(profile.tools, {
      cursor: typeof cursor === 'string' ? cursor : '',
      withUserTools: params?.['withUserTools'] === true,
    });
  }
  if (method !== 'tools/call') throw new Error(`Method not implemented: ${method}`);
  if (params === undefined) throw new Error('Missing params');
  const { name } = params;
  if (typeof name !== 'string') throw new Error('Missing name');
  const args = params['arguments'];
  if (args !== undefined && !isJsonObject(args)) throw new Error('Invalid arguments');
  const tool = profile.tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`Unknown tool: ${name}`);
  const answer = tool.run(state, bindArguments(tool.properties, args ?? {}), host);
  return JSON.stringify({ content: [contentOf(answer)], isError: false });
}

/** Scalars as text; a picture in the firmware's own form, as JSON text under the key `image`. */
function contentOf(answer: VirtualAnswer): JsonObject {
  if (typeof answer !== 'object') return { type: 'text', text: String(answer) };
  if (answer.type === 'text') return { type: 'text', text: answer.text };
  return { type: 'image', image: JSON.stringify(answer) };
}
