/** What the nodes of a cluster send one another: JSON, read by these schemas. A broken message is dropped. */
import * as z from 'zod';

import type { JsonObject } from '../../base/json.ts';
import type { MethodMetadata } from '../../base/toolTypes.ts';
import { maxCount } from './hybridClock.ts';

/** The version of these messages. A node understands its own version and the ones beside it. */
export const wireVersion = 1;

/** The id of a node. */
export const node = z.string().regex(/^[0-9a-f]{16}$/);
const text = z.string().max(1_024);
const count = z.int().min(0);
const version = z.int();

/** By a hybrid logical clock. */
export const stamp = z.object({ ms: z.int().min(0).max(8.64e15), count: count.max(maxCount) });

/** Sent each second: the node is alive. */
export const beat = z.object({
  v: version,
  node,
  /** Its name for people. */
  name: z.string().min(1).max(64),
  /** Of Toolwire. */
  version: z.string().max(64),
  /** ms by the sender's own clock, which never jumps. */
  at: z.number(),
  /** Epoch ms by its machine's clock, which may be wrong. */
  wall: z.number().optional(),
  /** The latest that it has made or seen. */
  stamp: stamp.optional(),
  /** Of the last change of its rows. */
  seq: count,
  devices: count,
  /** Calls of other nodes that it runs. */
  calls: count,
  draining: z.boolean(),
  /** Fingerprints of the secrets of tokens: of its own tokens first, then of others that it accepts. */
  secrets: z.array(z.string().max(64)).max(16).optional(),
});
export type Beat = z.infer<typeof beat>;

/** What all messages of nodes have. */
export const versioned = z.object({ v: version });

export const bye = z.object({ v: version, node });

/** A device of a node. */
const row = z.object({
  /** Its id in the owner's list. */
  id: z.string().min(1).max(512),
  deviceId: text,
  clientId: text.optional(),
  name: text,
  /** A `DeviceState`, and a `DeviceHealth`; a newer node may have others. */
  state: z.string().max(64),
  health: z.string().max(64),
  board: text.optional(),
  firmware: text.optional(),
  virtual: z.boolean(),
  wasRejected: z.literal(true).optional(),
  /** Epoch ms by the owner's clock. */
  connectedAt: z.number().min(0).max(8.64e15),
  toolCount: count,
  /** When it was admitted; present while it is connected and names a Device-Id. The node with the newest claim has the device. */
  claim: stamp.optional(),
  /** What its state is called by, beside its health. */
  doctor: z
    .object({
      /** A `DoctorCause`, and `FrameFault`s; a newer node may have others. */
      cause: z.string().max(64).optional(),
      faults: z.array(z.string().max(64)).max(16).optional(),
      /** The call that it failed in. */
      call: text.optional(),
    })
    .optional(),
  /** Why it failed. */
  error: z.object({ code: z.string().max(64), message: text }).optional(),
  /** Present while its tools can be called. */
  tools: z
    .object({
      registryId: z.string().min(1).max(200),
      /** Which of its connections this is. */
      connection: count,
      /** The list's content. */
      hash: z.string().max(64),
    })
    .optional(),
});
export type Row = z.infer<typeof row>;

/** Changed and removed rows. `seq` grows by one with each delta of a node. */
export const delta = z.object({ v: version, node, seq: count, set: z.array(row), gone: z.array(z.string().max(512)) });
export type Delta = z.infer<typeof delta>;

/** Pages and pieces that are sent before the sender waits: a broker ends a connection that takes too much at once. */
export const pagesAhead = 8;

/** Asks a node for all its rows; they come in pages. */
export const snapshotRequest = versioned;
export const snapshotPage = z.object({ seq: count, at: count, rows: z.array(row), isLast: z.boolean() });

/** Asks for the list of tools with this hash; it comes in pages. */
export const toolsRequest = z.object({ v: version, hash: z.string().max(64) });
const method = z.custom<MethodMetadata>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof value.name === 'string' &&
    'description' in value &&
    typeof value.description === 'string' &&
    'agentCallable' in value &&
    typeof value.agentCallable === 'boolean' &&
    'inputSchema' in value &&
    typeof value.inputSchema === 'object' &&
    value.inputSchema !== null,
);
/** `methods` is absent if the node has no such list by now. */
export const toolsAnswer = z.object({
  methods: z.array(method).optional(),
  error: z.string().optional(),
  isLast: z.boolean(),
});
/** A call. Sent once, and again only if the answer says that nothing ran. */
export const call = z.object({
  v: version,
  callId: z.string().min(1).max(128),
  /** The caller's node. */
  node,
  /** Which of its calls this is: an owner runs each once. */
  n: count,
  /** ms by the caller's own clock when it was sent. */
  at: z.number(),
  device: z.string().min(1).max(512),
  connection: count,
  /** The list of tools by which it was checked and confirmed. */
  hash: z.string().max(64),
  method: z.string().min(1).max(1_024),
  /** The tool as the caller names it, for errors. */
  shownName: z.string().max(1_024).optional(),
  /** As JSON text: each number as it was written. */
  args: z.string(),
  /** ms that the device may take once its turn has come. */
  timeoutMs: z.number().positive(),
});
export type Call = z.infer<typeof call>;

/** Of a call: cancels it, or asks how far it is. `from`: the bytes of its outcome that have arrived in pieces. */
export const aboutCall = z.object({ v: version, node, n: count, from: count.default(0) });

/** Asks for further pages, or pieces of an outcome, that are sent to this subject. */
export const more = z.object({ v: version, to: z.string().max(256) });

