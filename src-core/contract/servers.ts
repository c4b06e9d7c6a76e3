import { oc, type } from '@orpc/contract';
import * as z from 'zod';

import type { JsonObject, JsonSchema } from '../base/json.ts';
import { toolConsumers, type ToolConsumer } from '../base/toolTypes.ts';
import { logLevels } from '../base/logLevels.ts';
import type { Message } from '../base/messages/message.ts';
import { id, jsonObject, type Nothing } from './fields.ts';
import type { ConsentSheet, ServerVariable } from './serverConsent.ts';
import { signInConfig, type SignInView } from './serverSignIn.ts';
import type { DefinitionChange, ServerToolView } from './serverTools.ts';

const name = z.string().min(1).max(200);
const line = z.string().max(20_000);
/** A value that is undefined keeps the stored secret. */
const namedValues = z.array(z.strictObject({ name, value: line.optional() })).max(200);

/** `legacy`: revisions before 2026-07-28. `modern`: since then. */
export const serverEras = ['legacy', 'modern'] as const;
export type ServerEra = (typeof serverEras)[number];
/** The only era in which the server is addressed. Absent: it is asked, and remembered if it does not answer. */
const era = z.enum(serverEras).optional();

/** How to start or reach an MCP server. The values of variables and headers are secrets. */
const serverConfig = z.discriminatedUnion('type', [
  z.strictObject({
    name,
    type: z.literal('stdio'),
    command: line.min(1),
    args: z.array(line).max(1_000),
    cwd: line.optional(),
    env: namedValues,
    era,
  }),
  z.strictObject({
    name,
    type: z.enum(['http', 'sse', 'websocket']),
    url: line.min(1),
    headers: namedValues,
    signIn: signInConfig.optional(),
    era,
  }),
]);
export type ServerConfig = z.infer<typeof serverConfig>;

/** The least important log messages that a server is to send; none with `off`. */
export const serverLogLevels = ['off', ...logLevels] as const;
export type ServerLogLevel = (typeof serverLogLevels)[number];

export type ServerState = 'stopped' | 'asking' | 'starting' | 'sign-in' | 'ready' | 'failing';
export type ServerStep = 'approval' | 'program' | 'process' | 'reach' | 'sign-in' | 'initialize' | 'lists';

/** Why a server cannot be used. `text` is English. */
export interface ServerFailure extends Message {
  /** The last lines of its process. `isCurrentAttempt`: the attempt still runs, and may fail for this reason. */
  stderr: string[];
  isCurrentAttempt?: true;
}

/** An MCP server in the list. What it reports about itself is untrusted. */
export interface ServerRow {
  id: string;
  name: string;
  type: ServerConfig['type'];
  /** Its command line or URL, secrets masked. */
  place: string;
  state: ServerState;
  /** The step that a start has reached. */
  step?: ServerStep;
  /** While it starts, why the attempt before failed or why this one may not succeed. */
  failure?: ServerFailure;
  /** Epoch ms of the next attempt. */
  retryAt?: number;
  /** Epoch ms of the last change of `state`. */
  since: number;
  revision?: string;
  era?: ServerEra;
  /** Of the last lists. Templates count as resources. */
  counts: { tools: number; resources: number; prompts: number };
  /** Tools whose definitions are not accepted. */
  changedTools: number;
  /** The consumers that are offered its tools. The user can always call them. */
  consumers: ToolConsumer[];
  /** The id of its tools in the registry. */
  registryId: string;
}

export interface ServerStepView {
  step: ServerStep;
  outcome: 'passed' | 'failed' | 'pending' | 'unreached';
  /** For example a path or a process id. */
  facts: string[];
}

