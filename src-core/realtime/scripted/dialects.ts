import * as z from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { RealtimeDialectName } from '../../base/realtimeTypes.ts';
import { readField } from './eventError.ts';

/** What a session is set to, whatever its dialect calls it. */
export interface SessionSettings {
  instructions: string;
  tools: { name: string }[];
  /** False if `tool_choice` is `none`. */
  callsTools: boolean;
  modalities: string[];
  /** Null if the client commits the audio. */
  turnDetection: TurnDetection | null;
  /** Whether the user's speech is transcribed. */
  transcribes: boolean;
}

/** A vendor's protocol: its names, and the form of its session (docs/protocols/realtime.md). */
export interface ScriptedDialect {
  name: RealtimeDialectName;
  /** The model of a connection that names none. */
  model: string;
  /** Samples a second of the incoming audio; the outgoing audio has 24,000 in every dialect. */
  inputRate: number;
  /** Prefixes of event names: `${audio}.delta`, `${audio}.done`. */
  events: { audio: string; transcript: string; text: string };
  /** `type` of the assistant's content in an item. */
  content: { audio: string; text: string };
  /** One event for a new item, or two: one when it is added and one when it is complete. */
  itemEvents: 'created' | 'added-and-done';
  /** Whether the end of a call's arguments includes the tool's name. */
  namesCall: boolean;
  /** The field of a session and of a response that says whether it is spoken. */
  modalitiesField: 'modalities' | 'output_modalities';
  modalities: z.ZodType<string[]>;
  /** Checks a session, without its id, and fills in the defaults. */
  session: z.ZodType;
}

/** A new session. */
export function createSession({ name, session }: ScriptedDialect, model: string): JsonObject {
  return session.parse(name === 'openai' ? { type: 'realtime', model } : { model }) as JsonObject;
}

/**
 * The whole session after a `session.update`.
 * @throws {EventError} If the dialect does not accept the update.
 */
export function updateSession(
  dialect: ScriptedDialect,
  session: JsonObject,
  update: JsonValue | undefined,
): JsonObject {
  const fields = readField(z.record(z.string(), z.unknown()), update, 'session') as JsonObject;
  if (dialect.name === 'openai') readField(z.object({ type: z.string() }), fields, 'session');
  return readField(dialect.session, merge(session, fields), 'session') as JsonObject;
}

/** `audio` and its two parts are combined field by field, everything else is replaced. */
function merge(before: JsonObject, after: JsonObject): JsonObject {
  const merged = { ...before, ...after };
  for (const name of ['audio', 'input', 'output']) {
    const old = before[name];
    const updated = after[name];
    if (isJsonObject(old) && isJsonObject(updated)) merged[name] = merge(old, updated);
  }
  return merged;
}

export function readSettings(dialect: ScriptedDialect, session: JsonObject): SessionSettings {
  // The dialect's schema has checked the session.
  const { instructions, tools, audio, ...flat } = session as {
    instructions: string;
    tools: { name?: string; function?: { name: string } }[];
    audio?: { input: JsonObject };
  } & JsonObject;
  const { turn_detection: turnDetection, transcription, input_audio_transcription } = audio?.input ?? flat;
  return {
    instructions,
    tools: tools.map((tool) => ({ name: tool.function?.name ?? tool.name ?? '' })),
    callsTools: flat['tool_choice'] !== 'none',
    modalities: flat[dialect.modalitiesField] as string[],
    turnDetection: turnDetection as TurnDetection | null,
    transcribes: (transcription ?? input_audio_transcription ?? null) !== null,
  };
}

/** The fields of a response that describe how it sounds. */
export function describeVoice(dialect: ScriptedDialect, session: JsonObject, modalities: string[]): JsonObject {
  const { audio, voice = null, output_audio_format = null } = session;
  const sound: JsonObject = isJsonObject(audio)
    ? { audio: { output: audio['output'] ?? {} } }
    : { voice, output_audio_format };
  return { [dialect.modalitiesField]: modalities, ...sound };
}

const anything = z.unknown().optional();
const text = (maxLength: number) => z.string().max(maxLength);
const within = (minimum: number, maximum: number) => z.number().min(minimum).max(maximum);

/** `semantic_vad` is accepted and handled as `server_vad`: both detect speech by the level of the sound. */
const turnDetection = z.strictObject({
  type: z.enum(['server_vad', 'semantic_vad']),
  threshold: within(0, 1).default(0.5),
  prefix_padding_ms: within(0, 10_000).default(300),
  silence_duration_ms: within(0, 10_000).default(500),
  create_response: z.boolean().default(true),
  interrupt_response: z.boolean().default(true),
  idle_timeout_ms: within(0, 60_000).nullish(),
  eagerness: anything,
});
/** When the server assumes that the user speaks; times in ms. */
export type TurnDetection = z.output<typeof turnDetection>;
const turnDetectionOrNone = turnDetection.nullable().default(turnDetection.parse({ type: 'server_vad' }));

const transcription = z
  .strictObject({ model: text(100), language: text(20), prompt: text(10_000), delay: anything })
  .partial()
  .nullable();

const functionFields = {
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'a name is 1 to 64 of the letters a-z and A-Z, digits, "_" and "-"'),
  description: text(100_000).optional(),
  parameters: anything,
};
const flatTool = z.strictObject({ type: z.literal('function'), ...functionFields });
const nestedTool = z.strictObject({
  type: z.literal('function').optional(),
  function: z.strictObject({ ...functionFields, strict: anything }),
});

