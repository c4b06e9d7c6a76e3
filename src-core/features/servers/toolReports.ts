import { maskMember } from '../../base/maskSecrets.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { ToolQuestion, ToolRound, ToolTask } from '../../base/toolTypes.ts';
import type { InputRound, TaskState } from '../../mcp/types.ts';

/** Characters of a text that is kept of a question or an answer. */
const maxText = 2_000;

/** A task of a server, as the history keeps it. `mask` replaces the secrets of the server. */
export function taskOf(
  { taskId, status, statusMessage }: TaskState,
  { mask, isKept }: { mask: (text: string) => string; isKept: boolean },
): ToolTask {
  return {
    taskId,
    status,
    ...(statusMessage !== undefined && { statusMessage: cut(mask(statusMessage)) }),
    ...(!isKept && { endsWithToolwire: true as const }),
  };
}

/** What a server asked during a call, as the history keeps it. */
export function roundOf(questions: InputRound, options: { at: number; mask: (text: string) => string }): ToolRound {
  return { at: options.at, questions: questions.map((question) => questionOf(question, options.mask)) };
}

function questionOf({ method, params, answer }: InputRound[number], mask: (text: string) => string): ToolQuestion {
  const { action = 'accept' } = answer;
  const outcome = action === 'decline' || action === 'cancel' ? action : 'accept';
  const [kind, asked, sent] = factsOf(method, params, answer);
  const answered = sent === undefined ? undefined : cut(mask(JSON.stringify(sent, maskMember)));
  return { kind, asked: cut(mask(asked)), outcome, ...(answered !== undefined && { answered }) };
}

function factsOf(
  method: string,
  params: JsonObject,
  answer: JsonObject,
): [kind: ToolQuestion['kind'], asked: string, sent: unknown] {
  const { message = '', mode, url, messages } = params;
  if (method === 'roots/list') return ['roots', '', answer['roots']];
  if (method !== 'sampling/createMessage')
    return mode === 'url'
      ? ['url', `${String(message)}\n${String(url)}`, undefined]
      : ['form', String(message), answer['content']];
  const last = Array.isArray(messages) ? messages.at(-1) : undefined;
  const content = isJsonObject(last) ? last['content'] : undefined;
  const text =
    isJsonObject(content) && typeof content['text'] === 'string' ? content['text'] : JSON.stringify(content ?? '');
  return ['sampling', text, answer['content']];
}

function cut(text: string): string {
  return text.length > maxText ? `${text.slice(0, maxText)}…` : text;
}
