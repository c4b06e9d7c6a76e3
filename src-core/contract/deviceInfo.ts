/**
 * The state of a device's connection. `announced`: it asked OTA and has not connected since. `approval`: it is on the
 * network and waits for the user's approval.
 */
export type DeviceState =
  | 'announced'
  | 'hello'
  | 'approval'
  | 'initializing'
  | 'listing'
  | 'ready'
  | 'closed'
  | 'failed';

/** Whether a device in this state is connected and does not wait for approval. */
export function isAdmittedState(state: string): boolean {
  return !['announced', 'approval', 'closed', 'failed'].includes(state);
}

/** Facts about a device, connected or not, that its state does not show; the most serious one first. */
export const worseHealths = [
  'list-incomplete',
  'tools-invalid',
  'no-mcp',
  'no-tools',
  'mac-shared',
  'reconnects',
  'broken-frames',
  'left-during-call',
  'call-timeout',
  'back-after-crash',
] as const;

/** The most serious fact about a device: its state, or a fact that its state does not show. */
export type DeviceHealth = DeviceState | 'refused' | (typeof worseHealths)[number];

/** A connected, failed or departed device, or one that only asked OTA, as data. */
export interface DeviceInfo {
  /** The hub's own id: stable for one device across reconnects. */
  id: string;
  /** The device's name on the wire (`Device-Id`, a MAC address); untrusted text. */
  deviceId: string;
  clientId?: string;
  name: string;
  /** The node of the cluster that it is connected to, if that is another one. `isLost`: the node cannot be reached. */
  node?: { id: string; name: string; isLost: boolean };
  /** Another node lists the device. This node has a log of it, too, by its Device-Id, and does not list its own row. */
  hasLogHere?: true;
  /** The other nodes of the cluster do not know yet that it is approved. */
  isUnshared?: true;
  /** It waits for approval, and the user has rejected it since Toolwire started. */
  wasRejected?: true;
  /** What it calls itself, if the user gave it `name`. */
  ownName?: string;
  state: DeviceState;
  /** The most serious fact about it. */
  health: DeviceHealth;
  /** Id of its ToolRegistry while ready. */
  registryId?: string;
  /** The id that its ToolRegistry had, while it is not ready. */
  lastRegistryId?: string;
  toolCount: number;
  board?: string;
  firmware?: string;
  /** `User-Agent` of the connection: which client it is. */
  userAgent?: string;
  remoteAddress?: string;
  /** It connects from another machine. */
  remote: boolean;
  /** `version` of hello: how it frames its audio (1, 2 or 3). */
  protocolVersion?: number;
  /** `features` and `audio_params` of hello, as the device sent them, bounded. */
  features?: Record<string, boolean>;
  audioParams?: { format?: string; sampleRate?: number; channels?: number; frameDurationMs?: number };
  /** Epoch ms. */
  connectedAt: number;
  lastSeenAt: number;
  /** When its connection ended; absent while it is open. */
  leftAt?: number;
  /** Round trips of the last tool calls (at most 256), ms. One that timed out counts with its time limit. */
  latency?: { lastMs: number; p50Ms: number; p99Ms: number; count: number };
  /** Audio of this connection. */
  audio?: {
    frames: number;
    bytes: number;
    /** Over the last two seconds. */ framesPerSecond: number;
    malformed: number;
  };
  /** Notifications that the device sent on this connection. */
  notifications?: { count: number; lastMethod: string; /** Epoch ms. */ lastAt: number };
  /** What changed in its tools since its previous connection; absent if nothing did or there was none. */
  toolChanges?: { added: string[]; removed: string[]; changed: string[] };
  /** It is Toolwire's virtual device, of this workbench or of a terminal. */
  virtual: boolean;
  /** It is a virtual device of this workbench, which can press its button, cut its power and turn it on again. */
  ours?: boolean;
  /** Why it failed or left. */
  error?: { code: string; message: string };
  /** How far it has come, and what to check at the step of the stop. */
  doctor: DoctorReport;
  counters: {
    framesIn: number;
    framesOut: number;
    binaryIn: number;
    /** Frames that could not be read. */ invalidIn: number;
  };
}

