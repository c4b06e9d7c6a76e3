import type { JsonObject } from '../../../base/json.ts';
import type { Localized } from '../../../base/messages/localize.ts';
import type { ExportFormat as WritableFormat } from '../../../contract/servers.ts';

export type { WritableFormat };

/** The files and texts that name MCP servers. `link` and `commandLine` can only be read. */
export type ConfigFormat = WritableFormat | 'link' | 'commandLine';

/**
 * How the texts of a server refer to values from elsewhere: not at all; as Claude Code does (`${NAME}`, `${NAME:-default}`); or as
 * VS Code does (`${env:NAME}`, `${input:id}`, `${workspaceFolder}`, `${userHome}`).
 */
export type VariableSyntax = 'none' | 'shell' | 'editor';

/** How to start or reach a server. The texts are as in the file: variables in them are not replaced. */
export type ServerConfig =
  | { type: 'stdio'; command: string; args: string[]; env: Record<string, string>; cwd?: string }
  | { type: 'http' | 'sse' | 'websocket'; url: string; headers: Record<string, string> };

/**
 * How a file spelled a `ServerConfig`, if this differs from the usual spelling of the format. Contains no value of a variable or header.
 */
export interface Spelling {
  /** Fields with another value, such as `type: "streamable-http"`. */
  fields?: JsonObject;
  /** Fields that the file omitted. */
  absent?: string[];
  /** Members of `env` and `headers` that are no strings: `{ env: { PORT: "number" } }`. */
  kinds?: Record<string, Record<string, 'number' | 'boolean' | 'null'>>;
}

/** A server as a configuration file describes it. Plain data, which can be kept as JSON. */
export interface ConfiguredServer {
  name: string;
  /** The format that `variables`, `extra` and `spelling` are of. */
  format: WritableFormat;
  config: ServerConfig;
  variables: VariableSyntax;
  /** Undefined if the file does not state it. */
  disabled?: boolean;
  /** The longest time that a call may take, in milliseconds. */
  timeoutMs?: number;
  /** Definitions of the inputs that the texts refer to, as VS Code writes them. */
  inputs?: JsonObject[];
  /** Fields that Toolwire does not know, as they are. */
  extra: JsonObject;
  spelling?: Spelling;
}

/** A message to the user about a text. An `error` states why a server, or the whole text, was not read. */
export interface ConfigProblem {
  level: 'error' | 'warning';
  message: Localized;
  server?: string;
  /** Counts from 1. Undefined if the text has no lines that could be named. */
  line?: number;
}
