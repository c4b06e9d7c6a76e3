/** Calls, series of calls and their results, as the window shows them. */
import { oc } from '@orpc/contract';
import * as z from 'zod';

import type { ToolExecutionResult } from '../base/calls.ts';
import type { ToolErrorCode, ToolErrorInfo } from '../base/errors.ts';
import type { JsonSchema } from '../base/json.ts';
import type { ToolProgress, ToolRound, ToolTask } from '../base/toolTypes.ts';
import { callId, nothing, sourceKind, text, toolSource } from './fields.ts';

const count = z.int().min(0);
/** Epoch ms. */
const time = z.number();

/** How a call ended. */
export const executionResult = z.custom<ToolExecutionResult>();

/** Who made a call: a pane of the window, the terminal, an external client, or another node of the cluster. */
const origin = z.enum(['executor', 'parser', 'cli', 'model', 'gateway', 'realtime', 'host', 'app', 'node']);
export type CallOrigin = z.infer<typeof origin>;

/**
 * The rules of a call by hand that are not the user's own. `model`: those of a model's call, with `agentCallable`, the
 * settings of tool calling, and arguments that are text before they are converted. `unchecked`: the arguments are not
 * checked against the method's schema.
 */
export const callRules = z.enum(['model', 'unchecked']);
export type CallRules = z.infer<typeof callRules>;

/** One call, past or running. */
export const callRecord = z.strictObject({
  callId: z.string(),
  toolId: z.string(),
  methodName: z.string(),
  qualifiedName: z.string(),
  source: toolSource,
  /** Who asked: the user in the Executor, a reply in the Parser, the terminal. */
  origin,
  /** Of a call by an MCP host, an App or another node: the name of the host, of the App's server, or of the node. */
  host: z.string().exactOptional(),
  /** Absent for a call under the rules of its origin. */
  rules: callRules.exactOptional(),
  /** JSON text of the arguments as they go out, every number as it was written. */
  argsJson: z.string(),
  startedAt: time,
  /** Epoch ms; absent while it is queued at a device, or if an older Toolwire kept the call. The timeout counts from here. */
  wentOutAt: time.exactOptional(),
  /** ms allowed. */
  timeoutMs: z.number(),
  /** How far a running call has come, if its tool reports it. */
  progress: z.custom<ToolProgress>().exactOptional(),
  /** Whether the time limit of a running call is paused: the user is asked, perhaps in another call of the same server. */
  waitsForUser: z.boolean().exactOptional(),
  /** Epoch ms from which the time limit counts again after the last wait. */
  waitedUntil: time.exactOptional(),
  /** Of a call that its source runs as a task. */
  task: z.custom<ToolTask>().exactOptional(),
  /** Set while Toolwire waits for the source of the task to connect. */
  waitsForSource: z.literal(true).exactOptional(),
  /** What the source asked during the call; at most 50. */
  rounds: z.array(z.custom<ToolRound>()).exactOptional(),
  /** Absent while the call runs. */
  result: executionResult.exactOptional(),
});
export type CallRecord = z.infer<typeof callRecord>;

/** One call of the history, whole. */
export const callDetail = callRecord.extend({
  /** The method's schema at that time; absent if an older Toolwire kept the call, or the name did not resolve. */
  inputSchema: z.custom<JsonSchema>().exactOptional(),
});
export type CallDetail = z.infer<typeof callDetail>;

/** How a call ended, for searching. `mismatch`: it succeeded, but its data does not match the `outputSchema`. */
export const historyStatus = z.enum(['success', 'soft-failure', 'mismatch', 'error']);
export type HistoryStatus = z.infer<typeof historyStatus>;

/** Which calls are looked for; what is absent does not matter. */
export const historyQuery = z.strictObject({
  /** Anywhere in the name, the arguments (as JSON) or the result; case does not matter. */
  text: z.string().max(1_000).optional(),
  qualifiedName: z.string().max(1024).optional(),
  source: sourceKind.optional(),
  status: historyStatus.optional(),
  /** Epoch ms of the start, inclusive. */
  from: z.int().optional(),
  /** Epoch ms of the start, exclusive. */
  to: z.int().optional(),
  /** Only calls before this one, by `seq`: the last one of the page before. */
  before: count.optional(),
});
export type HistoryQuery = z.infer<typeof historyQuery>;

/** A call that was found: enough for a row of a list. */
export const historyFound = z.strictObject({
  /** Grows with each call. */
  seq: count,
  ...callRecord.pick({
    callId: true,
    qualifiedName: true,
    source: true,
    origin: true,
    host: true,
    rules: true,
    startedAt: true,
  }).shape,
  /** ms. */
  durationMs: z.number(),
  status: historyStatus,
  /** Set if it failed. */
  errorCode: z.string().exactOptional(),
  /** The short details of the error. */
  errorFacts: z.record(z.string().max(64), z.union([z.string().max(256), z.number(), z.boolean()])).exactOptional(),
  /** The beginnings: JSON of the arguments, text of the result. */
  args: z.string(),
  result: z.string(),
  /** Of a call that ran at another node, or is in the history of another one. `isHere`: this node has it, too. */
  node: z.strictObject({ name: z.string(), isHere: z.boolean() }).exactOptional(),
});
export type HistoryFound = z.infer<typeof historyFound>;

