import { oc, type } from '@orpc/contract';
import * as z from 'zod';

import type { RemovedThing } from './types.ts';
import { id } from './fields.ts';
import type { Nothing } from './fields.ts';

/** What was removed and can still be brought back. */
export const removed = {
  /** Newest first: the last 50, of the last 7 days. */
  list: oc.output(type<RemovedThing[]>()),
  restore: oc.input(z.strictObject({ id })).output(type<RemovedThing>()),
  /** Lets one thing go for good, or all. */
  discard: oc.input(z.strictObject({ id: id.optional() })).output(type<Nothing>()),
};
