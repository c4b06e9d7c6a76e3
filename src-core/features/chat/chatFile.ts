import * as z from 'zod';

import { cloneJson } from '../../base/cloneJson.ts';
import { latestTime } from '../../base/latestTime.ts';
import { chatOptions, chatProtocol, chatStop } from '../../contract/chat.ts';
import { finishReason } from '../../contract/chatMessages.ts';

/** The format's name and version (docs/chat.md). */
export const chatFileFormat = 'toolwire-chat';
export const chatFileVersion = 1;

const id = z.string().min(1).max(512);
/** Names and ids in calls are texts of the model, of any length. */
const text = z.string().max(4_000_000);
const count = z.number().min(0).max(Number.MAX_SAFE_INTEGER);
const time = z.int().min(0).max(latestTime);
const list = <T extends z.ZodType>(of: T, most: number) => z.array(of).max(most);

/** Any JSON object of limited depth. Its keys are data. */
const object = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && 'value' in cloneJson(value),
  'must be a JSON object, nested at most 200 levels deep',
);

/** Arguments, validated further when they are read: they may hold numbers that JavaScript cannot represent. */
const args = z.record(z.string(), z.unknown());

const issue = z.strictObject({
  path: text,
  parameter: text,
  message: text,
  remedy: z.union([z.string(), z.number(), z.boolean()]).exactOptional(),
});

const result = z.strictObject({
  requestId: text,
  toolName: text,
  status: z.enum(['success', 'error']),
  result: text,
  durationMs: count,
  error: z
    .strictObject({
      code: z.string().regex(/^[a-z-]{1,40}$/, 'must be a code such as "unknown-tool"'),
      message: text,
      candidates: list(text, 100).exactOptional(),
      issues: list(issue, 100).exactOptional(),
      details: object.exactOptional(),
    })
    .exactOptional(),
  content: list(object, 1_000).exactOptional(),
  structuredContent: text.exactOptional(),
  outputIssues: list(issue, 100).exactOptional(),
  outputUnchecked: text.exactOptional(),
  softFailure: object.exactOptional(),
  remark: text.exactOptional(),
});

const call = z.strictObject({
  id,
  requestId: text,
  toolName: text,
  command: text.exactOptional(),
  qualifiedName: text.exactOptional(),
  toolId: text.exactOptional(),
  methodName: text.exactOptional(),
  range: z.strictObject({ start: count, end: count }).exactOptional(),
  argumentsText: text.exactOptional(),
  askedArgs: args,
  args,
  edited: z.boolean().exactOptional(),
  danger: text.exactOptional(),
  state: z.enum(['done', 'refused', 'cancelled']),
  approvedBy: z.enum(['auto', 'person', 'always']).exactOptional(),
  callId: id.exactOptional(),
  startedAt: time.exactOptional(),
  result,
});

const userEntry = z.strictObject({ id, role: z.literal('user'), createdAt: time, text });

const assistantEntry = z.strictObject({
  id,
  role: z.literal('assistant'),
  createdAt: time,
  step: z.int().min(1).max(10_000),
  state: z.literal('ended'),
  modelId: id,
  modelName: text,
  protocol: chatProtocol,
  text,
  raw: text.exactOptional(),
  withoutReasoning: text.exactOptional(),
  reasoning: text.exactOptional(),
  calls: list(call, 100),
  skippedCalls: count.exactOptional(),
  remarks: list(object, 100).exactOptional(),
  skippedRemarks: count.exactOptional(),
  finishReason: finishReason.exactOptional(),
  usage: z.strictObject({ inputTokens: count.exactOptional(), outputTokens: count.exactOptional() }).exactOptional(),
  promptTokens: z.strictObject({ system: count, tools: count, history: count, message: count, total: count }),
  replyTokens: count,
  stoppedBecause: chatStop.exactOptional(),
  failure: z.strictObject({ code: text, message: text, details: object.exactOptional() }).exactOptional(),
});

/** A chat as a file holds it: known fields only, everything bounded. */
export const chatFileSchema = z.strictObject({
  format: z.literal(chatFileFormat),
  version: z.literal(chatFileVersion),
  exportedAt: z.iso.datetime(),
  title: z.string().max(200),
  options: chatOptions,
  entries: list(z.discriminatedUnion('role', [userEntry, assistantEntry]), 10_000),
});
