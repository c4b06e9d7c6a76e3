import { oc } from '@orpc/contract';
import * as z from 'zod';

import { id, json, jsonObject, nothing } from './fields.ts';
import { turnTrace } from './gatewayTurns.ts';
import { callDecisions, callQuestion } from './callRecords.ts';

/** Epoch ms. */
const time = z.number();

/** The settings of a gateway (docs/protocols/gateway.md#settings), and our additions. Durations are in seconds. */
const gatewaySettings = z.strictObject({
  /** Address to listen on. */
  host: z.string(),
  /** 0 picks a free one. */
  port: z.number(),
  /** s between protocol pings. */
  pingInterval: z.number(),
  /** s of silence after which a connection is closed. */
  pingTimeout: z.number(),
  maxConnections: z.number(),
  /** s without a message after which a session is forgotten. */
  sessionTimeout: z.number(),
  logLevel: z.enum(['DEBUG', 'INFO', 'WARNING', 'ERROR']),
  logFormat: z.enum(['json', 'text']),
  /** Of an OpenAI-compatible API, with its `/v1`. */
  baseUrl: z.string(),
  model: z.string(),
  /** Empty if the API needs none. A secret. */
  apiKey: z.string(),
  /** s for a whole answer of the model. */
  timeout: z.number(),
  /** 0 to 1; null leaves it to the model, and none is sent. */
  temperature: z.number().nullable(),
  /** Tokens of an answer. */
  maxTokens: z.number(),
  /** Whether a session's history goes to the model; `configure` changes it for a connection. */
  enableContext: z.boolean(),
  /** Whether the ten server tools are available. */
  mcpEnabled: z.boolean(),
  /** What the registry of the server tools is called. */
  mcpServerName: z.string(),
  /** Reported with the name. The gateway's own wire does not use MCP. */
  mcpProtocolVersion: z.string(),
  clientToolsEnabled: z.boolean(),
  /** Tools of one connection. */
  clientToolsMaxCount: z.number(),
  /** s that a client may take for one call. */
  clientToolTimeout: z.number(),
  /** Results of one connection that may wait to be read; while they do, nothing more is read from it. */
  clientToolResultQueueSize: z.number(),
  /** The failure of a client tool is reported to the model, instead of ending the turn (docs/protocols/gateway.md#tool-rounds). */
  tellModelOfFailures: z.boolean(),
  /** The model is offered every other tool that models may call, too: devices', modules'. */
  offerOtherTools: z.boolean(),
  /** The tools of the gateway and its clients are offered to chats, realtime models, hosts and agents of devices, too. */
  offerOwnTools: z.boolean(),
  /** Origins of web pages that may connect, with commas between them; `*` allows all. */
  allowedOrigins: z.string(),
});
export type GatewaySettings = z.infer<typeof gatewaySettings>;
export type GatewaySettingKey = keyof GatewaySettings;

/** The value of a setting; null if it is left to the model. */
const settingValue = z.union([z.string().max(4_096), z.number(), z.boolean(), z.null()]);
export type SettingValue = z.infer<typeof settingValue>;

/** One setting with its effective value and source. */
const resolvedSetting = z.strictObject({
  key: gatewaySettings.keyof(),
  value: settingValue,
  /** The default, the environment, or the workbench's settings (the terminal's flags). */
  origin: z.enum(['default', 'environment', 'settings']),
  /** Its environment variable, if it has one. */
  variable: z.string().exactOptional(),
  default: settingValue,
  /** Why a value that was set is not used: which one, and what it must be. */
  problem: z.string().exactOptional(),
});
export type ResolvedSetting = z.infer<typeof resolvedSetting>;

/** An origin of web pages that were refused. */
const refusedPage = z.strictObject({
  /** As the browser named it; `null` for a page of a file. Untrusted. */
  origin: z.string(),
  /** Attempts. */
  count: z.number(),
  /** Epoch ms. */
  lastAt: time,
});
export type RefusedPage = z.infer<typeof refusedPage>;

