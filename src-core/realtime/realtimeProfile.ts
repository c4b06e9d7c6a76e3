import type { RealtimeSessionOptions } from './sessionOptions.ts';

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
  /** `flat`: a tool's name beside its type, as OpenAI has it. `nested`: in `function`, as in chat completions. */
  tools?: 'flat' | 'nested' | undefined;
  /** Samples a second. */
  inputSampleRate?: number | undefined;
  outputSampleRate?: number | undefined;
  /** The server's names of events, by the dialect's, in both directions. */
  events?: Record<string, string> | undefined;
}

/** What the scripted realtime server says and does, turn by turn (docs/realtime.md). */
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

/** What the scripted server can be made to do wrong. */
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
