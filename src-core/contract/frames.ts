import { eventIterator, oc } from '@orpc/contract';
import * as z from 'zod';

import { callId, id, nothing, seq } from './fields.ts';

const frameSource = z.enum(['device', 'gateway', 'realtime', 'mcp', 'host']);
/** The kind of connection of a frame: a device, a client of the gateway, a conversation with a realtime model, an MCP server, or an MCP host or endpoint. */
export type FrameSource = z.infer<typeof frameSource>;

/** A frame or an event of a connection, without its text. What peers sent is untrusted. */
const frameRow = z.strictObject({
  source: frameSource,
  /** The hub's id of a device (in a capture, its Device-Id), the id of a connection of the gateway, of a conversation, of an MCP server, or of a host (`endpoint:<id>` of an endpoint). */
  connection: z.string(),
  /** Larger than that of each earlier frame of any source. */
  seq: z.number(),
  /** Epoch ms. */
  at: z.number(),
  direction: z.enum(['in', 'out']),
  kind: z.enum(['open', 'text', 'binary', 'close', 'note']),
  /** The message's type; `invalid` if it could not be read. */
  type: z.string(),
  /** Of a device's frame: its role in JSON-RPC, if it has one. */
  role: z.enum(['request', 'answer', 'notification']).exactOptional(),
  /** Method of a JSON-RPC request, also on its answer; of a conversation's event, the id of its response. */
  method: z.string().exactOptional(),
  /** Method or type, in a few words; of a conversation's event, the id of its item. */
  summary: z.string(),
  /** On the end of a connection: the request that asked the device to leave, which gets no answer. */
  rpcId: z.number().exactOptional(),
  /** Of MCP outside a call: the id of JSON-RPC if it is a text, in quotes. */
  callId: z.string().exactOptional(),
  /** Size on the wire. */
  bytes: z.number(),
  /** ms. On an answer: since its request was sent. On a run of binary frames: from the first to the last. */
  durationMs: z.number().exactOptional(),
  /** It reports a failure; a conversation's event: its type is unknown. */
  failed: z.boolean().exactOptional(),
});
export type FrameRow = z.infer<typeof frameRow>;

/** A row with its text. */
const frame = frameRow.extend({
  /** As it was sent, truncated if it is very long. Secrets are masked. */
  text: z.string().exactOptional(),
  /** Set if `text` is truncated. */
  cut: z.boolean().exactOptional(),
  /** Of a message over HTTP. Secrets in headers are masked. */
  http: z
    .strictObject({
      method: z.string(),
      status: z.number().exactOptional(),
      headers: z.record(z.string(), z.string()),
    })
    .exactOptional(),
});
export type Frame = z.infer<typeof frame>;

/** A part of a log, oldest first. `firstSeq` shows what the limit has dropped; it exceeds `lastSeq` if the log is empty. */
const framePage = z.strictObject({ rows: z.array(frameRow), firstSeq: z.number(), lastSeq: z.number() });
export type FramePage = z.infer<typeof framePage>;

/** `more`: the next page follows immediately. */
const frameBatch = framePage.extend({ more: z.boolean() });
export type FrameBatch = z.infer<typeof frameBatch>;

/** Exactly one of `source` and `captureId`. Without `connection`: all of the source or of the capture. */
const logName = { source: frameSource.optional(), connection: id.optional(), captureId: id.optional() };
export interface LogName {
  source?: FrameSource | undefined;
  connection?: string | undefined;
  /** An imported capture. */
  captureId?: string | undefined;
}

/** One log of the frames of all connections, and the captures imported from such logs. */
export const frames = {
  /**
   * The rows after `afterSeq`, then each new row as it is recorded, in batches. If `firstSeq` decreases, frames were
   * restored: subscribe again from the beginning. `callId`: only those of a call, of whatever source, as `ofCall` returns them.
   */
  follow: oc
    .input(z.strictObject({ ...logName, callId: callId.optional(), afterSeq: seq.optional() }))
    .output(eventIterator(frameBatch)),
  /** Some rows after `afterSeq`. */
  page: oc
    .input(z.strictObject({ ...logName, afterSeq: seq.optional(), limit: z.int().min(1).max(20_000) }))
    .output(framePage),
  /** One frame with its text. */
  frame: oc.input(z.strictObject({ ...logName, seq })).output(frame),
  /** `seq` of the frames after `afterSeq` whose type, summary or text holds this, whatever its case; oldest first, at most 100,000. */
  search: oc
    .input(z.strictObject({ ...logName, text: z.string().min(1).max(1_000), afterSeq: seq.optional() }))
    .output(z.strictObject({ seqs: z.array(z.number()) })),
  /**
   * The frames of a call, with texts, oldest first, as far as the log is kept: those of the device or MCP server, and of the MCP host
   * that made the call. The newest 2,000 frames, with about 2,000,000 characters.
   */
  ofCall: oc.input(z.strictObject({ callId })).output(z.array(frame)),
  /** Empties the log of a device or an MCP server, or that of the gateway. It can be restored from the trash. */
  clear: oc
    .input(
      z.union([
        z.strictObject({ source: z.enum(['device', 'mcp']), connection: id }),
        z.strictObject({ source: z.literal('gateway') }),
      ]),
    )
    .output(nothing),
};
