import { oc } from '@orpc/contract';
import * as z from 'zod';

import { callDecisions, callQuestion, historyFound, historyQuery } from './callRecords.ts';
import { isAddressRange } from '../base/isAddressRange.ts';
import { isBrokerAddress } from '../base/isBrokerAddress.ts';
import { isOrigin } from '../base/isOrigin.ts';

/** The cluster that this Toolwire joins. */
export const clusterSettings = z.strictObject({
  /** Empty if it joins none. A password is not stored: use an nkey. */
  url: z
    .string()
    .trim()
    .max(1_000)
    .refine((url) => url === '' || isBrokerAddress(url), 'must be nats://HOST or tls://HOST, without a user'),
  name: z.string().regex(/^[\w-]{1,32}$/, 'must have 1 to 32 letters, digits, "-" and "_"'),
  /** The name of the machine if it is empty. */
  nodeName: z.string().trim().max(64),
  /** Paths of files; empty if there are none. */
  nkeyFile: z.string().trim().max(4_096),
  caFile: z.string().trim().max(4_096),
  /** Of the secrets of devices' tokens. Without it, they come from the environment variable `TOOLWIRE_TOKEN_SECRET`. */
  tokenFile: z.string().trim().max(4_096).exactOptional(),
  /** Keeps the last turn of each gateway session in the cluster, in case its node is lost. False by default. */
  keepSessions: z.boolean().exactOptional(),
});
export type ClusterSettings = z.infer<typeof clusterSettings>;

/** The load balancer before the port for devices. */
export const proxySettings = z.strictObject({
  /** Where devices of other machines reach it, such as `http://devices.example`. Empty: the address that they reached. */
  publicUrl: z
    .string()
    .max(300)
    .refine(
      (url) => url === '' || (/^https?:/.test(url) && isOrigin(url)),
      'must be an origin, such as http://devices.example:8080',
    ),
  /** IP addresses and ranges of proxies that are believed about the addresses of their clients. */
  trusted: z
    .array(z.string().max(64).refine(isAddressRange, 'must be an IP address or a range, such as 10.0.0.0/24'))
    .max(50),
});
export type ProxySettings = z.infer<typeof proxySettings>;

const count = z.int().min(0);

/** A Toolwire of a cluster. */
const clusterNode = z.strictObject({
  /** Drawn at each start. */
  id: z.string(),
  name: z.string(),
  /**
   * `suspect`: it has been silent for 3 s. `lost`: for 5 s, or it has left. `other-version`: its messages are of a version that this
   * Toolwire does not understand.
   */
  state: z.enum(['self', 'live', 'suspect', 'lost', 'other-version']),
  version: z.string(),
  /** Devices that are connected to it and do not wait for approval. */
  devices: count,
  /** Calls of other nodes that wait or run there; absent if it is lost. */
  calls: count.exactOptional(),
  /** It is about to restart: it takes no new calls. */
  isDraining: z.boolean(),
  /** It said that it leaves, and is `lost` since. */
  hasLeft: z.literal(true).exactOptional(),
  /** It refuses the tokens of this node, or this node its tokens: their token secrets differ. */
  otherTokens: z.literal(true).exactOptional(),
});
export type ClusterNode = z.infer<typeof clusterNode>;

const clusterInfo = z.strictObject({
  /** Absent if this Toolwire belongs to no cluster. */
  joined: z
    .strictObject({
      name: z.string(),
      /** Whether the broker is reached. */
      isConnected: z.boolean(),
      /** Why it is not, or what is wrong although it is, in the words of NATS or the operating system. */
      problem: z.string().exactOptional(),
      /** The broker refuses messages or subscriptions of this node: it belongs to the cluster in part, or not at all. */
      isDenied: z.literal(true).exactOptional(),
      /** It was named at the start: the setting has no effect. */
      isFixed: z.boolean(),
      /** What it has joined with, of the start or of the settings; without a user and a password. */
      settings: clusterSettings,
      /** Whether this node has the token secret of the cluster. Otherwise the tokens of its devices are valid only here. */
      hasTokenSecret: z.boolean(),
    })
    .exactOptional(),
  /** This node first. Empty if this Toolwire belongs to no cluster. */
  nodes: z.array(clusterNode),
});
export type ClusterInfo = z.infer<typeof clusterInfo>;

/** Calls of the history of all nodes that are looked for. `before`: where each node goes on; without it, all begin. */
export const callSearch = historyQuery.extend({
  limit: z.int().min(1).max(500),
  before: z.record(z.string().max(64), count).optional(),
});
export type CallSearch = z.infer<typeof callSearch>;

/** A page of the matches, newest first. `next` is the `before` of the next page; absent if this is the last. */
export const callPage = z.strictObject({
  rows: z.array(historyFound),
  next: z.record(z.string(), count).exactOptional(),
  /** The nodes that were asked, this one first. Empty if this Toolwire belongs to no cluster. */
  nodes: z.array(z.strictObject({ id: z.string(), name: z.string(), answered: z.boolean() })),
});
export type CallPage = z.infer<typeof callPage>;

/** Several Toolwires that list and call one another's devices. */
export const cluster = {
  info: oc.output(clusterInfo),
  /** Calls of other nodes to devices of this one that ask the user. `host` is the name of the caller's node. */
  questions: oc.output(z.array(callQuestion)),
  ...callDecisions,
};
