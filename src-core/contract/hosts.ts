import { oc } from '@orpc/contract';
import * as z from 'zod';

import type { ToolErrorCode } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { callDecisions, callQuestion, historyStatus } from './callRecords.ts';
import { id, nothing, text } from './fields.ts';

/** Epoch ms. */
const time = z.number();
const count = z.int().min(0);

const names = z.array(z.string().min(1).max(600)).max(1_000);

/** A selection of tools: all; those of whole sources (`device:<id>`, `mcp:<id>`); and single ones by exported name. */
export const chosenTools = z.strictObject({ all: z.boolean(), sources: names, tools: names });
export type ChosenTools = z.infer<typeof chosenTools>;

/** What a host may use: all tools or a selection, with the alias of their source; or those of one device or MCP server. */
export const hostScope = z.union([
  z.literal('all'),
  z.strictObject({ kind: z.enum(['device', 'mcp']), id: z.string().min(1).max(512) }),
  z.strictObject({ kind: z.literal('chosen'), chosen: chosenTools }),
]);
export type HostScope = z.infer<typeof hostScope>;

/** A program that calls our tools over MCP: one that has a token, or one that started `toolwire mcp`. */
const hostRow = z.strictObject({
  id: z.string(),
  kind: z.enum(['token', 'stdio']),
  /** This version cannot read its stored token and refuses it. Another version may accept it until it is revoked. */
  unreadable: z.literal(true).exactOptional(),
  /** What the user called it, or what it calls itself. */
  name: z.string(),
  scope: hostScope,
  /** It is offered `find_tool` and `call_tool` in place of the tools. */
  finds: z.boolean(),
  /** Exported tools of its scope. */
  tools: count,
  /** What the host reports about itself; untrusted. Absent until it has connected. */
  client: z.strictObject({ name: z.string(), version: z.string() }).exactOptional(),
  era: z.enum(['legacy', 'modern']).exactOptional(),
  /** Of the protocol: 2025-11-25. */
  revision: z.string().exactOptional(),
  /** When its token was made. */
  createdAt: time.exactOptional(),
  lastSeenAt: time.exactOptional(),
  lastCallAt: time.exactOptional(),
  /** Exported name of the tool that it called last in this run. */
  lastCall: z.string().exactOptional(),
  /** How long that took, if it has ended. */
  lastCallMs: z.number().exactOptional(),
  callsToday: count,
  /** Streams and requests that are open. */
  connections: count,
});
export type HostRow = z.infer<typeof hostRow>;

/** A call of a host. */
const hostCall = z.strictObject({
  /** Its id in the history. */
  callId: z.string(),
  /** The exported name. */
  name: z.string(),
  qualifiedName: z.string(),
  at: time,
  /** `asking`: it waits for the user's approval. */
  status: z.enum(['asking', 'running', ...historyStatus.options]),
  durationMs: z.number().exactOptional(),
  /** Set if it failed; the message is cut to 300 characters, and longer details are only in the history. */
  error: z
    .strictObject({
      code: z.custom<ToolErrorCode>(),
      message: z.string(),
      details: z.custom<JsonObject>().exactOptional(),
    })
    .exactOptional(),
});
export type HostCall = z.infer<typeof hostCall>;

/** Why a host does not take a tool. */
const hostFinding = z.strictObject({
  host: z.string(),
  /**
   * `left-out`: the host does not offer it to its model. `refused`: the host refuses the whole list. `cut`: only a part of it is passed on.
   * `gives-up`: the host ends a call that takes longer.
   */
  effect: z.enum(['left-out', 'refused', 'cut', 'gives-up', 'warning']),
  code: z.enum(['too-many', 'name-too-long', 'name-characters', 'schema-union', 'description-too-long', 'too-slow']),
  /** The bound that it exceeds; of `too-slow`, in seconds. */
  limit: z.number().exactOptional(),
});
export type HostFinding = z.infer<typeof hostFinding>;