/** Which model answers, and what selected it. */
const modelView = z.strictObject({
  /** `settings`: chosen here. `environment`: LLM_BASE_URL, LLM_MODEL. `default`: the workbench's default model. */
  origin: z.enum(['settings', 'environment', 'default']),
  /** Id of the workbench's model; absent for one of the environment. */
  id: z.string().exactOptional(),
  /** The display name. */
  name: z.string(),
  /** Why there is none: it was removed, its address cannot be used. */
  error: z.string().exactOptional(),
});
export type GatewayModelView = z.infer<typeof modelView>;

/** The answer to each call of a test tool. `silent` never answers, so that the gateway's time limit is seen. */
const answer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('result'), value: json(1_100_000) }),
  z.strictObject({ kind: z.literal('error'), message: z.string().max(4_000) }),
  z.strictObject({ kind: z.literal('silent') }),
]);
export type GatewayTestAnswer = z.infer<typeof answer>;

/** A tool of the test client. */
const testTool = z.strictObject({
  name: z.string().max(200),
  description: z.string().max(4_000),
  parameters: jsonObject(1_100_000),
  answer,
});
export type GatewayTestTool = z.infer<typeof testTool>;

/** A test client over a real connection, which sends what the user enters. */
const testClient = z.strictObject({
  /** Id of its connection. */
  connectionId: z.string(),
  tools: z.array(testTool),
});
export type GatewayTestClient = z.infer<typeof testClient>;

/** What became of one tool of a `register_tools` (docs/protocols/gateway.md#registering-tools). */
const registeredTool = z.strictObject({
  /** As the client wrote it; empty if it wrote none. */
  name: z.string(),
  status: z.enum(['registered', 'failed']),
  /** Set when and only when it failed. */
  error: z.string().exactOptional(),
});

/** The LLM gateway of the workbench (docs/protocols/gateway.md): whether it is on, its address, its settings. */
const gatewayState = z.strictObject({
  /** The user's switch; kept over restarts. */
  enabled: z.boolean(),
  listening: z.boolean(),
  host: z.string(),
  /** The port that it listens on, or would listen on. */
  port: z.number(),
  /** `ws://…`, one for every address that clients can use, the likeliest for another machine first; empty if it is off. */
  urls: z.array(z.string()),
  /** There are messages in the log, of this run or an earlier one. */
  hasLog: z.boolean(),
  /** Web pages that were refused and have not been allowed since, the most recent first. */
  refusedPages: z.array(refusedPage),
  /** Other machines can reach it. It has no password, so warn the user. */
  openToNetwork: z.boolean(),
  /** Why it does not listen though it should. */
  error: z.string().exactOptional(),
  /** Present if another program uses the wanted `port`; `freePort` is one that no program uses. */
  conflict: z.strictObject({ port: z.number(), freePort: z.number() }).exactOptional(),
  model: modelView,
  /**
   * The settings in the order of docs/protocols/gateway.md#settings, ours after them. Address, name and key of the
   * model are included only if the environment's model answers, or if the environment's values are invalid; the key
   * only as `***`.
   */
  settings: z.array(resolvedSetting),
  testClient: testClient.exactOptional(),
  /** Calls that wait for the user's decision, the oldest first. */
  questions: z.array(callQuestion),
});
export type GatewayState = z.infer<typeof gatewayState>;

/** A client's `configure`, read: only what it names changes. */
const configuration = z.strictObject({
  /** 0 to 1; null leaves it to the model. */
  temperature: z.number().nullable(),
  /** Tokens of an answer. */
  maxTokens: z.number(),
  /** Whether the session's history goes to the model. */
  enableContext: z.boolean(),
});
export type Configuration = z.infer<typeof configuration>;

