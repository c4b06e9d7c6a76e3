import { describeThrown } from '../../../base/describeThrown.ts';
import { nearestNames } from '../../../base/nearestNames.ts';
import { RequestError } from '../../../base/requestError.ts';
import { ChatModelError } from '../chatModel.ts';
import type { ChatExchange } from '../../../contract/chatMessages.ts';
import type { ConnectionStep, ConnectionTest } from '../../../contract/types.ts';
import { listModels } from './listModels.ts';
import { createOpenAiCompatibleModel, type OpenAiCompatibleModelOptions } from './openAiCompatibleModel.ts';

export interface TestConnectionOptions extends OpenAiCompatibleModelOptions {
  signal?: AbortSignal | undefined;
  /** ms for the reply; 60,000 by default. */
  totalMs?: number | undefined;
}

/** Tokens of the test's reply. Reasoning models think before they speak: less would leave nothing to see. */
const maxTokens = 64;
const defaultTotalMs = 60_000;

/**
 * Finds out at which step a connection fails: asks for the list of models, then for one short reply. Many servers list
 * without a key or do not list at all, so what the list cannot tell, the reply does. Rejects for nothing that a server
 * or an address can be.
 */
export async function testConnection(options: TestConnectionOptions): Promise<ConnectionTest> {
  const listed = await tryList(options);
  if (listed.some(({ state }) => state === 'failed')) return toTest(listed);
  return toTest(await tryReply(options, listed));
}

interface Attempt extends ConnectionStep {
  exchange?: ChatExchange | undefined;
}

function toTest(attempts: Attempt[]): ConnectionTest {
  const exchange = attempts.find((attempt) => attempt.exchange !== undefined)?.exchange;
  const steps = attempts.map((attempt): ConnectionStep => {
    const { id, state, message, nearest, error } = attempt;
    return { id, state, message, ...(nearest && { nearest }), ...(error && { error }) };
  });
  return { ok: steps.every(({ state }) => state === 'ok'), steps, ...(exchange && { exchange }) };
}

/** Every step as the list of models shows it. */
async function tryList(options: TestConnectionOptions): Promise<Attempt[]> {
  try {
    const names = await listModels({ ...options, totalMs: undefined });
    return [step('server', 'ok'), step('key', 'unknown'), modelStep(names, options.model), step('reply', 'skipped')];
  } catch (error) {
    const place = placeOfListFailure(error);
    const rest = step('reply', 'skipped');
    if (place === 'server') return [failed('server', error), step('key', 'skipped'), step('model', 'skipped'), rest];
    // A key that no header can carry was never sent.
    const server = step('server', error instanceof RequestError ? 'unknown' : 'ok');
    if (place === 'key') return [server, failed('key', error), step('model', 'skipped'), rest];
    // Any other answer is one: the server is there and does not list.
    return [step('server', 'ok'), step('key', 'unknown'), step('model', 'unknown', describeThrown(error)), rest];
  }
}

/** The steps that the list left open, as a reply shows them. */
async function tryReply(options: TestConnectionOptions, [server, key, model]: Attempt[]): Promise<Attempt[]> {
  const { signal, totalMs = defaultTotalMs } = options;
  const known = [server, key, model].filter((attempt) => attempt !== undefined);
  try {
    const messages = [{ role: 'user' as const, content: 'Reply with one word: ready' }];
    const request = { messages, maxTokens, totalMs, ...(signal && { signal }) };
    const { text, exchange } = await createOpenAiCompatibleModel(options).generate(request);
    const reply = { ...step('reply', 'ok', text.trim().slice(0, 200)), exchange };
    return [...known.map(({ id }) => step(id, 'ok')), reply];
  } catch (error) {
    const place = placeOfReplyFailure(error);
    const skipped = step('reply', 'skipped');
    if (place === 'key') return [step('server', 'ok'), failed('key', error), step('model', 'skipped'), skipped];
    if (place === 'model')
      return [step('server', 'ok'), step('key', 'ok'), failed('model', error, model?.nearest), skipped];
    return [...known, failed('reply', error)];
  }
}

function step(id: ConnectionStep['id'], state: ConnectionStep['state'], message = ''): Attempt {
  return { id, state, message };
}

function failed(id: ConnectionStep['id'], error: unknown, nearest?: string[]): Attempt {
  const attempt = { ...step(id, 'failed', describeThrown(error)), ...(nearest && { nearest }) };
  if (!(error instanceof ChatModelError)) return attempt;
  const { code, details, exchange } = error;
  return { ...attempt, error: { code, details }, exchange };
}

function modelStep(names: string[], model: string): Attempt {
  // Ollama lists `qwen3:latest` and takes `qwen3`.
  if (names.includes(model) || names.includes(`${model}:latest`)) return step('model', 'ok');
  const nearest = nearestNames({ query: model, items: names, keysOf: (name) => [name], limit: 3 });
  return { ...step('model', 'unknown', `The server does not list “${model}”.`), nearest };
}

function placeOfListFailure(error: unknown): 'server' | 'key' | undefined {
  if (error instanceof RequestError) return error.field === 'apiKey' ? 'key' : 'server';
  if (!(error instanceof ChatModelError)) throw error;
  if (isRefused(error)) return 'key';
  return ['http', 'answer', 'too-large'].includes(error.code) ? undefined : 'server';
}

function placeOfReplyFailure(error: unknown): 'key' | 'model' | 'reply' {
  if (!(error instanceof ChatModelError)) throw error;
  if (isRefused(error)) return 'key';
  return error.details['status'] === 404 ? 'model' : 'reply';
}

function isRefused({ details }: ChatModelError): boolean {
  return details['status'] === 401 || details['status'] === 403;
}
