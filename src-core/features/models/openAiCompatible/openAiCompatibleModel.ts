import { systemClock, type Clock } from '../../../base/clock.ts';
import { describeThrown } from '../../../base/describeThrown.ts';
import type { JsonValue } from '../../../base/json.ts';
import type { ChatToolCall } from '../../../contract/chatMessages.ts';
import { ChatModelError, type ChatModel, type ChatPart, type ChatReply, type ChatRequest } from '../chatModel.ts';
import { startStepLimits, type StepLimits } from '../stepLimits.ts';
import { createMask } from './createMask.ts';
import { explainFailure } from './explainFailure.ts';
import { readApiKey, readBaseUrl, type ModelServer } from './modelServer.ts';
import { ExchangeRecorder } from './exchangeRecorder.ts';
import { createCallBudget } from './separateCalls.ts';
import { messageOfError } from './serverMessage.ts';
import { toPrompt, toProviderTools, type ProviderModel } from './toPrompt.ts';

export interface OpenAiCompatibleModelOptions extends ModelServer {
  /** The model's name on the server. */
  model: string;
  /** For display; the model's name if absent. */
  name?: string | undefined;
  /** False requests the reply in one piece, for servers that cannot stream; `chunkMs` is then ignored. */
  stream?: boolean | undefined;
  /** What the server calls the limit of a reply. If it answers that it takes the other name, that one is used from then on. */
  maxTokensField?: MaxTokensField | undefined;
  /** What to do about a refused key, in a sentence. */
  keyAdvice?: string | undefined;
  clock?: Clock | undefined;
}

type MaxTokensField = 'max_tokens' | 'max_completion_tokens';

/** The field that servers want, by address and model. Kept here since a `ChatModel` is made for each turn. */
const learnedFields = new Map<string, MaxTokensField>();
const maxLearned = 1_000;

/**
 * A model behind `/chat/completions`, one step per call, over the AI SDK's provider. It runs no tools, and retries only
 * a request that was refused for the name of its limit.
 * The provider is called directly rather than through the SDK's loop, so that arguments stay the text that the model
 * wrote and limits follow the clock that is passed in.
 * @throws {RequestError} If the address or the key cannot be used.
 */
export function createOpenAiCompatibleModel(options: OpenAiCompatibleModelOptions): ChatModel {
  const { model, name = model, headers = {}, stream = true, clock = systemClock } = options;
  const { url, query } = readBaseUrl(options.baseUrl);
  const apiKey = options.apiKey === undefined ? undefined : readApiKey(options.apiKey);
  const mask = createMask(apiKey, headers);
  const place = `${url} ${model}`;
  const maxTokensField = (): MaxTokensField => learnedFields.get(place) ?? options.maxTokensField ?? 'max_tokens';

  async function provider(recorder: ExchangeRecorder): Promise<ProviderModel> {
    // Loaded by the first step: it takes a tenth of a second, which a start without a model does not need.
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    return createOpenAICompatible({
      name: 'openai-compatible',
      baseURL: url,
      queryParams: query,
      ...(apiKey !== undefined && { apiKey }),
      headers: { ...headers },
      includeUsage: true,
      fetch: recorder.fetch,
      transformRequestBody: ({ max_tokens, ...body }) => ({
        ...body,
        ...(max_tokens !== undefined && { [maxTokensField()]: max_tokens as number }),
      }),
    }).chatModel(model);
  }

  async function attempt(request: ChatRequest, limits: StepLimits): Promise<ChatReply> {
    const recorder = new ExchangeRecorder({ fetch: options.fetch ?? globalThis.fetch, mask, clock });
    try {
      limits.signal.throwIfAborted();
      const reply = await readStep(await provider(recorder), stream, { request, recorder, limits });
      const exchange = recorder.exchange();
      return { ...reply, ...(exchange && { exchange }) };
    } catch (error) {
      const { keyAdvice } = options;
      throw explainFailure(limits.failure() ?? error, { recorder, mask, wanted: 'chat completion', keyAdvice });
    }
  }

  return {
    name,
    async generate(request) {
      const { totalMs, chunkMs, signal } = request;
      const limits = startStepLimits({ totalMs, chunkMs, signal, clock });
      const field = maxTokensField();
      try {
        return await attempt(request, limits);
      } catch (error) {
        const wanted = request.maxTokens === undefined ? undefined : otherField(error, field);
        if (wanted === undefined) throw error;
        if (learnedFields.size >= maxLearned) learnedFields.clear();
        learnedFields.set(place, wanted);
        return await attempt(request, limits);
      } finally {
        limits.end();
      }
    },
  };
}