/** The steps of a connection, in their order. `call`: the tool call that its end cut off, or that got no usable answer. */
export type DoctorStepId = 'ota' | 'tcp' | 'hello' | 'approval' | 'initialize' | 'tools' | 'call';

/** One step: `skipped` was not needed, `current` is waited for, `failed` is the step that failed. */
export interface DoctorStep {
  id: DoctorStepId;
  state: 'done' | 'skipped' | 'current' | 'failed' | 'open';
  /** Epoch ms of when it was done or failed. */
  at?: number;
  /** ms since the previous step, if both times are of this connection. */
  tookMs?: number;
  /** A fact to show: `13 tools, 2 pages`, `version 3, MCP`, `#23`; device text, plain. */
  fact?: string;
}

/** Why connections get no further. */
export const doctorCauses = [
  'never-connected',
  'ota-refused',
  'no-hello',
  'not-hello',
  'no-token',
  'wrong-token',
  'waits-for-approval',
  'approved-away',
  'refused',
  'too-many-devices',
  'same-id',
  'mac-shared',
  'reconnects',
  'too-much-data',
  'no-mcp',
  'initialize-silent',
  'initialize-error',
  'list-silent',
  'list-error',
  'list-incomplete',
  'tools-invalid',
  'no-tools',
  'left-before-ready',
  'left',
  'closed-here',
  'toolwire-ended',
  'left-during-call',
  'left-as-asked',
  'broken-frames',
  'call-timeout',
  'call-unmatched',
  'answered-late',
  'back-after-crash',
  'idle',
] as const;

/** Why a connection got no further. The window words each in its language (docs/protocols/xiaozhi.md). */
export type DoctorCause = (typeof doctorCauses)[number];

/** Why frames of a device cannot be read: the same for its card and for the call that such a frame answers. */
export const frameFaults = ['foreign', 'cut', 'not-utf8', 'malformed', 'binary', 'audio'] as const;

/**
 * `foreign`: text that does not begin as a message. `binary`: JSON in a frame that carries audio. `audio`: a binary frame
 * whose header does not fit. The others are faults of a text frame.
 */
export type FrameFault = (typeof frameFaults)[number];

/** What a device has done so far, at which step it stopped, and what usually causes that. */
export interface DoctorReport {
  steps: DoctorStep[];
  /** Absent while all is well. */
  cause?: DoctorCause;
  /** For `broken-frames`, also of its last call: what is wrong with them, if it is known. */
  faults?: FrameFault[];
}

/** The outcome of forgetting all devices that are not connected: the ids of those that were, and those that were not. */
export interface ForgottenDevices {
  forgotten: string[];
  failed: { name: string; reason: string }[];
}

/** The outcome of a frame sent by hand. If it must be confirmed first, `danger` states what it would do. */
export type SendOutcome = { sent: true; seq: number } | { sent: false; needs: 'confirmation-required'; danger: string };

/** What the user needs to connect a device to this machine. */
export interface ConnectionFacts {
  /** One for every address at which this machine is reached; the first is the likeliest for a device. `isPublic`: that of the load balancer. */
  addresses: { host: string; interface: string; isPublic?: true; otaUrl: string; webSocketUrl: string }[];
  /** Admits a device that cannot ask OTA, such as py-xiaozhi with its own WEBSOCKET_URL. A secret. */
  accessToken: string;
}

/** The messages of the protocol that a log names. */
export const messageTypes = [
  'hello',
  'mcp',
  'listen',
  'abort',
  'iot',
  'ping',
  'pong',
  'goodbye',
  'tts',
  'stt',
  'llm',
  'system',
  'alert',
  'custom',
] as const;

/** `event` is a message of an unknown type, `invalid` what could not be read. */
export const frameTypes = [...messageTypes, 'audio', 'open', 'close', 'note', 'event', 'invalid'] as const;

/** What a log calls a frame of a device. */
export type FrameType = (typeof frameTypes)[number];
