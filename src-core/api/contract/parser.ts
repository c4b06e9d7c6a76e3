import { oc, type } from '@orpc/contract';
import * as z from 'zod';

import type { CycleReport, ParseReport } from '../types.ts';
import { dialect, text } from './fields.ts';

export const parser = {
  parse: oc.input(z.strictObject({ text, dialect: dialect.optional() })).output(type<ParseReport>()),
  /** Parses, runs what was found by the saved ToolCallConfig, and formats the results. Abort to cancel. */
  runCycle: oc.input(z.strictObject({ text, confirmed: z.boolean().optional() })).output(type<CycleReport>()),
};
