import { oc, type } from '@orpc/contract';
import * as z from 'zod';

import type { VisionRequest } from './types.ts';
import { id } from './fields.ts';
import type { Nothing } from './fields.ts';

/** Pictures that devices sent, and the answers to their questions (docs/protocols/xiaozhi.md#vision). */
export const vision = {
  /** Newest first; the last 100. */
  list: oc.output(type<VisionRequest[]>()),
  /** The picture as it came. */
  picture: oc.input(z.strictObject({ id })).output(type<{ mediaType: string; base64: string }>()),
  /** Answers a question that waits for the user. */
  answer: oc.input(z.strictObject({ id, text: z.string().min(1).max(4_000) })).output(type<Nothing>()),
  /** Asks a device for a picture of its screen (`self.screen.snapshot`), sent to our own address. */
  snapshot: oc
    .input(z.strictObject({ deviceId: id, quality: z.int().min(1).max(100).optional() }))
    .output(type<{ id: string }>()),
  remove: oc.input(z.strictObject({ id })).output(type<Nothing>()),
};
