import type { JsonObject, JsonSchema } from './json.ts';
import type { ToolOutput } from './types.ts';

/** How one call through a `DeviceToolClientBase` is steered. */
export interface DeviceCallOptions {
  /** Aborting takes the call out of the queue, or stops waiting for its answer. */
  signal?: AbortSignal;
  /** ms from the moment the request goes out; none unless told. */
  timeoutMs?: number;
  /** Identifies the call in the wire log. */
  callId?: string;
  /** Called once, when the request really goes out. */
  onStart?: () => void;
}

/** A client of the tools that a device offers, whatever its transport (seed 000 §5.2). */
export interface DeviceToolClientBase {
  /** Greets the device and fetches its tools. Rejects with a `ToolError` that says where it stopped. */
  initialize(options?: { signal?: AbortSignal }): Promise<void>;
  /** Fetches the tools again and replaces them by name. */
  updateTools(options?: { signal?: AbortSignal }): Promise<ToolDefinition[]>;
  /** Runs a tool. Every content part and `isError` are kept. Rejects with a `ToolError`. */
  callTool(toolName: string, args: JsonObject, options?: DeviceCallOptions): Promise<ToolOutput>;
  getToolDefinitions(): ToolDefinition[];
  /** Rejects whatever waits or runs with this error. */
  cancelAll(error: Error): void;
}

/** A tool as any agent framework can take it (seed 000 §5.1). */
export interface ToolDefinition {
  name: string;
  description: string;
  /** The input schema, whole. */
  parameters: JsonSchema;
  /** Who runs it, where it is a device's tool. */
  deviceClient?: DeviceToolClientBase;
}