export interface ServerDetail {
  id: string;
  /** Without the values of its secrets. */
  config: ServerConfig;
  variables: ServerVariable[];
  /** The file that it was imported from, if its path is known, and whether its entry for the server has changed. */
  file?: { path: string; changed: boolean };
  steps: ServerStepView[];
  /** It did not answer the probe, and counts as legacy until then (epoch ms). */
  silentUntil?: number;
  /** Tokens of a sign-in are kept. */
  signedIn?: true;
  serverInfo?: { name: string; version: string; title?: string };
  pid?: number;
  /** ms from its start, or from the end of a sign-in, until it was ready. */
  startMs?: number;
  /** How many lines on its stdout since its start are not JSON-RPC, if there are any. */
  junkLines?: number;
  tools: ServerToolView[];
  /** What is wrong with entries of the tool list. */
  faults: Message[];
  /** What the server can do, while it is connected. */
  can: { complete: boolean; subscribe: boolean; log: boolean };
  logLevel: ServerLogLevel;
  /** Subscribed resources, with the number of reported changes and epoch ms of the last one. */
  subscriptions: { uri: string; updates: number; updatedAt?: number }[];
  /** Folders that it may work in (roots). Without one, it cannot request them. */
  roots: ServerRoot[];
  /** Whether it may ask for a model's reply. Each one waits for the user. */
  sampling: boolean;
}

const serverRoot = z.strictObject({ uri: line.min(1), name: z.string().max(200).optional() });
/** A folder, as a `file:` URI. */
export type ServerRoot = z.infer<typeof serverRoot>;

/** A line of a server's log, with level and logger of its log messages. `count`: attempts in a row that failed so, or times in a row that it was written. */
export interface ServerLogLine {
  at: number;
  kind: 'stderr' | 'life' | 'message';
  text: string;
  /** If it is a sentence of Toolwire. */
  message?: Message;
  level?: string;
  logger?: string;
  count?: number;
}

/** A resource that a server lists. All texts are the server's. */
export interface ServerResource {
  uri: string;
  name: string;
  description?: string;
  mimeType?: string;
  /** Bytes. */
  size?: number;
}

/** A family of resources that a server lists: a URI template of RFC 6570. All texts are the server's. */
export interface ServerTemplate {
  uriTemplate: string;
  name: string;
  description?: string;
  mimeType?: string;
  /** Absent if the template is malformed. */
  variables?: string[];
}

/** A prompt that a server lists. All texts are the server's. */
export interface ServerPrompt {
  name: string;
  description?: string;
  arguments: { name: string; description?: string; required: boolean }[];
}

/** Something that a server asks of the user. All texts are the server's. */
export interface ServerRequest {
  requestId: string;
  serverId: string;
  serverName: string;
  /**
   * The calls that ran when the server asked; only one if it is known which call caused the question. The request is withdrawn when all of them have ended.
   * Empty for a sign-in without a scope, which is for all calls that wait for it, and if a resource or a prompt was being read when the
   * server asked.
   */
  callIds: string[];
  /** Epoch ms. */
  askedAt: number;
  /** `sign-in`: a page of an authorization server, which Toolwire asks to open. Its message is empty. */
  kind: 'form' | 'url' | 'sign-in' | 'sampling';
  message: string;
  schema?: JsonSchema;
  url?: string;
  /** Of a sign-in for one call: the scopes that it needs and that the present token does not have, separated by spaces. */
  scope?: string;
  sampling?: SamplingQuestion;
}

/** The files that servers can be written to, by the host that reads them. */
export const exportFormats = [
  'claude-desktop',
  'claude-code',
  'cursor',
  'cline',
  'vscode',
  'codex',
  'mcp-pipe',
  'server-json',
] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** A configuration file, without the values of variables and headers and without what looks like a secret. */
export interface ServerExport {
  /** As the host calls it, without its folder. */
  fileName: string;
  /** Empty if no server can be written. */
  text: string;
  /** What the format cannot say. An `error`: a server that is not in the file. */
  problems: { level: 'error' | 'warning'; message: Message; server?: string; line?: number }[];
  /** Values that the user must enter. `field`: `env.API_KEY`, `headers.Authorization`, `args[2]`, `plugin.key`; `written`: the text in the file. */
  missing: { server: string; field: string; written: string }[];
}

/** A server asks for a model's reply. Pictures, sounds and results of tools are described in the text. */
export interface SamplingQuestion {
  system?: string;
  messages: { role: 'user' | 'assistant'; text: string }[];
  maxTokens: number;
  /** The tools that the model may ask the server to call. */
  tools: { name: string; description?: string }[];
}

