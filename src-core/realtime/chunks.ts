import type { JsonObject } from '../base/json.ts';

/** The kinds of chunks (docs/protocols/realtime.md#chunks). */
export const ChunkType = {
  AUDIO_RAW: 'audio.raw',
  IMAGE: 'image',
  TEXT: 'text',
  TEXT_DELTA: 'text.delta',
  EVENT_VAD_START: 'event.vad.start',
  EVENT_VAD_END: 'event.vad.end',
  EVENT_REALTIME_CONNECTED: 'event.realtime.connected',
  EVENT_REALTIME_SESSION_UPDATED: 'event.realtime.session_updated',
  /** A response has begun, or ended: ours, so that a station knows when a voice starts and stops. */
  EVENT_RESPONSE_START: 'event.response.start',
  EVENT_RESPONSE_END: 'event.response.end',
  /** Something is wrong and the session goes on: an error of the server, tools that it dropped. */
  EVENT_ERROR: 'event.error',
  /** The connection was lost or has ended. */
  EVENT_REALTIME_DISCONNECTED: 'event.realtime.disconnected',
  TOOL_CALL: 'tool.call',
  TOOL_OUTPUT: 'tool.output',
} as const;
export type ChunkType = (typeof ChunkType)[keyof typeof ChunkType];

/** Whose words or sound it is. */
export type ChunkSource = 'user' | 'bot';

/** What flows from a provider through the stations. */
export abstract class Chunk {
  abstract readonly type: ChunkType;
}

/** Sound: PCM, 16 bit signed little-endian, one channel. */
export class AudioChunk extends Chunk {
  readonly type = ChunkType.AUDIO_RAW;
  readonly data: Uint8Array;
  /** Samples a second. */
  readonly sampleRate: number;
  readonly source: ChunkSource;
  /** The response it is part of, if it is the model's. */
  readonly responseId: string | undefined;

  constructor(init: { data: Uint8Array; sampleRate: number; source: ChunkSource; responseId?: string | undefined }) {
    super();
    this.data = init.data;
    this.sampleRate = init.sampleRate;
    this.source = init.source;
    this.responseId = init.responseId;
  }
}

/** A picture that the user shows. */
export class ImageChunk extends Chunk {
  readonly type = ChunkType.IMAGE;
  readonly data: Uint8Array;
  /** `image/jpeg`, which all servers take, or another type that the server knows. */
  readonly mimeType: string;

  constructor(init: { data: Uint8Array; mimeType: string }) {
    super();
    this.data = init.data;
    this.mimeType = init.mimeType;
  }
}

/** Words, whole or in part. */
abstract class WordsChunk extends Chunk {
  readonly data: string;
  readonly source: ChunkSource;
  readonly responseId: string | undefined;

  constructor(init: { data: string; source: ChunkSource; responseId?: string | undefined }) {
    super();
    this.data = init.data;
    this.source = init.source;
    this.responseId = init.responseId;
  }
}

/** A part of a text that goes on. */
export class TextDeltaChunk extends WordsChunk {
  readonly type = ChunkType.TEXT_DELTA;
}

/** A whole text: what the user said, or a sentence of the model's. */
export class TextChunk extends WordsChunk {
  readonly type = ChunkType.TEXT;
}

/** An event without data. */
export class EventChunk extends Chunk {
  readonly type: EventChunkType;
  /** A sentence with the reason, if there is one: why a response ended, what the server reported. */
  readonly detail: string | undefined;
  readonly responseId: string | undefined;

  constructor(init: { type: EventChunkType; detail?: string | undefined; responseId?: string | undefined }) {
    super();
    this.type = init.type;
    this.detail = init.detail;
    this.responseId = init.responseId;
  }
}

type EventChunkType = Extract<ChunkType, `event.${string}`>;

/** The model asks for a tool. */
export class ToolCallChunk extends Chunk {
  readonly type = ChunkType.TOOL_CALL;
  readonly callId: string;
  /** From a provider as the model wrote it, a wire name; behind a `RealtimeStation` the tool's own name. */
  readonly toolName: string;
  /** As values for JavaScript: a number that no double holds is the nearest one. */
  readonly arguments: JsonObject;
  /** The same as JSON text, each number as the model wrote it. */
  readonly argumentsJson: string;
  readonly responseId: string | undefined;

  /** Defaults: no id, no name and no arguments; `argumentsJson` is written from `arguments`. */
  constructor(
    init: {
      callId?: string | undefined;
      toolName?: string | undefined;
      arguments?: JsonObject | undefined;
      argumentsJson?: string | undefined;
      responseId?: string | undefined;
    } = {},
  ) {
    super();
    this.callId = init.callId ?? '';
    this.toolName = init.toolName ?? '';
    this.arguments = init.arguments ?? {};
    this.argumentsJson = init.argumentsJson ?? JSON.stringify(this.arguments);
    this.responseId = init.responseId;
  }

  override toString(): string {
    return `ToolCallChunk(${this.toolName}, id=${this.callId})`;
  }
}

/** What a tool answered, on its way back to the model. */
export class ToolOutputChunk extends Chunk {
  readonly type = ChunkType.TOOL_OUTPUT;
  readonly callId: string;
  /** Usually JSON. */
  readonly output: string;
  readonly isError: boolean;

  constructor(init: { callId: string; output: string; isError?: boolean }) {
    super();
    this.callId = init.callId;
    this.output = init.output;
    this.isError = init.isError ?? false;
  }
}

/** Every kind of chunk. */
export type AnyChunk =
  | AudioChunk
  | ImageChunk
  | TextDeltaChunk
  | TextChunk
  | EventChunk
  | ToolCallChunk
  | ToolOutputChunk;
