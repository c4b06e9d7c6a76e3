import { oc } from '@orpc/contract';
import * as z from 'zod';

import { id, nothing } from './fields.ts';

/** A picture that a device sent: with a question of its camera, or of its screen. */
const visionRequest = z.strictObject({
  id: z.string(),
  /** The hub's id; absent if the request does not identify a device. */
  deviceId: z.string().exactOptional(),
  deviceName: z.string().exactOptional(),
  /** The call of a tool that was running on the device; absent if there was none, or more than one. */
  callId: z.string().exactOptional(),
  kind: z.enum(['explain', 'snapshot']),
  /** Epoch ms. */
  at: z.number(),
  question: z.string().exactOptional(),
  mediaType: z.string(),
  bytes: z.number(),
  /** `waiting`: the user is asked; `expired`: there was no answer in time. */
  state: z.enum(['waiting', 'answered', 'expired', 'failed']),
  /** While it waits for the user: its deadline, epoch ms; the device stops waiting soon after. */
  waitsUntil: z.number().exactOptional(),
  answer: z.string().exactOptional(),
  answeredBy: z.enum(['model', 'hand', 'canned']).exactOptional(),
  /** Why there is no answer, if answering failed. */
  error: z.string().exactOptional(),
});
export type VisionRequest = z.infer<typeof visionRequest>;

/** Pictures that devices sent, and the answers to their questions (docs/protocols/xiaozhi.md#vision). */
export const vision = {
  /** Newest first; the last 100. */
  list: oc.output(z.array(visionRequest)),
  /** The picture as it was received. */
  picture: oc.input(z.strictObject({ id })).output(z.strictObject({ mediaType: z.string(), base64: z.string() })),
  /** Answers a question that waits for the user. */
  answer: oc.input(z.strictObject({ id, text: z.string().min(1).max(4_000) })).output(nothing),
  /** Asks a device for a picture of its screen (`self.screen.snapshot`), sent to our own address. */
  snapshot: oc
    .input(z.strictObject({ deviceId: id, quality: z.int().min(1).max(100).optional() }))
    .output(z.strictObject({ id: z.string() })),
  remove: oc.input(z.strictObject({ id })).output(nothing),
};
