import { eventIterator, oc, type } from '@orpc/contract';
import * as z from 'zod';

import type { ParserRunEvent, ParseReport } from '../types.ts';
import { decision, dialect, id, text, type Nothing } from './fields.ts';

export const parser = {
  parse: oc.input(z.strictObject({ text, dialect: dialect.optional() })).output(type<ParseReport>()),
  /** Runs all calls of a text, or one, by the saved settings. Stop listening to cancel. */
  run: oc
    .input(z.strictObject({ text, call: z.int().min(0).optional() }))
    .output(eventIterator(type<ParserRunEvent>())),
  /** The user's decision on a call of a run that waits. */
  decide: oc.input(z.strictObject({ callId: id, decision })).output(type<Nothing>()),
};
