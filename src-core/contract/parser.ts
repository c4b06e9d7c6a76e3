import { eventIterator, oc } from '@orpc/contract';
import * as z from 'zod';

import type { ArgumentIssue, ToolErrorInfo } from '../base/errors.ts';
import type { ReplyReading } from '../base/replyTypes.ts';
import { chatCall } from './chat.ts';
import { callId, decision, dialect, id, nothing, runOver, text, toolSource } from './fields.ts';

const count = z.int().min(0);

/** How an argument of a parsed call would be sent. */
const argumentPreview = z.strictObject({
  name: z.string(),
  /** As written in the text; absent if the schema asks for it and the call has none. */
  raw: z.string().exactOptional(),
  /** JSON text. */
  valueJson: z.string().exactOptional(),
  /** Type the schema asks for. */
  type: z.string(),
  /** `default-not-sent`: omitted; the tool declares the default that it then uses. */
  verdict: z.enum(['ok', 'converted', 'invalid', 'unknown', 'missing', 'default-not-sent']),
  /** It is missing, and VCP cannot pass a parameter of this name. */
  isUncarried: z.literal(true).exactOptional(),
});
export type ArgumentPreview = z.infer<typeof argumentPreview>;

/** Which registered method a name in the text means. */
const resolution = z.discriminatedUnion('ok', [
  z.strictObject({
    ok: z.literal(true),
    toolId: z.string(),
    methodName: z.string(),
    qualifiedName: z.string(),
    toolName: z.string(),
    source: toolSource,
    agentCallable: z.boolean(),
  }),
  z.strictObject({ ok: z.literal(false), error: z.custom<ToolErrorInfo>() }),
]);
export type ResolutionView = z.infer<typeof resolution>;

/** One call that would run, resolved against what is registered right now. */
const parsedCall = z.strictObject({
  /** Index into `requests`. */
  request: count,
  requestId: z.string(),
  toolName: z.string(),
  command: z.string().exactOptional(),
  resolution,
  arguments: z.array(argumentPreview),
  /** The problems of the arguments, with their paths. Absent if the method is unknown. */
  issues: z.array(z.custom<ArgumentIssue>()).exactOptional(),
  /** JSON text of the converted arguments, ready for the Executor; every number as it was written. */
  argsJson: z.string(),
});
export type ParsedCallView = z.infer<typeof parsedCall>;

/**
 * What a text holds: its parts as they were read, and its calls as they would be sent, one per call; a serial block
 * yields several.
 */
const report = z.custom<ReplyReading>().and(z.object({ calls: z.array(parsedCall) }));
export type ParseReport = z.infer<typeof report>;

/**
 * An event of a run of a text's calls: a call has changed, by its index among the report's; at the end the feedback.
 */
const runEvent = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('call'), index: count, call: chatCall }),
  z.strictObject({
    kind: z.literal('end'),
    /** What a chat would send to the model. */
    feedback: z.string(),
  }),
]);
export type ParserRunEvent = z.infer<typeof runEvent>;
const runEvents = z.union([runEvent, runOver]);

/** A run of the calls of a text, or of the one with that index. */
export const parserRun = z.strictObject({ runId: callId, text, call: count.optional() });
export type ParserRunInput = z.infer<typeof parserRun>;

export const parser = {
  parse: oc.input(z.strictObject({ text, dialect: dialect.optional() })).output(report),
  /** Runs all calls of a text, or one, by the saved settings, as a run that the engine owns. `calls.cancel` ends it. */
  run: oc.input(parserRun).output(eventIterator(runEvents)),
  /** The newest state of each call of a run, then what follows. */
  follow: oc.input(z.strictObject({ runId: callId })).output(eventIterator(runEvents)),
  /** The user's decision on a call of a run that waits. */
  decide: oc.input(z.strictObject({ callId: id, decision })).output(nothing),
};
