import type { JsonObject } from '../base/json.ts';

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

/** Settings of a session beside its instructions, tools and voice. What is absent is the default of the dialect or the server. */
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
