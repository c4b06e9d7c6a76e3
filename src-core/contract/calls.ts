import { eventIterator, oc, type } from '@orpc/contract';
import * as z from 'zod';

import type {
  CallDetail,
  CallPage,
  CallRecord,
  RecentCall,
  ResultPiece,
  RunOver,
  RunQuestion,
  SeriesFigures,
  ToolExecutionResult,
} from './types.ts';
import { callId, seq, text, timeoutMs } from './fields.ts';

const origin = z.enum(['executor', 'parser', 'cli']);
/** A call without its id, as every call by hand has it. */
const call = {
  toolName: z.string().max(1024),
  command: z.string().max(1024).optional(),
  argsJson: text,
  timeoutMs: timeoutMs.optional(),
  origin,
  rules: z.enum(['model', 'unchecked']).optional(),
  collection: z.string().min(1).max(4_096).optional(),
};

export const calls = {
  /** Ends with a result for every call that could be tried, failed ones included. Abort the request to cancel. */
  execute: oc
    .input(
      z.strictObject({
        callId,
        ...call,
        confirmed: z.boolean().optional(),
        approved: z.string().max(64).optional(),
        refused: z.strictObject({ reason: z.string().max(1_000).optional() }).optional(),
        secrets: z.record(z.string().min(1).max(128), z.string().max(65_536)).optional(),
      }),
    )
    .output(type<ToolExecutionResult>()),
  /**
   * The same for a window, as a run that the engine owns (see `runs`): it continues if the window stops listening. Long texts come
   * in pieces, so that ten megabytes do not block the page.
   */
  executeInPieces: oc
    .input(z.strictObject({ callId, ...call }))
    .output(eventIterator(type<ResultPiece | RunQuestion | RunOver>())),
  /** The stream of `executeInPieces` again, from its beginning. */
  follow: oc.input(z.strictObject({ callId })).output(eventIterator(type<ResultPiece | RunQuestion | RunOver>())),
  /** Makes one call many times, as a run that the engine owns. Sends its figures until the last ones, which are `done`. */
  repeat: oc
    .input(
      z.strictObject({
        seriesId: z.string().min(1).max(112),
        count: z.int().min(1).max(10_000),
        parallel: z.int().min(1).max(64),
        ...call,
      }),
    )
    .output(eventIterator(type<SeriesFigures | RunQuestion | RunOver>())),
  /** The newest figures of a series, then the next ones. */
  followSeries: oc
    .input(z.strictObject({ seriesId: callId }))
    .output(eventIterator(type<SeriesFigures | RunQuestion | RunOver>())),
  /** Ends a call, or a run of whatever kind. False if none of that id runs. */
  cancel: oc.input(z.strictObject({ callId })).output(type<{ cancelled: boolean }>()),
  running: oc.output(type<CallRecord[]>()),
  /** The last calls of a method, newest first, a series as one. */
  recent: oc
    .input(z.strictObject({ qualifiedName: z.string().max(1024), limit: z.int().min(1).max(100) }))
    .output(type<RecentCall[]>()),
  /** Newest first, with the beginnings of their answers; `get` has one whole. */
  history: oc
    .input(z.strictObject({ limit: z.int().min(1).max(1000), qualifiedName: z.string().max(1024).optional() }))
    .output(type<CallRecord[]>()),
  /** Looks through the whole history, newest first, a page at a time. Abort to stop. */
  search: oc
    .input(
      z.strictObject({
        text: z.string().max(1_000).optional(),
        qualifiedName: z.string().max(1024).optional(),
        source: z.enum(['builtin', 'module', 'device', 'gateway', 'mcp']).optional(),
        status: z.enum(['success', 'soft-failure', 'error']).optional(),
        from: z.int().optional(),
        to: z.int().optional(),
        before: seq.optional(),
        limit: z.int().min(1).max(500),
      }),
    )
    .output(type<CallPage>()),
  /** One call, whole, with the schema it was made against. */
  get: oc.input(z.strictObject({ callId })).output(type<CallDetail>()),
  /** The qualified names of all calls kept. */
  names: oc.output(type<string[]>()),
  /** A call as text to paste elsewhere. */
  copyAs: oc
    .input(
      z.strictObject({
        toolName: z.string().min(1).max(1024),
        argsJson: text,
        form: z.enum(['vcp', 'json-rpc', 'cli', 'code']),
      }),
    )
    .output(type<{ text: string }>()),
};