/** A failure as `ToolErrorInfo`. */
const failure = z.custom<{ code: string; message: string; details?: JsonObject }>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    'code' in value &&
    typeof value.code === 'string' &&
    'message' in value &&
    typeof value.message === 'string',
);

/** An outcome's JSON in the message that has it whole. */
const around = { before: Buffer.from('{"kind":"outcome","outcome":'), after: Buffer.from('}') };

/** The message of an outcome, whatever its length. */
export function outcomeMessage(outcome: Outcome): Buffer {
  return Buffer.concat([around.before, Buffer.from(JSON.stringify(outcome)), around.after]);
}

/** Bytes of one message with several items. */
const maxPageBytes = 200_000;
/** Bytes of a part of a text that is too long for one message: other messages wait for it. */
const maxPieceBytes = 65_536;
/** Bytes of a message beside its items or its part. */
const envelopeBytes = 1_024;

/** Bytes of a part of a text, if the broker takes messages of so many bytes. */
export const pieceBytes = (messageBytes: number): number =>
  Math.min(maxPieceBytes, Math.floor((messageBytes - envelopeBytes) / 4) * 3);

/** Such a part, in base64: `at` is its first byte, and `isLast` ends the text. */
export const piece = z.object({
  kind: z.literal('piece'),
  at: count,
  text: z.string().max(Math.ceil(maxPieceBytes / 3) * 4),
  isLast: z.boolean(),
});

/** The JSON text of an outcome in its message. */
export const outcomeText = (message: Buffer): Buffer => message.subarray(around.before.length, -around.after.length);

/** The messages of a long text, from this byte on, if the broker takes messages of so many bytes. */
export function* piecesOf(bytes: Buffer, messageBytes: number, from = 0): Generator<z.infer<typeof piece>> {
  const size = pieceBytes(messageBytes);
  for (let at = from; at < bytes.length; at += size)
    yield { kind: 'piece', at, text: bytes.toString('base64', at, at + size), isLast: at + size >= bytes.length };
}

/** What an owner answers, in this order: `accepted` if the call takes longer, maybe `progress`, and one of the others at the end. */
export const answer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('accepted') }),
  z.object({
    kind: z.literal('progress'),
    progress: z.number(),
    total: z.number().optional(),
    message: z.string().optional(),
  }),
  /** Nothing ran. `moved`: the device is at another node. `known`: another call has its id. */
  z.object({
    kind: z.literal('refused'),
    why: z
      .enum(['gone', 'moved', 'busy', 'draining', 'late', 'version', 'changed', 'invalid', 'known'])
      .catch('version'),
    owner: z.object({ node, connection: count }).optional(),
  }),
  /** Asked about a call that it does not know, or whose outcome it has dropped. */
  z.object({ kind: z.literal('unknown') }),
  /** Of the outcome's JSON text. */
  piece,
  z.object({ kind: z.literal('outcome'), outcome: z.unknown() }),
]);
export type Answer = z.infer<typeof answer>;

/** How a call ended at the device. */
export const outcome = z.object({
  durationMs: z.number().min(0),
  text: z.string(),
  content: z.array(z.looseObject({ type: z.string() })).optional(),
  /** As JSON text. */
  structuredContent: z.string().optional(),
  remark: z.string().optional(),
  error: failure.optional(),
});
export type Outcome = z.infer<typeof outcome>;

/** Bytes of the arguments of a question; with more, it is asked at the caller's node only. */
export const maxQuestionBytes = 4_194_304;

const question = z.object({
  callId: z.string().min(1).max(128),
  toolId: z.string().max(1_024),
  methodName: z.string().max(1_024),
  /** Empty if `argsBytes` is present. */
  argsJson: z.string(),
  /** Of arguments that are too long for a list, and fetched one by one. */
  argsBytes: count.max(maxQuestionBytes).optional(),
  danger: z.string().max(4_096).optional(),
  /** ms for which it waits; absent if a window shows it. */
  leftMs: z.number().min(0).max(3_600_000).optional(),
});
export type SharedQuestion = z.infer<typeof question>;

/** Asks for the arguments of a question; they come in pieces. */
export const argsRequest = z.object({ v: version, node, callId: z.string().min(1).max(128) });

/** All that a node asks about calls to devices of the receiver, in at most `pagesAhead` pages. Repeated with each beat: what is not has ended. */
export const asks = z.object({
  v: version,
  node,
  at: count.max(pagesAhead - 1).default(0),
  questions: z.array(question).max(10_000),
  isLast: z.boolean().default(true),
});

/** A user's decision at the node of the device; `attend` makes the question wait longer. */
export const decision = z.object({
  v: version,
  node,
  kind: z.enum(['decide', 'attend']),
  callId: z.string().min(1).max(128),
  allowed: z.boolean().optional(),
  reason: z.string().max(4_000).optional(),
  argsJson: z.string().optional(),
});
/** `error`: why it does not count. */
export const decided = z.object({ error: z.string().max(4_096).optional() });

/** Whether a node with messages of this version is understood. */
export const isUnderstood = (v: number): boolean => Math.abs(v - wireVersion) <= 1;

/**
 * Items in pages, if the broker takes messages of so many bytes; an item that is larger has a page of its own. At least one page.
 */
export function pagesOf<T>(items: readonly T[], messageBytes: number): T[][] {
  const pageBytes = Math.min(maxPageBytes, messageBytes - envelopeBytes);
  const pages: T[][] = [[]];
  let bytes = 0;
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item)) + ','.length;
    if (bytes > 0 && bytes + size > pageBytes) {
      pages.push([]);
      bytes = 0;
    }
    pages.at(-1)?.push(item);
    bytes += size;
  }
  return pages;
}