/** One of the lists, in the order given. */
function oneOfLists(...lists: string[][]) {
  const written = lists.map((list) => JSON.stringify(list));
  return z
    .array(z.string())
    .refine((value) => written.includes(JSON.stringify(value)), `expected ${written.join(' or ')}`);
}

const pcmFormat = z
  .strictObject({ type: z.literal('audio/pcm'), rate: z.literal(24_000).default(24_000) })
  .default({ type: 'audio/pcm', rate: 24_000 });
const openAiModalities = oneOfLists(['audio'], ['text']);
const openAiSession = z.strictObject({
  type: z.literal('realtime'),
  model: text(200),
  output_modalities: openAiModalities.default(['audio']),
  instructions: text(200_000).default(''),
  tools: z.array(flatTool).max(128).default([]),
  tool_choice: z.unknown().default('auto'),
  max_output_tokens: z.unknown().default('inf'),
  truncation: z.unknown().default('auto'),
  audio: z
    .strictObject({
      input: z
        .strictObject({
          format: pcmFormat,
          noise_reduction: anything,
          transcription: transcription.default(null),
          turn_detection: turnDetectionOrNone,
        })
        .prefault({}),
      output: z
        .strictObject({ format: pcmFormat, speed: within(0.25, 1.5).default(1), voice: z.unknown().default('marin') })
        .prefault({}),
    })
    .prefault({}),
  include: anything,
  parallel_tool_calls: anything,
  prompt: anything,
  reasoning: anything,
  tracing: anything,
});

/** OpenAI as it is today: nested `audio`, `session.type`, no temperature. */
const openAiDialect: ScriptedDialect = {
  name: 'openai',
  model: 'gpt-realtime',
  inputRate: 24_000,
  events: {
    audio: 'response.output_audio',
    transcript: 'response.output_audio_transcript',
    text: 'response.output_text',
  },
  content: { audio: 'output_audio', text: 'output_text' },
  itemEvents: 'added-and-done',
  namesCall: true,
  modalitiesField: 'output_modalities',
  modalities: openAiModalities,
  session: openAiSession,
};

const flatModalities = oneOfLists(['text'], ['text', 'audio'], ['audio', 'text']);
const flatSession = z.strictObject({
  model: text(200),
  modalities: flatModalities.default(['text', 'audio']),
  instructions: text(200_000).default(''),
  turn_detection: turnDetectionOrNone,
  tool_choice: z.union([z.enum(['auto', 'none', 'required']), z.record(z.string(), z.unknown())]).default('auto'),
});

/** The flat kind: OpenAI's beta, and Qwen, which took it over. */
const flatNames = {
  events: { audio: 'response.audio', transcript: 'response.audio_transcript', text: 'response.text' },
  content: { audio: 'audio', text: 'text' },
  itemEvents: 'created',
  namesCall: false,
  modalitiesField: 'modalities',
  modalities: flatModalities,
} as const;

/** OpenAI's beta names, which servers that took them over still use. */
const openAiBetaDialect: ScriptedDialect = {
  ...flatNames,
  name: 'openai-beta',
  model: 'gpt-4o-realtime-preview',
  inputRate: 24_000,
  session: flatSession.extend({
    tools: z.array(flatTool).max(128).default([]),
    voice: text(100).default('alloy'),
    input_audio_format: z.literal('pcm16').default('pcm16'),
    output_audio_format: z.literal('pcm16').default('pcm16'),
    input_audio_transcription: transcription.default(null),
    temperature: within(0.6, 1.2).default(0.8),
    max_response_output_tokens: z.unknown().default('inf'),
    speed: within(0.25, 1.5).optional(),
    input_audio_noise_reduction: anything,
    include: anything,
    tracing: anything,
  }),
};

const qwenFormat = z.enum(['pcm', 'pcm16', 'pcm24']).default('pcm');
/** Models before 3.5 accept a list of tools and silently drop it. */
const dropsTools = /^qwen-omni|^qwen2\.5|^qwen3-/;

/** Qwen-Omni-Realtime: the beta's shape, 16 kHz in, tools in a `function` of their own. */
const qwenDialect: ScriptedDialect = {
  ...flatNames,
  name: 'qwen',
  model: 'qwen3.5-omni-plus-realtime',
  inputRate: 16_000,
  session: flatSession
    .extend({
      tools: z.array(nestedTool).max(128).default([]),
      voice: text(100).default('Cherry'),
      input_audio_format: qwenFormat,
      output_audio_format: qwenFormat,
      input_audio_transcription: transcription.default({ model: 'qwen3-asr-flash-realtime' }),
      temperature: within(0, 2).optional(),
      top_p: within(0, 1).optional(),
      top_k: anything,
      max_tokens: anything,
      repetition_penalty: anything,
      presence_penalty: within(-2, 2).optional(),
      seed: anything,
      smooth_output: anything,
      enable_search: z.boolean().optional(),
      search_options: anything,
      parallel_tool_calls: z.boolean().optional(),
    })
    .refine((session) => session.tools.length === 0 || session.enable_search !== true, {
      path: ['enable_search'],
      error: 'Tools and enable_search cannot be used together',
    })
    .transform((session) => (dropsTools.test(session.model) ? { ...session, tools: [] } : session)),
};

export const scriptedDialects: Record<RealtimeDialectName, ScriptedDialect> = {
  openai: openAiDialect,
  'openai-beta': openAiBetaDialect,
  qwen: qwenDialect,
};
