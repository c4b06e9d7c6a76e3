import { oc } from '@orpc/contract';
import * as z from 'zod';

import { callId, id, nothing, seq } from './fields.ts';

/** The source of a capture, other than a device. */
const captureOrigin = z.enum(['gateway', 'realtime', 'mcp']);
export type CaptureOrigin = z.infer<typeof captureOrigin>;

/** An imported capture. */
const captureInfo = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** Epoch ms of the import, and of the export before it. */
  createdAt: z.number(),
  exportedAt: z.number(),
  /** The device that was recorded; depending on `origin`, the gateway, the conversation or the MCP server. */
  device: z.strictObject({
    name: z.string(),
    deviceId: z.string(),
    board: z.string().exactOptional(),
    firmware: z.string().exactOptional(),
  }),
  /** What was recorded; a device if absent. */
  origin: captureOrigin.exactOptional(),
  frames: z.number(),
  /** Characters of its texts. */
  size: z.number(),
  /** Epoch ms of the first and the last frame. */
  firstAt: z.number().exactOptional(),
  lastAt: z.number().exactOptional(),
  toolCount: z.number(),
  callCount: z.number(),
});
export type CaptureInfo = z.infer<typeof captureInfo>;

const recorded = z.strictObject({ text: z.string(), isError: z.boolean(), durationMs: z.number().exactOptional() });

/** One recorded call, run again. */
const replayedCall = z.strictObject({
  /** Of the recorded request. */
  seq,
  toolName: z.string(),
  argsJson: z.string(),
  /** `same`, `different`: how the two answers compare. `not-there`: the device or server has no such tool. `asks-first`: skipped. */
  verdict: z.enum(['same', 'different', 'error', 'not-there', 'asks-first']),
  recorded: recorded.exactOptional(),
  now: recorded.extend({ durationMs: z.number() }).exactOptional(),
});
export type ReplayedCall = z.infer<typeof replayedCall>;

/** The results of a replay, in the order of the recording. */
const replayReport = z.strictObject({
  calls: z.array(replayedCall),
  /** Set if it was stopped early: the calls after that are missing. */
  stopped: z.literal(true).exactOptional(),
});
export type ReplayReport = z.infer<typeof replayReport>;

/** The log of a device, an MCP server or a realtime conversation, an imported capture, or a shared log. Exactly one of them. */
const source = {
  deviceId: id.optional(),
  serverId: id.optional(),
  captureId: id.optional(),
  conversationId: id.optional(),
  shared: z.literal('gateway').optional(),
};

/** Captures: logs in a file (JSON lines, docs/captures.md), kept and replayed. */
export const captures = {
  /** Imported captures, newest first. */
  list: oc.output(z.array(captureInfo)),
  /** A piece of the file, at most some 2 MB; ask again with `next` until there is none. */
  exportPart: oc
    .input(z.strictObject({ ...source, after: seq.optional() }))
    .output(z.strictObject({ fileName: z.string(), text: z.string(), next: seq.exactOptional() })),
  /** Takes a file in pieces that end at line ends; the first one, without `captureId`, has the header. */
  importPart: oc
    .input(
      z.strictObject({ name: z.string().min(1).max(200), text: z.string().max(8_000_000), captureId: id.optional() }),
    )
    .output(z.strictObject({ captureId: z.string(), frames: z.number() })),
  rename: oc.input(z.strictObject({ captureId: id, name: z.string().min(1).max(200) })).output(nothing),
  /** It can be restored, unless `forGood` is set. */
  remove: oc.input(z.strictObject({ captureId: id, forGood: z.boolean().optional() })).output(nothing),
  /**
   * Runs the recorded tools/calls of a device again on another device, and those of an MCP server on a server, one after the
   * other, through the executor, and compares the answers. `targetId` is that of the device or the server. `seqs` picks some. Calls that ask first are skipped unless `confirmed`. `callId` is that of the first call; `origin` is that of all, by default the Executor. Abort to stop after the running call.
   */
  replay: oc
    .input(
      z.strictObject({
        ...source,
        targetId: id,
        seqs: z.array(seq).max(10_000).optional(),
        confirmed: z.boolean().optional(),
        callId: callId.optional(),
        origin: z.enum(['executor', 'cli']).optional(),
      }),
    )
    .output(replayReport),
  /** Starts a virtual device with the recorded identity, tools and answers. */
  asVirtual: oc.input(z.strictObject({ ...source })).output(z.strictObject({ deviceId: z.string() })),
};
