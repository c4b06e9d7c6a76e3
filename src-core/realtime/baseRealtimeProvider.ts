import type { ToolDefinition } from '../registry/toolDefinition.ts';
import { RequestError } from '../base/requestError.ts';
import type { AnyChunk } from './chunks.ts';
import type { RealtimeWireEvent, RealtimeSessionOptions } from '../base/realtimeTypes.ts';

/** What a session is set to; what is absent stays as it is. */
export interface RealtimeSessionUpdate extends RealtimeSessionOptions {
  /** The system prompt. */
  instructions?: string | undefined;
  /** All tools from now on, by names that the server takes (`[a-zA-Z0-9_-]`, at most 64). */
  tools?: ToolDefinition[] | undefined;
  voice?: string | undefined;
  /** Who ends a turn of the user's: the server, which listens for pauses, by default, or `commitAudio`. */
  turns?: 'server' | 'client' | undefined;
}

/** What the model has for its session after an update. */
export interface RealtimeSessionFacts {
  /** Names of the tools that the server echoed. */
  tools: string[];
  /** Names that were sent and not echoed: the server dropped them silently (docs/protocols/realtime.md). */
  droppedTools: string[];
}

/** `waiting`: the connection was lost and is being made again. After `closed` only `connect` starts again. */
export type RealtimeConnectionState = 'idle' | 'connecting' | 'connected' | 'waiting' | 'closed';

/** Says how each tool output is told to the model. */
export interface ToolOutputOptions {
  /** The wire has no field for it: the output then is JSON that says `{"is_error":true, …}`. */
  isError?: boolean | undefined;
}

/**
 * A realtime model behind a connection. It keeps the connection, turns the server's events into chunks and
 * chunks into the server's events. Audio in either direction is PCM, 16 bit little-endian, one channel.
 */
export abstract class BaseRealtimeProvider {
  readonly name: string;
  #eventHandler: ((chunk: AnyChunk) => void) | undefined;
  #wireHandler: ((event: RealtimeWireEvent) => void) | undefined;

  constructor(name: string) {
    this.name = name;
  }

  /** Samples a second that `sendAudio` takes. */
  abstract readonly inputSampleRate: number;
  /** Samples a second of the chunks of sound that come. */
  abstract readonly outputSampleRate: number;

  abstract readonly state: RealtimeConnectionState;

  /** Who gets the chunks; one handler, the last one set. A handler must not throw. */
  setEventHandler(handler: ((chunk: AnyChunk) => void) | undefined): void {
    this.#eventHandler = handler;
  }

  /** Sets the handler of every wire event, received or sent, unknown ones included; secrets are masked. */
  setWireHandler(handler: ((event: RealtimeWireEvent) => void) | undefined): void {
    this.#wireHandler = handler;
  }

  /**
   * Resolves once the server has greeted and taken the first settings, without those that it refuses: an `event.error` names
   * each. Rejects with an error that says what to do. A connection that is lost later is made again by itself; meanwhile
   * `connect` resolves at once. After an end it begins a new conversation.
   */
  abstract connect(options?: { signal?: AbortSignal | undefined }): Promise<void>;

  /**
   * Resolves with what the server says the session is now. Changes wait for one another and for a connection that is being
   * made; one that was on its way when the connection broke rejects. A new connection is set as the last one was.
   * With `dropRefused`, a setting that the server refuses is left out, an `event.error` names it, and the rest is sent again.
   */
  abstract updateSession(
    update: RealtimeSessionUpdate,
    options?: { dropRefused?: boolean | undefined },
  ): Promise<RealtimeSessionFacts>;

  /**
   * Sends sound of `inputSampleRate`. Resolves when there is room for more: wait for it before the next piece. Sound that
   * comes while the connection is being made again is dropped, oldest first, above two seconds.
   */
  abstract sendAudio(audio: Uint8Array): Promise<void>;

  /**
   * Ends the user's turn, if `turns` is `client` (push to talk): requests a response to the audio since the last one.
   * Less than 100 ms, which servers refuse, is discarded.
   */
  abstract commitAudio(): Promise<void>;

  /** Sends a message that the user typed, and requests a response. */
  abstract sendText(text: string): Promise<void>;

  /**
   * Adds a picture to the conversation. It asks for no response: what is said or sent next is about it. A new connection is
   * not told of it again. Rejects if the provider takes no pictures.
   */
  async sendImage(image: { data: Uint8Array; mimeType: string }): Promise<void> {
    throw new RequestError(`${this.name} does not support pictures (${image.mimeType}).`, { field: 'image' });
  }

  /**
   * Tells the model what a tool answered. The next response is asked for once all calls of the response have their output.
   * Kept over a lost connection. An id that is not waited for rejects.
   */
  abstract sendToolOutput(toolCallId: string, output: string, options?: ToolOutputOptions): Promise<void>;

  /** Interrupts the model's speech; `playedMs` of the voice were played, so that it forgets the rest. */
  abstract interrupt(options?: { playedMs?: number | undefined }): Promise<void>;

  /** Ends the connection for good. Resolves when it is closed. Can be called again. */
  abstract disconnect(): Promise<void>;

  protected emit(chunk: AnyChunk): void {
    this.#eventHandler?.(chunk);
  }

  protected noteWire(event: RealtimeWireEvent): void {
    this.#wireHandler?.(event);
  }
}