/** Durations of the calls of a series, in ms, each from when it was sent. Percentiles by nearest rank. */
const seriesDurations = z.strictObject({
  min: z.number(),
  p50: z.number(),
  p95: z.number(),
  p99: z.number(),
  max: z.number(),
  /**
   * The distribution of the durations: bar `i` counts the calls from `min + i * widthMs` on; the last one includes all
   * longer calls.
   */
  bars: z.array(count),
  widthMs: z.number(),
});
export type SeriesDurations = z.infer<typeof seriesDurations>;

/** The current figures of a series. */
export const seriesFigures = z.strictObject({
  seriesId: z.string(),
  count,
  /** Number of calls at the same time; absent if the figures come only from the history. */
  parallel: count.exactOptional(),
  /** Calls that have ended, with any outcome. */
  ended: count,
  /** Calls that succeeded, including `softFailures` and `mismatches`. */
  succeeded: count,
  /** Calls whose result reports a failure. */
  softFailures: count,
  /** Calls whose data does not match the `outputSchema`. */
  mismatches: count,
  /** Failures by code, the most frequent first, with the last call of each kind. Cancelled calls are not included. */
  errors: z.array(z.strictObject({ code: z.custom<ToolErrorCode>(), count, callId: z.string() })),
  /** The calls that succeeded and took longest, the longest first; five at most. */
  slowest: z.array(z.strictObject({ callId: z.string(), durationMs: z.number() })),
  /** Calls that were cancelled under way. */
  cancelled: count,
  startedAt: time,
  elapsedMs: z.number(),
  /** Ended calls a second, since the start. */
  perSecond: z.number(),
  /** Of the calls that succeeded; absent until one has. */
  durations: seriesDurations.exactOptional(),
  /** No call is running any more. */
  done: z.boolean(),
  /** Why it ended before its last call: every further call would have ended the same way. */
  stopped: z.custom<ToolErrorInfo>().exactOptional(),
});
export type SeriesFigures = z.infer<typeof seriesFigures>;

/** A call of the history, or a series as one. */
export const recentCall = z.strictObject({
  /** With the beginning of its answer, and without blocks. For a series, its newest call. */
  call: callDetail,
  /** For a series: all of its calls that the history still has. */
  figures: seriesFigures.optional(),
});
export type RecentCall = z.infer<typeof recentCall>;

/** A text of a result that is sent after it: which one, and its length in UTF-16 units. */
const longText = z.strictObject({
  /** Of which content block; absent for a text of the result itself. */
  block: count.exactOptional(),
  member: z.enum(['result', 'structuredContent', 'text', 'data', 'blob']),
  length: count,
});
export type LongText = z.infer<typeof longText>;

/**
 * A result in parts: first `result`, whose long texts are empty, with `long`, which describes them; then these texts, one
 * after the other, in pieces.
 */
export const resultPiece = z.union([
  z.strictObject({ result: executionResult, long: z.array(longText) }),
  z.strictObject({ text: z.string() }),
]);
export type ResultPiece = z.infer<typeof resultPiece>;

/**
 * A call or a series asks the user before the tool is called: the question, then the decision and when it came (epoch ms). After a no
 * the run is over.
 */
export const runQuestion = z.union([
  z.strictObject({ question: z.strictObject({ danger: z.string().exactOptional() }) }),
  z.strictObject({ allowed: z.boolean(), at: time }),
]);
export type RunQuestion = z.infer<typeof runQuestion>;

/** A call that asks the user before it runs: of a gateway or realtime model, or of a run that no window shows any more. */
export const callQuestion = z.strictObject({
  /** Id of the call in the Executor's history; of a series, its own id. */
  callId: z.string(),
  toolId: z.string(),
  methodName: z.string(),
  /** JSON text of the arguments, every number as it was written. */
  argsJson: z.string(),
  /** The rules of a call by hand; absent: the user's own. */
  rules: callRules.exactOptional(),
  /** How often a series would make the call. */
  count: count.exactOptional(),
  /** Why the call can do harm; absent if every call asks. */
  danger: z.string().exactOptional(),
  /** Name of the MCP host that calls. */
  host: z.string().exactOptional(),
  /** Id of the Parser's run that makes the call. */
  runId: z.string().exactOptional(),
  askedAt: time,
  /** Epoch ms at which it counts as refused. */
  expiresAt: time,
});
export type CallQuestion = z.infer<typeof callQuestion>;

/** The procedures of whatever asks the user about calls. */
export const callDecisions = {
  /** The user's decision, perhaps with other arguments; a model gets the reason of a rejection. */
  decide: oc
    .input(
      z.strictObject({
        callId,
        allowed: z.boolean(),
        reason: z.string().max(4_000).optional(),
        argsJson: text.optional(),
      }),
    )
    .output(nothing),
  /** The user is working on a call that asks: it waits another minute, ten in all. A run that no window shows waits ten minutes from now. */
  attend: oc.input(z.strictObject({ callId })).output(nothing),
};
