import { isDeepStrictEqual } from 'node:util';

import * as z from 'zod';

import { dialectSchema, sessionOptionsSchema } from '../../../contract/realtime.ts';
import type {
  RealtimeSessionInfo,
  RealtimeTimelineItem,
  RealtimeTranscriptEntry,
} from '../../../contract/types/realtime.ts';
import { describeFieldIssue } from '../../../base/describeFieldIssue.ts';
import type { JsonValue } from '../../../base/json.ts';
import { latestTime } from '../../../base/latestTime.ts';
import { RequestError } from '../../../base/requestError.ts';

const short = z.string().max(300);
const text = z.string().max(512 * 1024);
/** Epoch ms. */
const time = z.int().min(0).max(latestTime);
const count = z.int().min(0);
/** ms from the beginning of a conversation to any time in its capture: the timeline has to fit into a window. */
const longest = 366 * 24 * 3_600_000;
/** ms. */
const span = z.number().min(0).max(longest);

const info: z.ZodType<RealtimeSessionInfo> = z.object({
  id: short,
  profileId: short,
  label: short,
  dialect: dialectSchema,
  model: short,
  from: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('window') }),
    z.object({ kind: z.literal('device'), deviceId: short, name: short }),
  ]),
  state: z.enum(['connecting', 'connected', 'reconnecting', 'closed']),
  startedAt: time,
  closedAt: time.optional(),
  reason: text.optional(),
  instructions: text,
  voice: short,
  session: sessionOptionsSchema,
  // Logs of earlier versions do not have it.
  toolChoice: z.enum(['all', 'chosen']).default('chosen'),
  tools: z.array(short).max(1_000),
  droppedTools: z.array(short).max(1_000),
  plan: z.enum(['station', 'downstream']),
  inputSampleRate: count,
  outputSampleRate: count,
  speaking: z.object({ bot: z.boolean(), user: z.boolean() }),
  counts: z.object({ events: count, responses: count, calls: count }),
  latency: z.object({ last: span.optional(), p50: span.optional(), p99: span.optional(), count }),
}) as z.ZodType<RealtimeSessionInfo>;

const entry: z.ZodType<RealtimeTranscriptEntry> = z.object({
  id: short,
  who: z.enum(['user', 'bot', 'note']),
  text,
  partial: z.boolean(),
  interrupted: z.literal(true).optional(),
  heard: z.object({ ms: span, ofMs: span }).optional(),
  pictureBytes: count.optional(),
  at: time,
}) as z.ZodType<RealtimeTranscriptEntry>;

const item: z.ZodType<RealtimeTimelineItem> = z.object({
  seq: count,
  lane: z.enum(['user-audio', 'user-speech', 'bot-audio', 'response', 'tool', 'event']),
  from: time,
  to: time.optional(),
  label: short,
  state: z.enum(['running', 'ok', 'failed', 'interrupted', 'waiting']),
  latencyMs: span.optional(),
  call: z
    .object({
      callId: short,
      toolName: short,
      argumentsJson: text,
      output: text.optional(),
      isError: z.boolean().optional(),
      executionId: short.optional(),
      asksFirst: text.optional(),
    })
    .optional(),
  events: z.array(count).max(16),
}) as z.ZodType<RealtimeTimelineItem>;

/** What a capture of a conversation holds besides the events of the wire. */
const parts = { conversation: info, transcript: entry, timeline: item } as const;

/**
 * Checks a part of a capture, which anybody may have written, and returns its known fields.
 * @throws RequestError that names the line, the field and `text`.
 */
export function checkConversationPart<K extends keyof typeof parts>(
  part: K,
  value: JsonValue | undefined,
  line: number,
): z.infer<(typeof parts)[K]> {
  const read = parts[part].safeParse(value);
  // The checked copy has the order of the schema; a file without other fields is exported as it was.
  if (read.success) return (isDeepStrictEqual(value, read.data) ? value : read.data) as z.infer<(typeof parts)[K]>;
  const [issue] = read.error.issues;
  const what = issue === undefined ? '' : describeFieldIssue({ ...issue, path: [part, ...issue.path] }, `"${part}"`);
  throw new RequestError(`Line ${line} of the capture cannot be read: ${what}`, { field: 'text', cause: read.error });
}

/**
 * Checks that times of a capture, by the names of their fields, are near the beginning of its conversation.
 * @throws RequestError that names the line, the field and `text`.
 */
export function checkTimes(
  times: Readonly<Record<string, number | undefined>>,
  { startedAt, line }: { startedAt: number; line: number },
): void {
  for (const [name, at] of Object.entries(times)) {
    if (at === undefined || Math.abs(at - startedAt) <= longest) continue;
    throw new RequestError(
      `Line ${line} of the capture cannot be read: "${name}" must be within 366 days of "conversation.startedAt".`,
      { field: 'text' },
    );
  }
}
