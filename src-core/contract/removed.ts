import { oc } from '@orpc/contract';
import * as z from 'zod';

import { id, nothing } from './fields.ts';

/** The kinds of items in the trash. `key` is that of a model, `gatewayLog` the log of all clients, `serverLog` that of the MCP server, `server`. */
export const removedKind = z.enum([
  'chat',
  'capture',
  'file',
  'log',
  'device',
  'picture',
  'realtime',
  'model',
  'realtimeModel',
  'key',
  'gatewayLog',
  'serverLog',
  'server',
]);
export type RemovedKind = z.infer<typeof removedKind>;

/** A removed item that can be restored. */
const removedThing = z.strictObject({
  id: z.string(),
  kind: removedKind,
  name: z.string(),
  /** Epoch ms. */
  at: z.number(),
  /** Of a file its folder, of a key the secret's name, else the id of what it is, or of the device or server whose log it is. */
  of: z.string(),
  /** Of a file. */
  file: z.string().exactOptional(),
  /** It is kept only in memory, until Toolwire closes. */
  untilClosed: z.literal(true).exactOptional(),
});
export type RemovedThing = z.infer<typeof removedThing>;

/** Removed items that can be restored. */
export const removed = {
  /** Newest first: those of the last 7 days, of each kind at most 640 (10,240 devices). */
  list: oc.output(z.array(removedThing)),
  restore: oc.input(z.strictObject({ id })).output(removedThing),
  /** Deletes one item permanently, or all. */
  discard: oc.input(z.strictObject({ id: id.optional() })).output(nothing),
};
