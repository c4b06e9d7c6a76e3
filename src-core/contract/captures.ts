import { oc, type } from '@orpc/contract';
import * as z from 'zod';

import type { CaptureInfo, ReplayReport } from './types.ts';
import { id, seq } from './fields.ts';
import type { Nothing } from './fields.ts';

/** A device's log, an imported capture, a realtime conversation's log, or a shared log. Exactly one of them. */
const source = {
  deviceId: id.optional(),
  captureId: id.optional(),
  conversationId: id.optional(),
  shared: z.literal('gateway').optional(),
};

/** Captures: logs in a file (JSON lines, docs/captures.md), kept and replayed. */
export const captures = {
  /** Imported captures, newest first. */
  list: oc.output(type<CaptureInfo[]>()),
  /** A piece of the file, at most some 2 MB; ask again with `next` until there is none. */
  exportPart: oc
    .input(z.strictObject({ ...source, after: seq.optional() }))
    .output(type<{ fileName: string; text: string; next?: number }>()),
  /** Takes a file in pieces that end at line ends; the first one, without `captureId`, has the header. */
  importPart: oc
    .input(
      z.strictObject({ name: z.string().min(1).max(200), text: z.string().max(8_000_000), captureId: id.optional() }),
    )
    .output(type<{ captureId: string; frames: number }>()),
  rename: oc.input(z.strictObject({ captureId: id, name: z.string().min(1).max(200) })).output(type<Nothing>()),
  /** It can be restored, unless `forGood` is set. */
  remove: oc.input(z.strictObject({ captureId: id, forGood: z.boolean().optional() })).output(type<Nothing>()),
  /**
   * Runs the recorded tools/calls again on another device, one after the other, through the executor, and compares the
   * answers. `seqs` picks some. Calls that ask first are left out unless `confirmed`. Abort to stop.
   */
  replay: oc
    .input(
      z.strictObject({
        ...source,
        targetId: id,
        seqs: z.array(seq).max(10_000).optional(),
        confirmed: z.boolean().optional(),
      }),
    )
    .output(type<ReplayReport>()),
  /** Starts a virtual device with the recorded identity, tools and answers. */
  asVirtual: oc.input(z.strictObject({ ...source })).output(type<{ deviceId: string }>()),
};
