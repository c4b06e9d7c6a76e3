/** Tools and their answers as data, for the registry and the contract. */
import type { JsonNumber, JsonSchema, JsonValue } from './json.ts';

/** The kind of a tool's source. The window has an icon and a colour for each. */
export type ToolSourceKind = 'builtin' | 'module' | 'device' | 'gateway' | 'mcp';

/** The origin of a registry: a kind, and which one of that kind (a device id, a module file). */
export interface ToolSource {
  kind: ToolSourceKind;
  /** Unique within the kind. */
  id: string;
  /** The name shown to the user: the device's name, the file's name. */
  label: string;
  /** The name of the node of the cluster that has it, if that is another one. */
  node?: string;
}

/** One parameter as the window or a prompt shows it: what can be read of the schema's property at a glance. */
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
  /** The properties of an object. */
  properties?: MethodParameter[];
  /** The items of an array, as one parameter with an empty name. */
  items?: MethodParameter;
}

/**
 * Which part of Toolwire passes methods on: chats, the gateway, conversations with realtime models, agents of devices (at an MCP
 * endpoint), or MCP hosts.
 */
export const toolConsumers = ['chat', 'gateway', 'realtime', 'device', 'host'] as const;
export type ToolConsumer = (typeof toolConsumers)[number];

/** What a method is, without the means to call it. */
export interface MethodMetadata {
  /** As the source spells it. May hold dots and underscores (`self.audio_speaker.set_volume`). */
  name: string;
  displayName?: string;
  description: string;
  /** Only methods marked so may be called by a model (double check). */
  agentCallable: boolean;
  /** The only consumers that are offered it; all of them if absent. Read with `isOfferedTo`. */
  consumers?: readonly ToolConsumer[];
  /** Set if it is withheld: the consumers that are offered it once the user has accepted its changed definition. */
  withheldFrom?: readonly ToolConsumer[];
  /** Parameters as JSON Schema 2020-12, type `object`: the authoritative form. `methodParameters` returns what can be read at a glance. */
  inputSchema: JsonSchema;
  /** The schema of its answers' `structuredContent`, if the source sends one (MCP 2025-06-18). Untrusted, as well. */
  outputSchema?: JsonSchema;
  /** URI of the MCP App that shows its results. */
  app?: string;
  /** `vcpCommand` is the name a VCP prompt shows and a VCP request may use instead of `name`. */
  protocolConfig?: { vcpCommand?: string };
  /** Whether a call may or must run as a task that the source processes on its own (MCP). */
  taskSupport?: 'optional' | 'required';
  /** Set if a call can do harm (reboot, upgrade, kill): why, in a sentence. Such a call always asks first. */
  danger?: string;
  /** Why it cannot be called, and the remedy, if its tool's other methods can be. It is not `agentCallable` then. */
  error?: string;
}

/** A piece of a tool's answer (MCP content block). */
export type ContentBlock =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; /** base64 */ data: string; mimeType: string }
  /** Embedded, with its text or (base64) its bytes; with neither, a link to it, which is not followed automatically. */
  | { type: 'resource'; uri: string; name?: string; mimeType?: string; text?: string; blob?: string };

/** A step of a long call, passed on to its listeners. */
export interface ToolProgress {
  progress: number;
  total?: number;
  message?: string;
}

/** A call that its source works on by itself (an MCP task), and that outlives the connection. */
export interface ToolTask {
  taskId: string;
  status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
  statusMessage?: string;
  /** It ends when Toolwire ends, because nothing could follow it afterwards. */
  endsWithToolwire?: true;
}

/** What a source asked the user during a call, in one round, and the answers. */
export interface ToolRound {
  /** Epoch ms of the answer. */
  at: number;
  questions: ToolQuestion[];
}

/** Texts are shortened, and secrets in them are masked. */
export interface ToolQuestion {
  kind: 'form' | 'url' | 'sampling' | 'roots';
  asked: string;
  outcome: 'accept' | 'decline' | 'cancel';
  /** What was sent, as JSON. */
  answered?: string;
}

/** What a source reports of a call that runs. `isWaiting`: its time limit is paused, because the user is asked, or no longer. */
export type ToolReport = { task: ToolTask } | { round: ToolRound } | { isWaiting: boolean };

/** The part of a successful answer that states that the tool failed. */
export interface SoftFailure {
  /** The member of the JSON answer that states it; absent if the text of the answer states it. */
  member?: string;
  /** The value of the member as JSON, or the beginning of the text. */
  value: string;
}
