import * as z from 'zod';

import { cloneJson, maximumJsonDepth } from '../base/cloneJson.ts';
import type { ToolSource } from '../base/toolTypes.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';

z.config({ jitless: true });

/** An id that the engine gave out. */
export const id = z.string().min(1).max(512);
/** An id that the caller generates for one call. */
export const callId = z.string().min(1).max(128);
/** 20 M code units: far over any reply, and still parsed in a blink. */
export const text = z.string().max(20_000_000);
export const timeoutMs = z.int().min(1).max(3_600_000);
/** How a model's reply is read. */
export const dialect = z.enum(['auto', 'standard', 'vcptoolbox', 'vcptoolbox-fuzzy', 'aiohub', 'json']);
export const sourceKind = z.enum(['builtin', 'module', 'device', 'gateway', 'mcp']);
export const toolSource: z.ZodType<ToolSource> = z.strictObject({
  kind: sourceKind,
  id: z.string(),
  label: z.string(),
  node: z.string().exactOptional(),
});
/** A sequence number from which frames and rows are requested. */
export const seq = z.int().min(0);
/** The user's decision on a call that waits. */
export const decision = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('approve'),
    /** JSON text of the arguments to send instead. */
    argsJson: text.optional(),
    /** Every later call of this method, too, for the rest of the chat or of the run. */
    always: z.boolean().optional(),
  }),
  z.strictObject({ action: z.literal('refuse'), reason: z.string().max(4_000).optional() }),
]);
/** A JSON value, nested at most `maximumJsonDepth` levels deep, of at most so many characters of JSON. */
export function json(maxLength: number): z.ZodType<JsonValue> {
  return z
    .custom<JsonValue>((value) => 'value' in cloneJson(value), {
      error: `must be JSON that is nested at most ${maximumJsonDepth} levels deep`,
      abort: true,
    })
    .refine((value) => JSON.stringify(value).length <= maxLength, `must be at most ${maxLength} characters of JSON`);
}
/** `json` that is an object. */
export function jsonObject(maxLength: number): z.ZodType<JsonObject> {
  return json(maxLength).refine(isJsonObject, 'must be an object');
}
/** The last event of every run. If a stream ends without it, the connection was lost: follow the run again. */
export const runOver = z.strictObject({ over: z.literal(true) });
export type RunOver = z.infer<typeof runOver>;
/** What a procedure without a value answers. */
export const nothing = z.strictObject({});
export type Nothing = z.infer<typeof nothing>;
