/** Messages to and from chat models, and the raw exchange of one request. */
import * as z from 'zod';

import type { JsonSchema, JsonValue } from '../base/json.ts';

/** A call that a model asks for natively. */
export const toolCall = z.strictObject({
  /** The model's own id; generated if it sent none. Unique within the reply. */
  id: z.string(),
  /** The name under which the tool was sent to the model. */
  name: z.string(),
  /** JSON text as the model wrote it, `{}` if it wrote nothing; it may be invalid. */
  argumentsText: z.string(),
});
export type ChatToolCall = z.infer<typeof toolCall>;

/** A picture that goes with a question, as a device's camera sends it. */
const picture = z.strictObject({
  /** `image/jpeg`, `image/png`, … */
  mediaType: z.string(),
  data: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
});

/** One message of a chat in the form that a model accepts. */
export const chatMessage = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content: z.string() }),
  z.strictObject({
    role: z.literal('user'),
    content: z.string(),
    pictures: z.array(picture).readonly().exactOptional(),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.string(),
    /** Goes back with the calls it led to: DeepSeek's thinking models refuse a tool loop without it. */
    reasoning: z.string().exactOptional(),
    toolCalls: z.array(toolCall).readonly().exactOptional(),
  }),
  z.strictObject({ role: z.literal('tool'), toolCallId: z.string(), name: z.string(), content: z.string() }),
]);
export type ChatMessage = z.infer<typeof chatMessage>;

/** A tool as it is offered natively. */
export const chatTool = z.strictObject({
  /** Matches `^[a-zA-Z0-9_-]{1,64}$` (docs/protocols/gateway.md#tool-names). */
  name: z.string(),
  description: z.string(),
  parameters: z.custom<JsonSchema>(),
  /** Whether the client that asks runs it itself. Not sent to servers. */
  isClients: z.boolean().exactOptional(),
});
export type ChatTool = z.infer<typeof chatTool>;

/** Why a model's reply ended. */
export const finishReason = z.enum(['stop', 'tool-calls', 'length', 'content-filter', 'other']);
export type FinishReason = z.infer<typeof finishReason>;

/** Tokens as the server counted them. */
export const chatUsage = z.strictObject({
  inputTokens: z.number().exactOptional(),
  outputTokens: z.number().exactOptional(),
});
export type ChatUsage = z.infer<typeof chatUsage>;

const headers = z.record(z.string(), z.string());
/** The request and response of one step. Credentials are masked, and very long text is truncated. */
export const chatExchange = z.strictObject({
  request: z.strictObject({ method: z.string(), url: z.string(), headers, body: z.custom<JsonValue>() }),
  /** Absent if there was no response. `body` is the body, or the lines of the stream, as received. */
  response: z.strictObject({ status: z.number(), headers, body: z.string() }).exactOptional(),
  /** ms from sending to the end. */
  durationMs: z.number(),
  /** ms to the first part of the reply. */
  firstPartMs: z.number().exactOptional(),
});
export type ChatExchange = z.infer<typeof chatExchange>;

/**
 * Why a step failed. `timeout` is the total limit or a stall, `answer` a response that is not a chat completion,
 * `too-large` an answer beyond a limit of Toolwire.
 */
export const chatModelErrorCode = z.enum([
  'cancelled',
  'timeout',
  'unreachable',
  'http',
  'answer',
  'too-large',
  'stream',
  'script',
]);
export type ChatModelErrorCode = z.infer<typeof chatModelErrorCode>;
