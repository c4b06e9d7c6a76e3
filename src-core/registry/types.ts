import type { JsonNumber, JsonObject, JsonSchema, JsonValue } from '../base/json.ts';

/** Where a tool comes from. Each has its own icon and colour in the window. */
export type ToolSourceKind = 'builtin' | 'module' | 'device' | 'gateway' | 'mcp';

/** The origin of a registry: a kind, and which one of that kind (a device id, a module file). */
export interface ToolSource {
  kind: ToolSourceKind;
  /** Unique within the kind. */
  id: string;
  /** The name shown to the user: the device's name, the file's name. */
  label: string;
}

/** One parameter as the window or a prompt shows it: a flat view of the schema's property. */
export interface MethodParameter {
  name: string;
  /** JSON Schema type; several are joined by `|`, none is `any`. */
  type: string;
  description?: string;
  required: boolean;
  defaultValue?: JsonValue;
  enum?: JsonValue[];
  minimum?: JsonNumber;
  maximum?: JsonNumber;
}

/** What a method is, without the means to call it. */
export interface MethodMetadata {
  /** As the source spells it. May hold dots and underscores (`self.audio_speaker.set_volume`). */
  name: string;
  displayName?: string;
  description: string;
  /** Only methods marked so may be called by a model (double check). */
  agentCallable: boolean;
  /**
   * Parameters as JSON Schema 2020-12, type `object`: the authoritative form. `methodParameters` returns the flat view.
   */
  inputSchema: JsonSchema;
  /** The schema of its answers' `structuredContent`, if the source sends one (MCP 2025-06-18). Untrusted, as well. */
  outputSchema?: JsonSchema;
  /** `vcpCommand` is the name a VCP prompt shows and a VCP request may use instead of `name`. */
  protocolConfig?: { vcpCommand?: string };
  /** Set if a call can do harm (reboot, upgrade, kill): why, in a sentence. Such a call always asks first. */
  danger?: string;
  /** Why it cannot be called, and the remedy, if its tool's other methods can be. It is not `agentCallable` then. */
  error?: string;
}

/** A registry's self-description. `error` replaces the methods if the source could not be read. */
export interface ToolMetadata {
  methods: MethodMetadata[];
  /** Why the tool cannot be used right now: a module that failed to load, a list that stopped half-way. */
  error?: string;
}

/** A piece of a tool's answer (MCP content block). */
export type ContentBlock =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; /** base64 */ data: string; mimeType: string }
  /** Embedded, with its text or (base64) its bytes; with neither, a link to it, which is not followed automatically. */
  | { type: 'resource'; uri: string; name?: string; mimeType?: string; text?: string; blob?: string };

/** What a call gave back. */
export interface ToolOutput {
  /** The value: a string, or anything that `JSON.stringify` takes. */
  value: unknown;
  /** The answer in blocks, if the source sends blocks (devices, MCP servers). */
  content?: ContentBlock[];
  /** The answer as data, if the source sends it beside its blocks (MCP `structuredContent`). */
  structuredContent?: unknown;
  /** The tool itself says that it failed (MCP `isError`). */
  isError?: boolean;
  /** What the source says about the call, for the user alone. */
  remark?: string;
}

/** A step of a long call, passed on to its listeners. */
export interface ToolProgress {
  progress: number;
  total?: number;
  message?: string;
}

/** What a call carries beside its arguments. */
export interface InvokeOptions {
  /** Aborts when the caller cancels or the time is up; the tool must stop its work. */
  signal: AbortSignal;
  /** Milliseconds this call may take from the moment it starts. */
  timeoutMs: number;
  /** Identifies the call in logs and wire captures. */
  callId: string;
  onProgress?: (progress: ToolProgress) => void;
  /**
   * Called by a source in which calls wait (for their turn at a device, or for a module to load) when this one really
   * goes out, at most once. The executor starts its timer then; a source that never calls it is timed from the start.
   */
  onStart?: () => void;
  /** Called for each message that arrives while the call waits and that cannot be read: it may have been the answer. */
  onUnreadable?: () => void;
  /**
   * Called by a source that times its calls itself, at most once, just before the call ends: ms from when it went out
   * to its answer, or to the end of the connection. Then this is the call's duration; the executor measures the others.
   */
  onTimed?: (durationMs: number) => void;
}

/** A source of callable methods: built-in, a module, a device, a gateway client, an MCP server. */
export interface ToolRegistry {
  /** Unique in the manager. May hold underscores. */
  readonly id: string;
  /** Display name. */
  readonly name: string;
  readonly description?: string;
  readonly source: ToolSource;
  /** True if calls wait inside the source, and it calls `onStart` for each. */
  readonly queued?: boolean;
  /** Why a call may get no answer, as a sentence; follows the message of a time-out. */
  readonly silenceHint?: string;
  getMetadata(): ToolMetadata;
  /** Reads the source again; resolves when its metadata is up to date. Absent if there is nothing to read. */
  reload?(): Promise<void>;
  /** Runs one method. Rejects with a `ToolError` or whatever the tool threw; resolves with its output. */
  invoke(methodName: string, args: JsonObject, options: InvokeOptions): Promise<ToolOutput>;
}