async function readStep(
  sdkModel: ProviderModel,
  stream: boolean,
  { request, recorder, limits }: { request: ChatRequest; recorder: ExchangeRecorder; limits: StepLimits },
): Promise<ChatReply> {
  const call = {
    prompt: toPrompt(request.messages),
    tools: toProviderTools(request.tools ?? []),
    ...(request.maxTokens !== undefined && { maxOutputTokens: request.maxTokens }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    abortSignal: limits.signal,
    includeRawChunks: true,
  };
  const onPart: NonNullable<ChatRequest['onPart']> = (part) => {
    recorder.part();
    request.onPart?.(part);
  };
  if (!stream) return readWhole(await sdkModel.doGenerate(call), onPart);
  const { stream: parts } = await sdkModel.doStream(call);
  return readStream(parts, { onPart, onEvent: limits.part, isDone: () => recorder.isDone() });
}

/** The name that a server wants for the limit of a reply, if that is why it refused a request. */
function otherField(error: unknown, used: MaxTokensField): MaxTokensField | undefined {
  if (!(error instanceof ChatModelError) || (error.details['status'] !== 400 && error.details['status'] !== 422))
    return undefined;
  // OpenAI: "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
  const said = String(error.details['message']);
  if (!said.includes(used)) return undefined;
  if (used === 'max_completion_tokens')
    return /unsupported|unrecognized|unknown|extra|not permitted/i.test(said) ? 'max_tokens' : undefined;
  return said.includes('max_completion_tokens') ? 'max_completion_tokens' : undefined;
}

type StreamPart =
  Awaited<ReturnType<ProviderModel['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never;
type WholeReply = Awaited<ReturnType<ProviderModel['doGenerate']>>;

const finishReasons: readonly ChatReply['finishReason'][] = ['stop', 'tool-calls', 'length', 'content-filter'];

interface ReadStreamOptions {
  /** Called with each part as it arrives. */
  onPart: (part: ChatPart) => void;
  /** Called for each event of the server, whatever its content. */
  onEvent: () => void;
  /** True once a stream has closed as it should. */
  isDone: () => boolean;
}

/**
 * Reads a stream, made with `includeRawChunks`, to its end. An error in it ends the step, even if the server continues
 * and finishes.
 * @throws {ChatModelError} `stream` if the server broke off.
 * @throws The error of the connection or the SDK otherwise.
 */
async function readStream(stream: ReadableStream<StreamPart>, options: ReadStreamOptions): Promise<ChatReply> {
  const reply = emptyReply();
  let event: unknown;
  for await (const part of stream) {
    const cause = event;
    event = undefined;
    switch (part.type) {
      case 'raw':
        options.onEvent();
        event = part.rawValue;
        break;
      case 'text-delta':
        reply.text += part.delta;
        options.onPart({ type: 'text', text: part.delta });
        break;
      case 'reasoning-delta':
        reply.reasoning = (reply.reasoning ?? '') + part.delta;
        options.onPart({ type: 'reasoning', text: part.delta });
        break;
      case 'tool-call':
        options.onPart({ type: 'tool-call', call: addCall(reply, part) });
        break;
      case 'error':
        if (cause !== undefined) throw brokenOff(cause as JsonValue, part.error);
        // Not about an event: the SDK's error for a stream that ended without a finish reason.
        if (isEmpty(reply)) throw part.error;
        if (!options.isDone())
          throw new ChatModelError('stream', 'The server’s answer ended before it was complete. Try again.');
        break;
      case 'finish':
        finish(reply, part);
        break;
      default:
        break;
    }
  }
  return reply;
}

/** Reads a reply that was not streamed. */
function readWhole(whole: WholeReply, onPart: (part: ChatPart) => void): ChatReply {
  const reply = emptyReply();
  const budget = createCallBudget();
  for (const part of whole.content) {
    if (part.type === 'text' || part.type === 'reasoning') {
      if (part.type === 'text') reply.text += part.text;
      else reply.reasoning = (reply.reasoning ?? '') + part.text;
      onPart({ type: part.type, text: part.text });
    } else if (part.type === 'tool-call') {
      budget.take({ calls: 1, length: part.toolName.length + part.input.length });
      onPart({ type: 'tool-call', call: addCall(reply, part) });
    }
  }
  finish(reply, whole);
  return reply;
}

function emptyReply(): ChatReply {
  return { text: '', toolCalls: [], finishReason: 'other' };
}

function isEmpty({ text, reasoning, toolCalls }: ChatReply): boolean {
  return text === '' && reasoning === undefined && toolCalls.length === 0;
}

function addCall(reply: ChatReply, part: { toolCallId: string; toolName: string; input: string }): ChatToolCall {
  const taken = new Set(reply.toolCalls.map(({ id }) => id));
  let id = part.toolCallId;
  for (let more = 2; taken.has(id); more += 1) id = `${part.toolCallId}_${more}`;
  const argumentsText = part.input.trim() === '' ? '{}' : part.input;
  const call = { id, name: part.toolName, argumentsText };
  reply.toolCalls.push(call);
  return call;
}

function finish(reply: ChatReply, { finishReason, usage }: Pick<WholeReply, 'finishReason' | 'usage'>): void {
  const { unified } = finishReason;
  // Some servers say "stop" beside calls.
  const called = unified === 'stop' && reply.toolCalls.length > 0;
  reply.finishReason = called ? 'tool-calls' : (finishReasons.find((reason) => reason === unified) ?? 'other');
  const { inputTokens, outputTokens } = usage;
  if (inputTokens.total === undefined && outputTokens.total === undefined) return;
  reply.usage = {
    ...(inputTokens.total !== undefined && { inputTokens: inputTokens.total }),
    ...(outputTokens.total !== undefined && { outputTokens: outputTokens.total }),
  };
}

function brokenOff(event: JsonValue, error: unknown): ChatModelError {
  const said = messageOfError(event) ?? describeThrown(error).slice(0, 500);
  return new ChatModelError('stream', `The server broke off its answer: ${said}`, { details: { message: said } });
}
