import type { JsonObject } from '../../base/json.ts';
import type { RealtimeDialectName } from '../realtimeProfile.ts';
import type { OfferedTool } from './readTools.ts';

/** When the server assumes that the user speaks. */
export interface TurnDetection {
  /** 0 to 1: how loud it has to be. */
  threshold: number;
  prefixPaddingMs: number;
  silenceDurationMs: number;
  /** Whether the end of speech asks for a response. */
  createsResponse: boolean;
  /** Whether its start ends the response that is being spoken. */
  interruptsResponse: boolean;
}

/** What a session is set to, whatever its dialect calls it. */
export interface SessionSettings {
  instructions: string;
  tools: OfferedTool[];
  /** False if `tool_choice` is `none`. */
  callsTools: boolean;
  modality: 'audio' | 'text';
  /** Absent if the client commits the audio. */
  turnDetection: TurnDetection | undefined;
  /** Whether the user's speech is transcribed. */
  transcribes: boolean;
}

/** What a vendor's server calls things, and what it takes (spec/realtime.md). */
export interface ScriptedDialect {
  name: RealtimeDialectName;
  /** Samples a second of the sound that comes; 24,000 go out in all of them. */
  inputRate: number;
  /** Begins of event names: `${audio}.delta`, `${audio}.done`. */
  events: { audio: string; transcript: string; text: string };
  /** `type` of the assistant's content in an item. */
  content: { audio: string; text: string };
  /** One event for a new item, or two: when it is there and when it is whole. */
  itemEvents: 'created' | 'added-and-done';
  /** Whether the end of a call's arguments says the tool's name too. */
  namesCall: boolean;
  /** The session as `session.created` shows it. */
  createSession: (ids: { id: string; model: string }) => JsonObject;
  /**
   * The whole session after a `session.update`.
   * @throws EventError as the vendor words it
   */
  updateSession: (session: JsonObject, update: JsonObject) => JsonObject;
  readSettings: (session: JsonObject) => SessionSettings;
  /** What a response says of how it sounds. */
  describeResponse: (session: JsonObject, modality: 'audio' | 'text') => JsonObject;
  /** The modality that a `response.create` asks for; the session's if it names none. */
  readModality: (response: JsonObject) => 'audio' | 'text' | undefined;
}