/** A reply to a `SamplingQuestion`, of a model or of the user. `calls` needs one of the tools. */
export const samplingReply = z.strictObject({
  /** The model that wrote it; absent if the user did. */
  model: z.string().min(1).max(200).optional(),
  text: z.string().max(2_000_000),
  calls: z.array(z.strictObject({ name: line.min(1), input: jsonObject(1_000_000) })).max(100),
});
export type SamplingReply = z.infer<typeof samplingReply>;

export interface ServerImportPreview {
  format: ExportFormat | 'link' | 'commandLine';
  servers: {
    name: string;
    type: ServerConfig['type'];
    /** The command line or the URL, with `***` in the place of secrets. `whole`: with its secrets, if it has some. */
    place: string;
    whole?: string;
    /** Its environment variables or headers; `missing`: the value is empty, or refers to what has no value here (`unset`). */
    values: { name: string; missing: boolean; unset: string[] }[];
    /** The name that it gets: with a number, if another server has its name. */
    keptAs: string;
    /** Id of the kept server with this very configuration. */
    same?: string;
    /** Whether the file says that it is disabled. */
    disabled?: boolean;
  }[];
  problems: { level: 'error' | 'warning'; message: Message }[];
}

const values = z.record(name, line);
const given = {
  text: z.string().max(1_000_000),
  fileName: z.string().max(500).optional(),
  /** The name of the only server, if it is not that of the text. */
  as: name.optional(),
};
const importing = z.strictObject({
  ...given,
  path: z.string().max(4_096).optional(),
  names: z.array(name).min(1).max(500),
  /** The era of every server of the text. It replaces an era that the text names. */
  era: z.enum(['auto', ...serverEras]).optional(),
  /** What has read the text, if it was not a window. */
  by: z.enum(['terminal-add', 'terminal-import']).optional(),
});
const ofServer = z.strictObject({ id });

