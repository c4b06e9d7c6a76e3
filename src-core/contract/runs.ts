import { oc } from '@orpc/contract';
import * as z from 'zod';

import { callDecisions, callQuestion } from './callRecords.ts';
import { callRun, series } from './calls.ts';
import { collectionRun } from './collections.ts';
import { callId } from './fields.ts';
import { parserRun } from './parser.ts';

/** What every run has: the `callId`, `seriesId` or `runId` of its input, and epoch ms. */
const facts = { id: z.string(), startedAt: z.number() };
/** A run as a window needs it to show it again. Secrets are not in it. */
const run = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('call'), input: callRun, ...facts }),
  z.strictObject({ kind: z.literal('series'), input: series, ...facts }),
  z.strictObject({ kind: z.literal('parser'), input: parserRun, ...facts }),
  z.strictObject({ kind: z.literal('collection'), input: collectionRun, ...facts }),
]);
export type RunView = z.infer<typeof run>;

/**
 * What windows started: calls (`calls.executeInPieces`), series (`calls.repeat`), runs of the Parser and of saved calls. The
 * engine owns these runs. A window that is reloaded or closed ends none of them, and follows its own again by their ids.
 */
export const runs = {
  /** Those with these ids that are running, and of each kind the last eight that ended in the last ten minutes. */
  list: oc.input(z.strictObject({ ids: z.array(callId).max(100) })).output(z.array(run)),
  /** Calls of runs that ask while no window shows their run. Each is refused after ten minutes. */
  questions: oc.output(z.array(callQuestion)),
  ...callDecisions,
};
