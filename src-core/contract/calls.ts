import { eventIterator, oc } from '@orpc/contract';
import * as z from 'zod';

import {
  callDetail,
  callRecord,
  callRules,
  executionResult,
  recentCall,
  resultPiece,
  runQuestion,
  seriesFigures,
} from './callRecords.ts';
import { callPage, callSearch } from './cluster.ts';
import { callId, runOver, text, timeoutMs } from './fields.ts';

const qualifiedName = z.string().max(1024);

/** A call of the user as a run. It asks first if it must. Its arguments contain no secrets, because windows show them. */
export const callRun = z.strictObject({
  /** Created by the caller, so that it can follow the call in events and in the wire log. */
  callId,
  /** `toolId_methodName`, or a tool id with `command`. */
  toolName: z.string().max(1024),
  command: z.string().max(1024).optional(),
  /** JSON text of the arguments object, exactly as it is to be sent. */
  argsJson: text,
  /** Defaults to that of the settings. */
  timeoutMs: timeoutMs.optional(),
  origin: z.enum(['executor', 'parser', 'cli']),
  rules: callRules.optional(),
  /** Runs the call as a task if its MCP server supports tasks. A task continues while Toolwire is closed. */
  asTask: z.boolean().optional(),
  /** The folder of the open collection that resolves `{{$secret:NAME}}`, if the secrets are not among the arguments yet. */
  collection: z.string().min(1).max(4_096).optional(),
});
export type CallRunInput = z.infer<typeof callRun>;

/** The user's answer before the call is made. */
const answer = {
  /** The user has confirmed a dangerous call, or a call in a mode in which every call asks. */
  confirmed: z.boolean().optional(),
  /**
   * The user was asked about this method and said yes: `details.asked` of the error `confirmation-required`. If the
   * name now means another method, or the method has changed, the call ends as `tool-changed`.
   */
  approved: z.string().max(64).optional(),
};

/** One call by hand. */
const execution = callRun.extend({
  ...answer,
  /** The user was asked and said no: the call ends as `not-authorized` before its tool is called, for the history. */
  refused: z.literal(true).optional(),
  /** Refuses a method that is withheld, because its definition is not accepted. */
  onlyAccepted: z.boolean().optional(),
  /** Secrets among the arguments, by name: what is kept of the call has `{{$secret:NAME}}` in their place. */
  secrets: z.record(z.string().min(1).max(128), z.string().max(65_536)).optional(),
});
export type ExecuteInput = z.infer<typeof execution>;

/** One call, many times. */
export const series = callRun.omit({ callId: true }).extend({
  /** Created by the caller. The calls are `seriesId.1`, `seriesId.2` …; `calls.cancel` with this id ends them all. */
  seriesId: z.string().min(1).max(112),
  /** How often. */
  count: z.int().min(1).max(10_000),
  /** Number of calls at the same time. */
  parallel: z.int().min(1).max(64),
});
export type SeriesInput = z.infer<typeof series>;
/** A series that the user has been asked about. */
export type RepeatInput = SeriesInput & Pick<ExecuteInput, keyof typeof answer>;

/** What a call can be copied as. */
const form = z.enum(['vcp', 'mcp', 'json-rpc', 'openai', 'cli', 'code']);
export type CallForm = z.infer<typeof form>;

const resultEvents = z.union([resultPiece, runQuestion, runOver]);
const seriesEvents = z.union([seriesFigures, runQuestion, runOver]);

export const calls = {
  /** Ends with a result for every call that could be tried, failed ones included. Abort the request to cancel. */
  execute: oc.input(execution).output(executionResult),
  /**
   * The same for a window, as a run that the engine owns (see `runs`): it continues if the window stops listening. Long texts come
   * in pieces, so that ten megabytes do not block the page.
   */
  executeInPieces: oc.input(callRun).output(eventIterator(resultEvents)),
  /** The stream of `executeInPieces` again, from its beginning. */
  follow: oc.input(z.strictObject({ callId })).output(eventIterator(resultEvents)),
  /** Makes one call many times, as a run that the engine owns. Sends its figures until the last ones, which are `done`. */
  repeat: oc.input(series).output(eventIterator(seriesEvents)),
  /** The newest figures of a series, then the next ones. */
  followSeries: oc.input(z.strictObject({ seriesId: callId })).output(eventIterator(seriesEvents)),
  /** Ends a call, or a run of whatever kind. False if none of that id runs. */
  cancel: oc.input(z.strictObject({ callId })).output(z.strictObject({ cancelled: z.boolean() })),
  running: oc.output(z.array(callRecord)),
  /** The last calls of a method, newest first, a series as one. */
  recent: oc.input(z.strictObject({ qualifiedName, limit: z.int().min(1).max(100) })).output(z.array(recentCall)),
  /** Newest first, with the beginnings of their answers; `get` has one whole. */
  history: oc
    .input(z.strictObject({ limit: z.int().min(1).max(1000), qualifiedName: qualifiedName.optional() }))
    .output(z.array(callRecord)),
  /**
   * Looks through the whole history, that of other nodes too, a page at a time, the calls that ended last first. On a page, the one that
   * began last is first. Abort to stop.
   */
  search: oc.input(callSearch).output(callPage),
  /** One complete call, with the schema that it was checked against. */
  get: oc.input(z.strictObject({ callId })).output(callDetail),
  /** The qualified names of all calls kept. */
  names: oc.output(z.array(z.string())),
  /** A call as text to paste elsewhere. */
  copyAs: oc
    .input(z.strictObject({ toolName: z.string().min(1).max(1024), argsJson: text, form }))
    .output(z.strictObject({ text: z.string() })),
};
