import { oc, type } from '@orpc/contract';
import * as z from 'zod';

import type { JsonObject } from '../base/json.ts';
import { logLevels } from '../base/logLevels.ts';
import { callDecisions, callQuestion } from './callRecords.ts';
import { callId, id, json, jsonObject, nothing } from './fields.ts';

const line = z.string().min(1).max(20_000);

/** An MCP App: a page of a server that shows the results of its tools. Everything but the ids is the server's. */
export interface AppContent {
  serverId: string;
  serverName: string;
  /** `ui://…` */
  uri: string;
  html: string;
  /** The hosts that it declares, each of which can be a source of a content security policy. */
  csp: Record<'connectDomains' | 'resourceDomains' | 'frameDomains' | 'baseUriDomains', string[]>;
  /** Declared hosts that are omitted because they are not valid sources. */
  refused: string[];
  /** What it asks for, as features of Permissions Policy. */
  permissions: ('camera' | 'microphone' | 'geolocation' | 'clipboard-write')[];
  prefersBorder?: boolean;
  /** Origin of the sandbox for windows in a browser. */
  sandbox?: string;
  /** The call whose result it shows: the definition of its tool, its arguments as JSON text, and its result. */
  call?: { tool: JsonObject; argsJson: string; result?: JsonObject };
}

/** MCP Apps. Their pages run in the window, in a sandbox; their requests to their server are procedures here. */
export const apps = {
  /** Reads the App that shows the result of a call, or an App of a server. */
  open: oc
    .input(z.union([z.strictObject({ callId }), z.strictObject({ serverId: id, uri: line })]))
    .output(type<AppContent>()),
  /**
   * Calls a tool of the App's server for the App, as a `tools/call` result. Asks the user the first time, and each time if the tool is
   * dangerous. Fails if the tool is not for Apps, or the user refuses.
   */
  call: oc
    .input(z.strictObject({ serverId: id, uri: line, tool: line, args: jsonObject(1_000_000) }))
    .output(type<JsonObject>()),
  /** Adds a line to the log of the App's server. */
  log: oc
    .input(
      z.strictObject({
        serverId: id,
        level: z.enum(logLevels),
        logger: z.string().max(200).optional(),
        data: json(20_000),
      }),
    )
    .output(nothing),
  /** The calls of Apps that ask, oldest first. */
  questions: oc.output(z.array(callQuestion)),
  ...callDecisions,
};
