import type { JsonObject, JsonSchema } from '../base/json.ts';
import type { InvokeOptions, ToolOutput } from './types.ts';

/** How one call through a `ToolClientBase` is steered. */
export interface DeviceCallOptions {
  /** Aborting takes the call out of the queue, or stops waiting for its answer. */
  signal?: AbortSignal | undefined;
  /** ms from the moment the request goes out; a device's client takes 30,000 unless told. `Infinity` is no limit. */
  timeoutMs?: number | undefined;
  /** Identifies the call in the wire log. */
  callId?: string | undefined;
  /** Called once, when the request really goes out. */
  onStart?: (() => void) | undefined;
  /** Called with the duration of the call, as in `InvokeOptions`. */
  onTimed?: InvokeOptions['onTimed'] | undefined;
  /** Called for each unreadable message, as in `InvokeOptions`. */
  onUnreadable?: InvokeOptions['onUnreadable'] | undefined;
}

/** Runs tools by their names somewhere else: on a device, on an MCP server. */
export interface ToolClientBase {
  /** Runs a tool. Every content part and `isError` are kept. Rejects with a `ToolError`. */
  callTool(toolName: string, args: JsonObject, options?: DeviceCallOptions): Promise<ToolOutput>;
}

/** A client of the tools that a device offers, whatever its transport (seed 000 §5.2). */
export interface DeviceToolClientBase extends ToolClientBase {
  /** Greets the device and fetches its tools. Rejects with a `ToolError` that says where it stopped. */
  initialize(options?: { signal?: AbortSignal }): Promise<void>;
  /** Fetches the tools again and replaces them by name. */
  updateTools(options?: { signal?: AbortSignal }): Promise<ToolDefinition[]>;
  getToolDefinitions(): ToolDefinition[];
  /** Rejects whatever waits or runs with this error. */
  cancelAll(error: Error): void;
}

/** A tool as any agent framework can take it (seed 000 §5.1). Of the three that run it one is set, by where it comes from. */
export interface ToolDefinition {
  name: string;
  description: string;
  /** The input schema, whole. */
  parameters: JsonSchema;
  /** Set where a tool is for people only: it is not offered to a model (spec/xiaozhi.md §1.4). */
  userOnly?: boolean;
  /** Set where a call can do harm: why, in a sentence. Such a call asks first. */
  danger?: string;
  /** A local tool's function: gets arguments that fit `parameters`, gives the value of the answer or a promise of it. */
  executor?: (args: JsonObject, options: InvokeOptions) => unknown;
  /** Who runs it, where it is a device's tool. */
  deviceClient?: DeviceToolClientBase;
  /** Who runs it, where it is an MCP server's tool. */
  mcpClient?: ToolClientBase;
}
