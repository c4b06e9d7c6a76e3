/** Realtime models, their sessions and what goes over their wire, as data (docs/realtime.md). */
import type { JsonObject } from './json.ts';

/** How a realtime server speaks (docs/protocols/realtime.md). */
export type RealtimeDialectName = 'openai' | 'openai-beta' | 'qwen';

/** A realtime model that the user has set up. Its key is stored separately. */
export interface RealtimeProfile {
  /** Assigned by the workbench; `scripted` always exists. */
  id: string;
  /** For people. */
  label: string;
  dialect: RealtimeDialectName;
  /** `wss://…` without the model; absent for the scripted server, which runs in the workbench. */
  url?: string | undefined;
  /** The model's name on the server. */
  model: string;
  voice?: string | undefined;
  /** How the server differs from its dialect. */
  differences?: RealtimeDialectDifferences | undefined;
  /** What every session with it is set to. */
  session?: RealtimeSessionOptions | undefined;
  /** The scripted server's turns; only for a scripted server. */
  script?: RealtimeScript | undefined;
}

/** What a server does otherwise than its dialect. Fields of the session that are added are `extra` of the session's options. */
export interface RealtimeDialectDifferences {
  /**
   * Further headers; `{key}` in a value is the key, and without a key such a header is not sent. null removes a header of the
   * dialect, or `Authorization`.
   */
  headers?: Record<string, string | null> | undefined;
  /** Fields of `session` that are not sent, by their path: `tool_choice`, `audio.input.transcription`. */
  omit?: string[] | undefined;
  /** `flat`: a tool's name is next to its type, as with OpenAI. `nested`: it is in `function`, as in chat completions. */
  tools?: 'flat' | 'nested' | undefined;
  /** Samples a second. */
  inputSampleRate?: number | undefined;
  outputSampleRate?: number | undefined;
  /** The server's names of events, by the dialect's, in both directions. */
  events?: Record<string, string> | undefined;
}

/** What the scripted realtime server says and does, turn by turn (docs/realtime-scripted.md). */
export interface RealtimeScript {
  turns: RealtimeScriptTurn[];
  /** After the last turn: `repeat` from the first one, the default, or `silent`. */
  atEnd?: 'repeat' | 'silent' | undefined;
}

/** One exchange: what the user "said", what the model does then. */
export interface RealtimeScriptTurn {
  /** The transcript of the user's speech, since the scripted server only detects that there is speech. */
  heard?: string | undefined;
  /** The voice and its words before any call. */
  say?: string | undefined;
  /** Calls of this turn, all in one response; only of tools that are offered, by name or the end of it after `_` or `-`. */
  calls?: { name: string; arguments?: Record<string, unknown> | string | undefined }[] | undefined;
  /** The voice after the outputs came; `{{output}}` is the first output. */
  then?: string | undefined;
  /** What goes wrong in this turn. */
  fault?: RealtimeFault | undefined;
}

/** A fault that the scripted server can simulate. */
export type RealtimeFault =
  | 'interrupted'
  | 'duplicate-done'
  | 'broken-arguments'
  | 'active-response'
  | 'drop-socket'
  | 'drop-tools'
  | 'unknown-event'
  | 'server-error'
  | 'garbage';

/** How the server decides that the user has finished speaking. What is absent is the server's default. */
export interface RealtimeTurnDetection {
  /** `server_vad` waits for silence; `semantic_vad` for words that end a sentence, on servers that have it. */
  type: 'server_vad' | 'semantic_vad';
  /** `server_vad`: 0 to 1; a higher value needs louder speech. */
  threshold?: number | undefined;
  /** `server_vad`: ms of sound before the speech that belong to it. */
  prefixPaddingMs?: number | undefined;
  /** `server_vad`: ms of silence that end the turn. */
  silenceMs?: number | undefined;
  /** `semantic_vad`: how soon the model answers. */
  eagerness?: 'low' | 'medium' | 'high' | 'auto' | undefined;
}

/** Settings of a session besides its instructions, tools and voice. An absent setting has the default of the dialect or the server. */
export interface RealtimeSessionOptions {
  /** What writes down the user's speech; false: nothing does. */
  transcription?: { model?: string | undefined; language?: string | undefined } | false | undefined;
  turnDetection?: RealtimeTurnDetection | undefined;
  /** 0 to 2. OpenAI's current models take none. */
  temperature?: number | undefined;
  /** 0.25 to 4; 1 is the normal speed of the voice. */
  speed?: number | undefined;
  /** `text`: the model writes and does not speak. */
  output?: 'audio' | 'text' | undefined;
  /** Further fields of `session`, as the server names them. Objects are merged, other values replaced. */
  extra?: JsonObject | undefined;
}

/** One event of a realtime connection, as it was sent. */
export interface RealtimeWireEvent {
  direction: 'in' | 'out';
  /** Epoch ms. */
  at: number;
  /** `response.done`; `invalid` for what is not a JSON object with a type; `open`, `close` and `lost` for the connection's own. */
  type: string;
  /** The server has sent an event that we know no meaning of. */
  unknown?: true;
  /** The JSON as it was sent, with audio replaced by its length: `"audio":"<4800 bytes>"`. At most 64 KiB. */
  text: string;
  /** Bytes of the frame. */
  bytes: number;
  responseId?: string;
  itemId?: string;
  callId?: string;
}
