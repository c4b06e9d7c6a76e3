import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { RealtimeSessionUpdate } from '../baseRealtimeProvider.ts';
import type { RealtimeTurnDetection } from '../../base/realtimeTypes.ts';

/** What a dialect makes a `session` of: the settings that change, and all settings with them. */
export interface SessionChange {
  /** The first settings of a connection: formats and defaults are sent too. */
  first: boolean;
  /** What is set already, with the change. */
  all: RealtimeSessionUpdate;
}

/** Whether it changes who ends the user's turns, or how. */
export function changesTurns({ turns, turnDetection }: RealtimeSessionUpdate, first: boolean): boolean {
  return first || turns !== undefined || turnDetection !== undefined;
}

/** `turn_detection`: null leaves it to the client to end a turn (`input_audio_buffer.commit`). */
export function turnDetectionField({ turns, turnDetection }: RealtimeSessionUpdate): JsonObject | null {
  return turns === 'client' ? null : wireTurnDetection(turnDetection ?? { type: 'server_vad' });
}

function wireTurnDetection(detection: RealtimeTurnDetection): JsonObject {
  const { type, threshold, prefixPaddingMs, silenceMs, eagerness } = detection;
  if (type === 'semantic_vad') return { type, ...(eagerness !== undefined && { eagerness }) };
  return {
    type,
    ...(threshold !== undefined && { threshold }),
    ...(prefixPaddingMs !== undefined && { prefix_padding_ms: prefixPaddingMs }),
    ...(silenceMs !== undefined && { silence_duration_ms: silenceMs }),
  };
}

/**
 * The value of a transcription field: null turns it off, undefined leaves the field out. `model` is the dialect's default;
 * without one the server transcribes unless told otherwise.
 */
export function transcriptionField(
  { transcription }: RealtimeSessionUpdate,
  { first, model }: { first: boolean; model?: string },
): JsonObject | null | undefined {
  // A server that cannot transcribe may refuse the field itself.
  if (transcription === false) return first && model !== undefined ? undefined : null;
  const { model: chosen = model, language } = transcription ?? {};
  const field: JsonObject = {
    ...(chosen !== undefined && { model: chosen }),
    ...(language !== undefined && { language }),
  };
  return Object.keys(field).length === 0 ? undefined : field;
}

/** Modalities: text is always among them in the flat form. */
export function flatModalities({ output }: RealtimeSessionUpdate, first: boolean): JsonObject {
  if (output === undefined && !first) return {};
  return { modalities: output === 'text' ? ['text'] : ['text', 'audio'] };
}

/** Transcription and turns as the flat dialects name them; `model` is the dialect's default. */
export function flatInput(
  update: RealtimeSessionUpdate,
  { first, all, model }: SessionChange & { model?: string },
): JsonObject {
  const changes = first || update.transcription !== undefined;
  const transcription = changes ? transcriptionField(all, { first, ...(model !== undefined && { model }) }) : undefined;
  return {
    ...(transcription !== undefined && { input_audio_transcription: transcription }),
    ...(changesTurns(update, first) && { turn_detection: turnDetectionField(all) }),
  };
}

/** The fields that all flat dialects name alike. */
export function flatOptions(update: RealtimeSessionUpdate): JsonObject {
  const { instructions, voice, temperature, speed } = update;
  return {
    ...(instructions !== undefined && { instructions }),
    ...(voice !== undefined && { voice }),
    ...(temperature !== undefined && { temperature }),
    ...(speed !== undefined && { speed }),
  };
}

/** A `session` with further fields: objects are merged, other values replaced. */
export function withExtra(session: JsonObject, extra: JsonObject | undefined): JsonObject {
  if (extra === undefined) return session;
  const merged = Object.entries(extra).map(([key, value]) => {
    const present = Object.hasOwn(session, key) ? session[key] : undefined;
    return [key, isJsonObject(value) && isJsonObject(present) ? withExtra(present, value) : value] as const;
  });
  return { ...session, ...Object.fromEntries(merged) };
}