/** MCP servers as a source of tools. Nothing is started before the user has approved its fingerprint. */
export const servers = {
  list: oc.output(type<ServerRow[]>()),
  detail: oc.input(ofServer).output(type<ServerDetail>()),
  add: oc.input(serverConfig).output(type<{ id: string }>()),
  change: oc.input(z.strictObject({ id, config: serverConfig })).output(type<Nothing>()),
  /** Stores values of its variables as secrets, and deletes those that are omitted. Starts nothing. */
  setValues: oc
    .input(z.strictObject({ id, values: z.array(z.strictObject({ key: name, value: line.optional() })).max(200) }))
    .output(type<Nothing>()),
  /** Adopts the current entry of its file, or keeps the configuration. Fails if the entry no longer has this hash. */
  settleFile: oc.input(z.strictObject({ id, hash: z.string().length(64), take: z.boolean() })).output(type<Nothing>()),
  /** Stops it and moves it to the trash, with its secrets, approval and accepted definitions. */
  remove: oc.input(ofServer).output(type<Nothing>()),
  /** Starts it if it is approved; else its state becomes `asking`. Answers before it is ready. */
  start: oc.input(ofServer).output(type<Nothing>()),
  stop: oc.input(ofServer).output(type<Nothing>()),
  /** Forgets its tokens and stops it. */
  signOut: oc.input(ofServer).output(type<Nothing>()),
  /** The steps of its sign-ins, and what the present token is for. */
  signIn: oc.input(ofServer).output(type<SignInView>()),
  /** Forgets that it did not answer the probe: its next start probes it. */
  forgetSilence: oc.input(ofServer).output(type<Nothing>()),
  /** Reads its lists again. */
  reload: oc.input(ofServer).output(type<Nothing>()),
  consent: oc.input(ofServer).output(type<ConsentSheet>()),
  /** Approves and starts it. Fails if the fingerprint is no longer that of the configuration. */
  approve: oc
    .input(z.strictObject({ id, fingerprint: z.string().length(64), always: z.boolean() }))
    .output(type<Nothing>()),
  /** Leaves it stopped, and withdraws an approval. */
  decline: oc.input(ofServer).output(type<Nothing>()),
  /** Sets the consumers that are offered its tools. The user can always call them by hand. */
  setConsumers: oc
    .input(z.strictObject({ id, consumers: z.array(z.enum(toolConsumers)).max(toolConsumers.length) }))
    .output(type<Nothing>()),
  /** The tools whose definitions have changed since they were accepted, or are new. */
  definitionChanges: oc.input(ofServer).output(type<DefinitionChange[]>()),
  /** Accepts definitions. One that has changed again since it was shown stays withheld. */
  acceptDefinitions: oc
    .input(
      z.strictObject({
        id,
        tools: z.array(z.strictObject({ tool: z.string().max(10_000), hash: z.string().length(64) })).max(100_000),
      }),
    )
    .output(type<Nothing>()),
  resources: oc.input(ofServer).output(type<ServerResource[]>()),
  readResource: oc.input(z.strictObject({ id, uri: line.min(1) })).output(type<JsonObject>()),
  prompts: oc.input(ofServer).output(type<ServerPrompt[]>()),
  prompt: oc.input(z.strictObject({ id, name, args: values })).output(type<JsonObject>()),
  templates: oc.input(ofServer).output(type<ServerTemplate[]>()),
  /** The URI of a template. A variable without a value is omitted. */
  expandTemplate: oc.input(z.strictObject({ template: line, values })).output(type<{ uri: string }>()),
  /** Values for an argument of a prompt or of a template, at most 100; none if the server offers no completions. */
  complete: oc
    .input(
      z.strictObject({
        id,
        of: z.discriminatedUnion('type', [
          z.strictObject({ type: z.literal('ref/prompt'), name: line }),
          z.strictObject({ type: z.literal('ref/resource'), uri: line }),
        ]),
        argument: z.strictObject({ name, value: line }),
        /** The other arguments that have a value. */
        known: values,
      }),
    )
    .output(type<{ values: string[] }>()),
  /** Starts or ends the reports of changes of a resource. They begin again after each connection of this run. */
  subscribe: oc.input(z.strictObject({ id, uri: line.min(1), on: z.boolean() })).output(type<Nothing>()),
  /** Replaces its roots; a path becomes a `file:` URI. A connected server is notified, or restarted if it had no roots before. */
  setRoots: oc.input(z.strictObject({ id, roots: z.array(serverRoot).max(100) })).output(type<Nothing>()),
  /** Starts a connected server again, because it learns only then what it may ask for. */
  setSampling: oc.input(z.strictObject({ id, allowed: z.boolean() })).output(type<Nothing>()),
  /** Has a model write a reply to a waiting request. The server gets it only with `answer`. By default the default model. */
  draftReply: oc.input(z.strictObject({ requestId: id, model: id.optional() })).output(type<Required<SamplingReply>>()),
  setLogLevel: oc.input(z.strictObject({ id, level: z.enum(serverLogLevels) })).output(type<Nothing>()),
  /** Lines of its process, of its life and of its log, the oldest first; at most 500. */
  log: oc.input(ofServer).output(type<ServerLogLine[]>()),
  requests: oc.output(type<ServerRequest[]>()),
  answer: oc
    .input(
      z.strictObject({
        requestId: id,
        action: z.enum(['accept', 'decline', 'cancel']),
        content: jsonObject(1_000_000).optional(),
        /** Accepts a request of the kind `sampling`. */
        reply: samplingReply.optional(),
      }),
    )
    .output(type<Nothing>()),
  /** Writes servers as a configuration file. Inputs, variables or placeholders take the place of secrets. */
  export: oc
    .input(z.strictObject({ ids: z.array(id).min(1).max(200), format: z.enum(exportFormats) }))
    .output(type<ServerExport>()),
  /** Reads a configuration file, a link or a command line. Starts and fetches nothing. */
  previewImport: oc.input(z.strictObject(given)).output(type<ServerImportPreview>()),
  /** `path`: the absolute one of the file, whose later changes are noticed then. */
  import: oc.input(importing).output(type<{ ids: string[] }>()),
};