const exportedTool = z.strictObject({
  name: z.string(),
  /** Its name at its source. */
  methodName: z.string(),
  description: z.string(),
  /** The tool to which the name refers. */
  qualifiedName: z.string(),
  /** `kind:id` of its source, as in a selection. */
  source: z.string(),
  sourceLabel: z.string(),
  /** What its name begins with in the scopes of all and of chosen tools. */
  alias: z.string(),
  /** Tokens that it adds to a list, estimated. */
  tokens: count,
  /** Its source is no longer available; calls fail with an error that states this. */
  absent: z.boolean(),
  /** A call asks first. */
  asksFirst: z.boolean(),
  readOnly: z.boolean(),
  findings: z.array(hostFinding),
});
export type ExportedToolRow = z.infer<typeof exportedTool>;

/** A program whose configuration we know, or another one. */
const hostProgram = z.enum(['claude-code', 'claude-desktop', 'vscode', 'cursor', 'codex', 'inspector', 'other']);
export type HostProgram = z.infer<typeof hostProgram>;

const connectText = z.strictObject({
  program: hostProgram,
  transport: z.enum(['http', 'stdio']),
  /** The file it belongs to. */
  file: z.string().exactOptional(),
  /** `url` and `header`: to be entered in the host. */
  language: z.enum(['json', 'toml', 'shell', 'url', 'header']),
  text: z.string(),
  /** It can be written for the user: the absolute path. */
  writable: z.string().exactOptional(),
});
export type ConnectText = z.infer<typeof connectText>;

const hostsState = z.strictObject({
  /** Of all tools, and for other machines if they can use it; `/device/<id>` and `/server/<id>` follow it for one source. */
  url: z.string(),
  listening: z.boolean(),
  /** Whether hosts of other machines may use it, if the port is open to the network. */
  openToNetwork: z.boolean(),
  hosts: z.array(hostRow),
  /** The calls that ask, oldest first. */
  questions: z.array(callQuestion),
  /** Exported tools of scope `all`. */
  tools: count,
});
export type HostsState = z.infer<typeof hostsState>;

/** MCP hosts that call our tools. */
export const hosts = {
  state: oc.output(hostsState),
  /** Makes a token. It is in this answer only: its hash is kept. */
  create: oc
    .input(z.strictObject({ name: z.string().trim().min(1).max(100), scope: hostScope, finds: z.boolean().optional() }))
    .output(z.strictObject({ id: z.string(), token: z.string() })),
  /** Changes what the host of a token is offered. This takes effect immediately. Connections at addresses that it may no longer use are ended. */
  change: oc.input(z.strictObject({ id, scope: hostScope, finds: z.boolean() })).output(nothing),
  /** Revokes a token and immediately ends everything that is open under it. For a program that started `toolwire mcp`, ends its connection. */
  revoke: oc.input(z.strictObject({ id })).output(nothing),
  setOpenToNetwork: oc.input(z.strictObject({ open: z.boolean() })).output(nothing),
  /** Its last calls since the start of Toolwire, newest first; 100 at most. */
  calls: oc.input(z.strictObject({ id })).output(z.array(hostCall)),
  /** What is offered, with what hosts do not take of it. */
  tools: oc.input(z.strictObject({ scope: hostScope })).output(z.array(exportedTool)),
  /** Gives a tool another name for hosts of all tools. `name`: its present one. A name is never used for another tool. */
  rename: oc.input(z.strictObject({ name: z.string().max(64), to: z.string().max(200) })).output(nothing),
  /** Gives a source another alias: the names of its tools begin with it, except those that were renamed. */
  setAlias: oc
    .input(z.strictObject({ source: z.string().min(1).max(600), alias: z.string().max(200) }))
    .output(nothing),
  /** A call of a tool by its qualified name as a curl command without the token. Fails if hosts are not offered the tool. */
  curl: oc
    .input(z.strictObject({ toolName: z.string().min(1).max(1024), argsJson: text }))
    .output(z.strictObject({ text: z.string() })),
  /** The configuration of each program. The token in it is an input or a variable. */
  connectTexts: oc
    .input(z.strictObject({ scope: hostScope, finds: z.boolean().optional() }))
    .output(z.array(connectText)),
  /** Adds Toolwire to the configuration file of a program that starts `toolwire mcp`; all else in it stays as it is. */
  writeConfig: oc
    .input(z.strictObject({ program: hostProgram, scope: hostScope.optional(), finds: z.boolean().optional() }))
    .output(z.strictObject({ file: z.string() })),
  ...callDecisions,
};
