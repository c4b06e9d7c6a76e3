import { oc, type } from '@orpc/contract';
import * as z from 'zod';

import type { RemovedThing } from './types.ts';
import { id } from './fields.ts';
import type { Nothing } from './fields.ts';

/** Removed items that can be restored. */
export const removed = {
  /** Newest first: the last 50, of the last 7 days. */
  list: oc.output(type<RemovedThing[]>()),
  restore: oc.input(z.strictObject({ id })).output(type<RemovedThing>()),
  /** Deletes one item permanently, or all. */
  discard: oc.input(z.strictObject({ id: id.optional() })).output(type<Nothing>()),
};