/** One client that is connected now. */
const connectionInfo = z.strictObject({
  /** Unique while the gateway runs. */
  id: z.string(),
  /** Address and port; untrusted. */
  remote: z.string(),
  /** The client's `User-Agent`; absent if it sends none. Untrusted. */
  userAgent: z.string().exactOptional(),
  /** The session it is in; absent between `end_session` and the next one. */
  sessionId: z.string().exactOptional(),
  /** Id of the registry of its tools; registered once it has one. */
  registryId: z.string(),
  /** Names of its tools. */
  tools: z.array(z.string()),
  configuration,
  /** Turns that wait and run. */
  turns: z.number(),
  /** Epoch ms. */
  connectedAt: time,
  lastSeenAt: time,
  counters: z.strictObject({
    framesIn: z.number(),
    framesOut: z.number(),
    bytesIn: z.number(),
    bytesOut: z.number(),
  }),
});
export type GatewayConnectionInfo = z.infer<typeof connectionInfo>;

/** One session. */
const sessionInfo = z.strictObject({
  id: z.string(),
  startedAt: time,
  lastActiveAt: time,
  messageCount: z.number(),
  /** Code of the language it is to be answered in. */
  language: z.string().exactOptional(),
  /** The character that the model plays in it. */
  role: z.string().exactOptional(),
  /** Ids of the connections that are in it. */
  connections: z.array(z.string()),
});
export type GatewaySessionInfo = z.infer<typeof sessionInfo>;

/** A message that a session remembers: the user's or the answer. */
const sessionMessage = z.strictObject({ role: z.enum(['user', 'assistant']), content: z.string() });
export type GatewaySessionMessage = z.infer<typeof sessionMessage>;

/** What became of a frame that the user wrote: it is sent, or must be confirmed first. */
const frameOutcome = z.discriminatedUnion('sent', [
  z.strictObject({ sent: z.literal(true) }),
  /** `danger` is a sentence that states what the frame may do. */
  z.strictObject({ sent: z.literal(false), needs: z.literal('confirmation-required'), danger: z.string() }),
]);
export type FrameOutcome = z.infer<typeof frameOutcome>;

const one = z.strictObject({ id });
/** What goes out as a frame: a little over the gateway's own limit, so that the limit can be tried. */
const frameText = z.string().max(1_100_000);

/** The LLM gateway (docs/gateway.md). The topic `gateway` reports each change. */
export const gateway = {
  state: oc.output(gatewayState),
  /** Switches it on or off, for now and for the next start. Switching it on again retries. */
  setEnabled: oc.input(z.strictObject({ enabled: z.boolean() })).output(gatewayState),
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
    .output(gatewayState),
  /** In the order they came. */
  connections: oc.output(z.array(connectionInfo)),
  /** The longest silent first. */
  sessions: oc.output(z.array(sessionInfo)),
  /** The messages that a session holds, oldest first. */
  sessionMessages: oc.input(one).output(z.array(sessionMessage)),
  /** A client that names the session afterwards gets SESSION_ERROR. */
  endSession: oc.input(one).output(nothing),
  disconnect: oc.input(one).output(nothing),
  /**
   * Sends a text frame to a client as it is, as if the gateway had said it. A frame that calls a tool that asks first
   * returns `confirmation-required` unless `confirmed`.
   */
  send: oc.input(z.strictObject({ id, text: frameText, confirmed: z.boolean().optional() })).output(frameOutcome),
  ...callDecisions,
  /** The running turn of a client, with its prompt and output so far, else the client's last one. */
  turn: oc.input(one).output(z.strictObject({ trace: turnTrace.optional() })),
  /** Connects our test client to the gateway, or returns the one that is already connected. */
  openTestClient: oc.output(z.strictObject({ connectionId: z.string() })),
  closeTestClient: oc.output(nothing),
  /** Sends a text frame as the test client, as it is. */
  sendAsClient: oc.input(z.strictObject({ text: frameText })).output(nothing),
  /** Registers tools of the test client; for a name that is registered only the answer changes. */
  setTestTools: oc
    .input(z.strictObject({ tools: z.array(testTool).max(100) }))
    .output(z.strictObject({ tools: z.array(registeredTool) })),
};
