import { oc } from '@orpc/contract';
import * as z from 'zod';

import type { Message } from '../base/messages/message.ts';
import { id, nothing } from './fields.ts';
import { chosenTools } from './hosts.ts';

const time = z.number();
const count = z.int().min(0);
const fields = {
  label: z.string().trim().min(1).max(80),
  chosen: chosenTools,
  /** Bytes of UTF-8 that the text of a result may have. */
  maxResultBytes: z.int().min(64).max(65_536),
  /** ms after which a call is answered with an error. The agent times out after 30 s. */
  timeoutMs: z.int().min(1_000).max(29_000),
  /** Whether it is connected, also after a restart. */
  enabled: z.boolean(),
};

/** An endpoint as it is stored. Its address is a secret and is kept apart. */
export const storedEndpoint = z.strictObject({
  id: z.string().min(1).max(64),
  place: z.string().max(2_100),
  ...fields,
});
export type StoredEndpoint = z.infer<typeof storedEndpoint>;

const endpointInfo = storedEndpoint.extend({
  /** `waiting`: it connects again at `retryAt`. `stopped`: it waits for the user. */
  state: z.enum(['off', 'connecting', 'connected', 'waiting', 'stopped']),
  since: time.exactOptional(),
  retryAt: time.exactOptional(),
  reason: z.custom<Message>().exactOptional(),
  toolCount: count,
  /** Tokens of the list of tools, estimated. */
  listTokens: count,
  /** Calls since the start of Toolwire; `hosts.calls` lists the last ones under the id `endpoint:<id>`. */
  calls: count,
});
export type EndpointInfo = z.infer<typeof endpointInfo>;

const offeredTool = z.strictObject({
  name: z.string(),
  description: z.string(),
  /** `kind:id` of its source, as in `chosen.sources`. */
  source: z.string(),
  sourceLabel: z.string(),
  /** Tokens that it adds to a list, estimated. */
  tokens: count,
});
export type EndpointTool = z.infer<typeof offeredTool>;

const url = z.string().trim().min(1).max(8_192);
const one = z.strictObject({ id });

/** MCP endpoints of xiaozhi agents: addresses that Toolwire connects to and serves tools at. */
export const endpoint = {
  list: oc.output(z.array(endpointInfo)),
  /** The tools that can be chosen. */
  tools: oc.output(z.array(offeredTool)),
  /** Connects if `enabled`. The address is never returned. */
  add: oc
    .input(
      z.strictObject({
        url,
        label: fields.label.optional(),
        chosen: chosenTools,
        maxResultBytes: fields.maxResultBytes.optional(),
        timeoutMs: fields.timeoutMs.optional(),
        enabled: fields.enabled,
      }),
    )
    .output(one),
  /** Omitted fields do not change. A new address or selection reconnects. */
  change: oc
    .input(
      z.strictObject({
        id,
        url: url.optional(),
        label: fields.label.optional(),
        chosen: chosenTools.optional(),
        maxResultBytes: fields.maxResultBytes.optional(),
        timeoutMs: fields.timeoutMs.optional(),
      }),
    )
    .output(nothing),
  /** Connects now, also after it was stopped. */
  connect: oc.input(one).output(nothing),
  disconnect: oc.input(one).output(nothing),
  /** Disconnects, and removes the endpoint and its address. */
  remove: oc.input(one).output(nothing),
};
