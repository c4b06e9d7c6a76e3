import { isSpecType, type ElicitRequestFormParams, type ElicitRequestURLParams } from '@modelcontextprotocol/client';

import { roundExact } from '../base/exactNumber.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { McpError } from './errors.ts';
import type { CallOptions, InputRound, ServerRequestHandlers } from './types.ts';

/**
 * Answers the questions of an `input_required` result of 2026-07-28 at the same time, and returns what the repeated request must
 * contain in addition to its parameters. `requestState` is returned unchanged. If one fails, the others are withdrawn. @throws {McpError}
 * `invalid-answer` if a question is not a valid one of elicitation, sampling and roots, `unsupported` if it is one that was not declared.
 */
export async function fulfilInputs(
  result: JsonObject,
  handlers: ServerRequestHandlers,
  options: Pick<CallOptions, 'signal' | 'onRound' | 'onRefused'>,
): Promise<JsonObject> {
  const { inputRequests, requestState } = result;
  const questions = isJsonObject(inputRequests) ? Object.entries(inputRequests) : [];
  if (questions.length === 0 && typeof requestState !== 'string')
    throw new McpError('invalid-answer', 'The server needs input, but asks nothing and sends no state.');
  const ended = new AbortController();
  const asking = { ...options, signal: AbortSignal.any([options.signal, ended.signal]) };
  const answers = await Promise.all(
    questions.map(async ([key, question]) => [key, await answer(key, question, handlers, asking)] as const),
  ).finally(() => ended.abort());
  if (questions.length > 0) options.onRound?.(roundOf(questions, Object.fromEntries(answers)));
  return {
    ...(answers.length > 0 && { inputResponses: Object.fromEntries(answers) }),
    ...(requestState !== undefined && { requestState }),
  };
}

function roundOf(questions: [string, JsonValue][], answers: Record<string, JsonObject>): InputRound {
  return questions.map(([key, question]) => {
    const { method, params } = isJsonObject(question) ? question : {};
    return { key, method: String(method), params: isJsonObject(params) ? params : {}, answer: answers[key] ?? {} };
  });
}

async function answer(
  key: string,
  question: JsonValue,
  handlers: ServerRequestHandlers,
  { signal, onRefused }: Pick<CallOptions, 'signal' | 'onRefused'>,
): Promise<JsonObject> {
  if (!isJsonObject(question)) throw new McpError('invalid-answer', `The question "${key}" is not an object.`);
  const { elicit, sample, listRoots } = handlers;
  const method = String(question['method']);
  const params: unknown = roundExact(isJsonObject(question['params']) ? question['params'] : {});
  const invalid = (): McpError =>
    new McpError('invalid-answer', `The question "${key}" is not a valid request ${method}.`);
  if (method === 'elicitation/create' && elicit) {
    if (!isForm(params) && !isPage(params)) throw invalid();
    return (await elicit(params, signal)) as unknown as JsonObject;
  }
  if (method === 'sampling/createMessage' && sample) {
    if (!isSpecType.CreateMessageRequestParams(params)) throw invalid();
    return (await sample(params, signal)) as unknown as JsonObject;
  }
  if (method === 'roots/list' && listRoots) return { roots: await listRoots() } as unknown as JsonObject;
  if (!isInputRequest(method))
    throw new McpError(
      'invalid-answer',
      `The server asks for ${JSON.stringify(method)}, which the revision does not have.`,
    );
  onRefused?.(method);
  throw new McpError('unsupported', refusalOf(method, handlers));
}

/** Whether a server may send such a request if its capability is declared. */
export function isInputRequest(method: string): boolean {
  return ['elicitation/create', 'sampling/createMessage', 'roots/list'].includes(method);
}

export function refusalOf(method: string, { explainRefusal }: ServerRequestHandlers): string {
  return explainRefusal?.(method) ?? `${method} is not allowed for this server.`;
}

/** The form that can be shown; a field of a kind that the revision does not have is shown as JSON. */
function isForm(params: unknown): params is ElicitRequestFormParams {
  const { mode = 'form', message, requestedSchema } = params as Record<string, JsonValue | undefined>;
  const properties = isJsonObject(requestedSchema) ? requestedSchema['properties'] : undefined;
  const isSchema = isJsonObject(properties) && Object.values(properties).every(isJsonObject);
  return mode === 'form' && typeof message === 'string' && isSchema;
}

/** Since 2026-07-28 a page has no `elicitationId`. */
function isPage(params: unknown): params is ElicitRequestURLParams {
  const { mode, message, url } = params as Record<string, unknown>;
  return mode === 'url' && typeof message === 'string' && typeof url === 'string';
}
