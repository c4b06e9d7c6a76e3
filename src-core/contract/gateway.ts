import { oc, type } from '@orpc/contract';
import * as z from 'zod';

import type {
  FrameOutcome,
  GatewayConnectionInfo,
  GatewayLogFrame,
  GatewayLogPage,
  GatewaySessionInfo,
  GatewaySessionMessage,
  GatewayTurnTrace,
  GatewayState,
  GatewayTestTools,
} from './types.ts';
import { callId, id, json, jsonObject, seq, text } from './fields.ts';
import type { Nothing } from './fields.ts';

const one = z.strictObject({ id });
/** Which log: of one connection, also a closed one, or of all; of the gateway itself or of an imported capture. */
const logOf = { id: id.optional(), captureId: id.optional() };
/** What goes out as a frame: a little over the gateway's own limit, so that the limit can be tried. */
const frameText = z.string().max(1_100_000);
const settingValue = z.union([z.string().max(4_096), z.number(), z.boolean(), z.null()]);
const answer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('result'), value: json(1_100_000) }),
  z.strictObject({ kind: z.literal('error'), message: z.string().max(4_000) }),
  z.strictObject({ kind: z.literal('silent') }),
]);

/** The LLM gateway (docs/gateway.md). The topic `gateway` reports each change, including frames. */
export const gateway = {
  state: oc.output(type<GatewayState>()),
  /** Switches it on or off, for now and for the next start. Switching it on again retries. */
  setEnabled: oc.input(z.strictObject({ enabled: z.boolean() })).output(type<GatewayState>()),
  /**
   * Changes settings; null resets a value. `modelId` chooses the model that answers; null falls back to the
   * environment, then to the workbench's default model. A change of `host` or `port` closes every connection.
   */
  configure: oc
    .input(
      z.strictObject({
        settings: z.record(z.string().max(64), settingValue).optional(),
        modelId: id.nullable().optional(),
      }),
    )
    .output(type<GatewayState>()),
  /** In the order they came. */
  connections: oc.output(type<GatewayConnectionInfo[]>()),
  /** The longest silent first. */
  sessions: oc.output(type<GatewaySessionInfo[]>()),
  /** The messages that a session holds, oldest first. */
  sessionMessages: oc.input(one).output(type<GatewaySessionMessage[]>()),
  /** A client that names the session afterwards gets SESSION_ERROR. */
  endSession: oc.input(one).output(type<Nothing>()),
  disconnect: oc.input(one).output(type<Nothing>()),
  /**
   * Sends a text frame to a client as it is, as if the gateway had said it. A frame that calls a tool that asks first
   * returns `confirmation-required` unless `confirmed`.
   */
  send: oc
    .input(z.strictObject({ id, text: frameText, confirmed: z.boolean().optional() }))
    .output(type<FrameOutcome>()),
  /** The user's decision on a call that asks. */
  decide: oc
    .input(
      z.strictObject({
        callId,
        allowed: z.boolean(),
        reason: z.string().max(4_000).optional(),
        argsJson: text.optional(),
      }),
    )
    .output(type<Nothing>()),
  /** The user is working on a call that asks: it waits another minute, ten in all. */
  attend: oc.input(z.strictObject({ callId })).output(type<Nothing>()),
  /** The running turn of a client, with its prompt and output so far, else the client's last one. */
  turn: oc.input(one).output(type<{ trace?: GatewayTurnTrace }>()),
  /** Rows without their text, oldest first after `afterSeq`. */
  log: oc
    .input(z.strictObject({ ...logOf, afterSeq: seq.optional(), limit: z.int().min(1).max(20_000) }))
    .output(type<GatewayLogPage>()),
  /** One frame with its text. */
  frame: oc.input(z.strictObject({ ...logOf, seq })).output(type<GatewayLogFrame>()),
  /** `seq` of the frames whose text holds this, whatever its case; oldest first. */
  searchLog: oc
    .input(z.strictObject({ ...logOf, text: z.string().min(1).max(1_000) }))
    .output(type<{ seqs: number[] }>()),
  clearLog: oc.output(type<Nothing>()),
  /** Connects our test client to the gateway, or returns the one that is already connected. */
  openTestClient: oc.output(type<{ connectionId: string }>()),
  closeTestClient: oc.output(type<Nothing>()),
  /** Sends a text frame as the test client, as it is. */
  sendAsClient: oc.input(z.strictObject({ text: frameText })).output(type<Nothing>()),
  /** Registers tools of the test client; for a name that is registered only the answer changes. */
  setTestTools: oc
    .input(
      z.strictObject({
        tools: z
          .array(
            z.strictObject({
              name: z.string().max(200),
              description: z.string().max(4_000),
              parameters: jsonObject(1_100_000),
              answer,
            }),
          )
          .max(100),
      }),
    )
    .output(type<GatewayTestTools>()),
};
