import { eventIterator, oc, type } from '@orpc/contract';
import * as z from 'zod';

import type { ParserRunEvent, ParseReport, RunOver } from './types.ts';
import { callId, decision, dialect, id, text, type Nothing } from './fields.ts';

export const parser = {
  parse: oc.input(z.strictObject({ text, dialect: dialect.optional() })).output(type<ParseReport>()),
  /** Runs all calls of a text, or one, by the saved settings, as a run that the engine owns. `calls.cancel` ends it. */
  run: oc
    .input(z.strictObject({ runId: callId, text, call: z.int().min(0).optional() }))
    .output(eventIterator(type<ParserRunEvent | RunOver>())),
  /** The newest state of each call of a run, then what follows. */
  follow: oc.input(z.strictObject({ runId: callId })).output(eventIterator(type<ParserRunEvent | RunOver>())),
  /** The user's decision on a call of a run that waits. */
  decide: oc.input(z.strictObject({ callId: id, decision })).output(type<Nothing>()),
};
