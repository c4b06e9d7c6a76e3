import type {
  RealtimeDialectDifferences,
  RealtimeDialectName,
  RealtimeProfile,
  RealtimeSessionOptions,
} from '../../base/realtimeTypes.ts';
import type { SecretStorage } from '../modelInfo.ts';

export type {
  RealtimeDialectDifferences,
  RealtimeDialectName,
  RealtimeProfile,
  RealtimeScript,
  RealtimeSessionOptions,
} from '../../base/realtimeTypes.ts';

/** A realtime model as the window shows it. It never contains the key, only whether there is one. */
export type RealtimeProfileInfo = RealtimeProfile & { hasKey: boolean; isDefault: boolean };

/** Every realtime model that is set up, the scripted one first. */
export interface RealtimeProfileList {
  profiles: RealtimeProfileInfo[];
  /** The usual address, model and voices of each dialect, to start from. */
  presets: RealtimePreset[];
  keyStorage: SecretStorage;
  forDevices: RealtimeForDevices;
}

/** Which devices are answered by a realtime model as soon as they listen. */
export interface RealtimeForDevices {
  /** Id of the profile that answers every device; null if none does. */
  all: string | null;
  /** By the hub's id: the choice that overrides `all`. */
  devices: Record<string, string | null>;
}

/** What a new profile of a dialect starts with. */
export interface RealtimePreset {
  dialect: RealtimeDialectName;
  label: string;
  url: string;
  model: string;
  differences?: RealtimeDialectDifferences;
  /** Other models that the server has. */
  models: string[];
  voices: string[];
}

/** One conversation with a realtime model. */
export interface RealtimeSessionInfo {
  id: string;
  profileId: string;
  /** The profile's label when the session began. */
  label: string;
  dialect: RealtimeDialectName;
  model: string;
  /** Who speaks: this window, or a device by the hub's id. */
  from: { kind: 'window' } | { kind: 'device'; deviceId: string; name: string };
  state: 'connecting' | 'connected' | 'reconnecting' | 'closed';
  /** Epoch ms. */
  startedAt: number;
  closedAt?: number;
  /** Why it is closed, or reconnects. */
  reason?: string;
  instructions: string;
  voice: string;
  /** The session's other options; if absent, the model's own settings. */
  session: RealtimeSessionOptions;
  /** Whether all methods that are offered to models (of a device, its own) are meant, or chosen ones. */
  toolChoice: 'all' | 'chosen';
  /** Qualified names of the tools that the model has. */
  tools: string[];
  /** Those that the server dropped silently. */
  droppedTools: string[];
  /** `station`: calls run immediately. `downstream`: they wait for the user's answer. */
  plan: 'station' | 'downstream';
  /** Samples a second. */
  inputSampleRate: number;
  outputSampleRate: number;
  /** Whether the model speaks, and whether the user does. */
  speaking: { bot: boolean; user: boolean };
  counts: { events: number; responses: number; calls: number };
  latency: RealtimeLatency;
}

/** ms; from the end of speech to the first sound of the answer. */
export interface RealtimeLatency {
  last?: number;
  p50?: number;
  p99?: number;
  count: number;
}

/** A line of the conversation. */
export interface RealtimeTranscriptEntry {
  id: string;
  /** `note`: something happened to the connection or the session; `text` states what. */
  who: 'user' | 'bot' | 'note';
  text: string;
  /** Still growing. */
  partial: boolean;
  /** It was interrupted. */
  interrupted?: true;
  /** How much of the voice was played when it was interrupted, and how much had come. */
  heard?: { ms: number; ofMs: number };
  /** A picture that the user showed: its bytes. */
  pictureBytes?: number;
  /** Epoch ms. */
  at: number;
}

/** A span or a point on the timeline. */
export interface RealtimeTimelineItem {
  /** Increases by one; a changed item is sent again with the same number. */
  seq: number;
  lane: 'user-audio' | 'user-speech' | 'bot-audio' | 'response' | 'tool' | 'event';
  /** Epoch ms. */
  from: number;
  /** Epoch ms; absent while it continues, the same as `from` for a point in time. */
  to?: number;
  /** `session.updated`, a tool's qualified name, what was said. */
  label: string;
  state: 'running' | 'ok' | 'failed' | 'interrupted' | 'waiting';
  /** ms; speech end → first sound for a response, start → output for a tool. */
  latencyMs?: number;
  /** In the lane of tools. */
  call?: RealtimeToolCall;
  /** `seq` of its frames, the first and the last few. */
  events: number[];
}

/** A call of the model. */
export interface RealtimeToolCall {
  callId: string;
  /** Qualified; as the model wrote it if no tool has this name. */
  toolName: string;
  argumentsJson: string;
  /** The output that was sent to the model. */
  output?: string;
  isError?: boolean;
  /** Id of the call in the Executor's history, if it was run here. */
  executionId?: string;
  /** Why the call waits for the user's decision (`decide`, under its `executionId`). Absent if it does not wait. */
  asksFirst?: string;
}

/** What is new in a session. Ask again with `revision`. */
export interface RealtimeUpdate {
  session: RealtimeSessionInfo;
  /** It is read from the log, which has other revisions: those from while the conversation was open do not apply. */
  kept?: true;
  /** Entries that are new or changed since. */
  transcript: RealtimeTranscriptEntry[];
  /** Items that are new or changed since. */
  timeline: RealtimeTimelineItem[];
  revision: number;
  more: boolean;
}

/** A piece of the voice to play, or that what was sent is to be discarded. */
export type RealtimeVoicePiece =
  | {
      kind: 'audio';
      /** base64 of PCM, 16 bit little-endian, one channel. */ pcm: string;
      sampleRate: number;
      responseId: string;
    }
  | { kind: 'flush'; /** The person spoke, or pressed Interrupt. */ responseId?: string }
  /** ms of the oldest audio that were omitted because the page did not keep up. */
  | { kind: 'dropped'; ms: number };
