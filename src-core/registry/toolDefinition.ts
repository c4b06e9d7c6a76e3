import type { JsonObject, JsonSchema } from '../base/json.ts';
import type { InvokeOptions, ToolOutput } from './types.ts';

/** How one call through a `ToolClientBase` is steered. */
export interface DeviceCallOptions {
  /** Aborting removes the call from the queue, or stops waiting for its answer. */
  signal?: AbortSignal | undefined;
  /** ms from the moment the request is sent; the default of a device's client is 30,000. `Infinity` means no limit. */
  timeoutMs?: number | undefined;
  /** Identifies the call in the wire log. */
  callId?: string | undefined;
  /** Called once, when the request really goes out. */
  onStart?: (() => void) | undefined;
  /** Called with the duration of the call, as in `InvokeOptions`. */
  onTimed?: InvokeOptions['onTimed'] | undefined;
  /** Called for each message that matches no request, as in `InvokeOptions`. */
  onUnmatched?: InvokeOptions['onUnmatched'] | undefined;
}

/** Runs tools by their names somewhere else: on a device, on an MCP server. */
export interface ToolClientBase {
  /** Runs a tool. Every content part and `isError` are kept. Rejects with a `ToolError`. */
  callTool(toolName: string, args: JsonObject, options?: DeviceCallOptions): Promise<ToolOutput>;
}

/** A client of the tools that a device offers, whatever its transport. */
export interface DeviceToolClientBase extends ToolClientBase {
  /** Handshakes with the device and fetches its tools. @throws {ToolError} Names the step that failed. */
  initialize(options?: { signal?: AbortSignal }): Promise<void>;
  /** Fetches the tools again and replaces them by name. */
  updateTools(options?: { signal?: AbortSignal }): Promise<ToolDefinition[]>;
  getToolDefinitions(): ToolDefinition[];
  /** Rejects whatever waits or runs with this error. */
  cancelAll(error: Error): void;
}

/** A tool as any agent framework can take it. One of the three members that run it is set, depending on its source. */
export interface ToolDefinition {
  name: string;
  description: string;
  /** The input schema, whole. */
  parameters: JsonSchema;
  /** Set if a tool is for users only: it is not offered to a model (docs/protocols/device-mcp.md). */
  userOnly?: boolean;
  /** Set if a call can do harm: why, in a sentence. Such a call asks first. */
  danger?: string;
  /** A local tool's function: receives arguments that match `parameters`, returns the answer's value or a promise of it. */
  executor?: (args: JsonObject, options: InvokeOptions) => unknown;
  /** Runs it, if it is a device's tool. */
  deviceClient?: DeviceToolClientBase;
  /** Runs it, if it is an MCP server's tool. */
  mcpClient?: ToolClientBase;
}
