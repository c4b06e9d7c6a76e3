import { eventIterator, oc, type } from '@orpc/contract';
import * as z from 'zod';

import type {
  CallQuestion,
  RealtimeProfileInfo,
  RealtimeProfileList,
  RealtimeSessionInfo,
  RealtimeUpdate,
  RealtimeVoicePiece,
  ScriptCheck,
} from './types.ts';
import { callDecisions } from './callRecords.ts';
import { connectionTest } from './models.ts';
import { id, json, jsonObject, nothing, seq } from './fields.ts';

const one = z.strictObject({ id });
/** A conversation, or an imported one. Exactly one of them. */
const conversation = { id: id.optional(), captureId: id.optional() };
const instructions = z.string().max(100_000);
const voice = z.string().max(64);
/** Tools by `toolId` and method; if absent, all that are offered to models. */
const tools = z.array(z.strictObject({ toolId: id, methodName: id })).max(128);
/** base64 of PCM, 16 bit little-endian, one channel: at most two seconds at 48 kHz. */
const pcm = z.base64().max(262_144);
export const dialectSchema = z.enum(['openai', 'openai-beta', 'qwen']);
/** The options of a session besides instructions, tools and voice (docs/realtime.md#settings-of-a-session). */
export const sessionOptionsSchema = z.strictObject({
  transcription: z
    .union([
      z.literal(false),
      z.strictObject({
        model: z.string().trim().min(1).max(200).optional(),
        language: z.string().trim().min(1).max(35).optional(),
      }),
    ])
    .optional(),
  turnDetection: z
    .strictObject({
      type: z.enum(['server_vad', 'semantic_vad']),
      threshold: z.number().min(0).max(1).optional(),
      prefixPaddingMs: z.int().min(0).max(60_000).optional(),
      silenceMs: z.int().min(0).max(60_000).optional(),
      eagerness: z.enum(['low', 'medium', 'high', 'auto']).optional(),
    })
    .optional(),
  temperature: z.number().min(0).max(2).optional(),
  speed: z.number().min(0.25).max(4).optional(),
  output: z.enum(['audio', 'text']).optional(),
  extra: jsonObject(64_000).optional(),
});
const common = {
  label: z.string().trim().min(1).max(80),
  voice: voice.optional(),
  dialect: dialectSchema,
  session: sessionOptionsSchema.optional(),
};

/** A realtime model behind a server as it may be stored and sent. */
export const serverProfileSchema = z.strictObject({
  kind: z.literal('server'),
  ...common,
  url: z.string().trim().min(1).max(2_048),
  model: z.string().trim().min(1).max(200),
  /** How the server differs from its dialect; validated separately, with readable messages (docs/realtime.md). */
  differences: json(64_000).optional(),
});

/** A scripted realtime model as it may be stored and sent; the script is validated separately, with readable messages. */
export const scriptedProfileSchema = z.strictObject({
  kind: z.literal('scripted'),
  ...common,
  script: json(1_000_000),
});

/** A profile as it is saved. */
export const profileChangeSchema = z.discriminatedUnion('kind', [
  serverProfileSchema.extend({ id: id.optional() }),
  scriptedProfileSchema.extend({ id: id.optional() }),
]);

/** Realtime models (docs/realtime.md). The topic `realtime` reports each change. */
export const realtime = {
  profiles: oc.output(type<RealtimeProfileList>()),
  /** Creates a profile if `id` is absent. An invalid script of a scripted profile is BAD_REQUEST. */
  saveProfile: oc.input(profileChangeSchema).output(type<RealtimeProfileInfo>()),
  removeProfile: oc.input(one).output(nothing),
  setDefault: oc.input(one).output(nothing),
  /** null removes the key. A key is never returned. */
  setKey: oc.input(z.strictObject({ id, key: z.string().min(1).max(4_096).nullable() })).output(nothing),
  /**
   * Lets a model answer devices as soon as they listen: all of them, or the named one. `profileId` null: no model
   * answers; absent with a device: the choice for all devices applies.
   */
  setForDevices: oc
    .input(z.strictObject({ deviceId: id.optional(), profileId: id.nullable().optional() }))
    .output(nothing),
  /** Connects, sets a session with one tool, and disconnects: each step with its result. */
  test: oc.input(one).output(connectionTest),
  checkScript: oc.input(z.strictObject({ text: z.string().max(1_000_000) })).output(type<ScriptCheck>()),

  /** The newest first. Ended ones stay, 50 at most, until they are removed or the limit for logs drops them. */
  sessions: oc.output(type<RealtimeSessionInfo[]>()),
  /** Begins a conversation: of this window, or of a connected device. Resolves once the model has greeted. */
  open: oc
    .input(
      z.strictObject({
        profileId: id.optional(),
        deviceId: id.optional(),
        instructions: instructions.optional(),
        voice: voice.optional(),
        tools: tools.optional(),
        session: sessionOptionsSchema.optional(),
        plan: z.enum(['station', 'downstream']).optional(),
      }),
    )
    .output(type<{ sessionId: string }>()),
  /** Changes an open session; what is absent stays. Resolves with the options that the server applied. */
  update: oc
    .input(
      z.strictObject({
        id,
        instructions: instructions.optional(),
        voice: voice.optional(),
        /** Null: all that are offered to models, or all of the device's own. */
        tools: tools.nullable().optional(),
        session: sessionOptionsSchema.optional(),
      }),
    )
    .output(type<RealtimeSessionInfo>()),
  close: oc.input(one).output(nothing),
  /** Removes a closed session from the list. */
  remove: oc.input(one).output(nothing),
  /** Audio of the user. Resolves when there is room for more. */
  sendAudio: oc.input(z.strictObject({ id, pcm, sampleRate: z.int().min(8_000).max(48_000) })).output(nothing),
  /** The user has paused (the microphone is off): silence is sent so that the model detects the end of speech. */
  endAudio: oc.input(one).output(nothing),
  sendText: oc.input(z.strictObject({ id, text: z.string().min(1).max(20_000) })).output(nothing),
  /** Shows the model a picture, base64 of at most 1.5 MB. No response is requested until the user says something. */
  sendImage: oc
    .input(z.strictObject({ id, image: z.base64().max(2_000_000), mimeType: z.string().max(100) }))
    .output(nothing),
  interrupt: oc.input(z.strictObject({ id, playedMs: z.number().min(0).optional() })).output(nothing),
  /** Plan B: the user's answer to a waiting call. */
  answerCall: oc
    .input(z.strictObject({ id, callId: id, output: z.string().max(1_000_000), isError: z.boolean().optional() }))
    .output(nothing),
  /** Calls of all conversations that wait for the user's decision, the oldest first. */
  questions: oc.output(type<CallQuestion[]>()),
  ...callDecisions,
  /**
   * The changes of transcript and timeline since `revision`, or everything for 0, of a conversation, or of an imported one.
   * Its events are in the log of frames.
   */
  updates: oc.input(z.strictObject({ ...conversation, revision: seq })).output(type<RealtimeUpdate>()),
  /** The model's voice as it comes; ends with the session. */
  voice: oc.input(one).output(eventIterator(type<RealtimeVoicePiece>())),
  /** Lets a virtual device say a WAV file: it listens, sends it as Opus frames in real time, and stops. */
  playOnDevice: oc
    .input(z.strictObject({ deviceId: id, wav: z.base64().max(22_000_000) }))
    .output(type<{ durationMs: number }>()),
};
