import { isJsonObject } from '../../base/json.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { ScriptedDialect } from './dialect.ts';
import { anything, checkFields, nullOr, number, oneOf, required, text } from './fields.ts';
import type { FieldCheck } from './fields.ts';
import { readTools } from './readTools.ts';
import { checkTurnDetection, completeTurnDetection, defaultTurnDetection, readTurnDetection } from './turnDetection.ts';

const pcm: JsonObject = { type: 'audio/pcm', rate: 24_000 };
const modalities = oneOf(['audio'], ['text']);
const format: FieldCheck = (value, param) => {
  const read = checkFields(value, param, { type: oneOf('audio/pcm'), rate: oneOf(24_000) });
  required(read, 'type', param);
};

const inputFields: Record<string, FieldCheck> = {
  format,
  noise_reduction: anything,
  transcription: nullOr(
    (value, param) =>
      void checkFields(value, param, { model: text(100), language: text(20), prompt: text(10_000), delay: anything }),
  ),
  turn_detection: checkTurnDetection,
};
const outputFields: Record<string, FieldCheck> = { format, speed: number(0.25, 1.5), voice: anything };

const sessionFields: Record<string, FieldCheck> = {
  type: oneOf('realtime'),
  audio: (value, param) =>
    void checkFields(value, param, {
      input: (input, at) => void checkFields(input, at, inputFields),
      output: (output, at) => void checkFields(output, at, outputFields),
    }),
  include: anything,
  instructions: text(200_000),
  max_output_tokens: anything,
  model: text(200),
  output_modalities: modalities,
  parallel_tool_calls: anything,
  prompt: anything,
  reasoning: anything,
  tool_choice: anything,
  tools: (value, param) => void readTools(value, param, 'flat'),
  tracing: anything,
  truncation: anything,
};

/** OpenAI as it is today: nested `audio`, `session.type`, no temperature (spec/realtime.md). */
export const openAiDialect: ScriptedDialect = {
  name: 'openai',
  inputRate: 24_000,
  events: {
    audio: 'response.output_audio',
    transcript: 'response.output_audio_transcript',
    text: 'response.output_text',
  },
  content: { audio: 'output_audio', text: 'output_text' },
  itemEvents: 'added-and-done',
  namesCall: true,
  createSession: ({ id, model }) => ({
    type: 'realtime',
    object: 'realtime.session',
    id,
    model,
    output_modalities: ['audio'],
    instructions: '',
    tools: [],
    tool_choice: 'auto',
    max_output_tokens: 'inf',
    tracing: null,
    truncation: 'auto',
    prompt: null,
    include: null,
    audio: {
      input: { format: pcm, transcription: null, noise_reduction: null, turn_detection: defaultTurnDetection },
      output: { format: pcm, voice: 'marin', speed: 1 },
    },
  }),
  updateSession(session, update) {
    const before = isJsonObject(update) ? update : checkFields(update, 'session', sessionFields);
    required(before, 'type', 'session');
    const { audio, ...flat } = checkFields(before, 'session', sessionFields);
    const { input, output } = partsOf(audio);
    const old = partsOf(session['audio']);
    const detection = input['turn_detection'];
    return {
      ...session,
      ...flat,
      audio: {
        input: {
          ...old.input,
          ...input,
          ...(detection === undefined ? {} : { turn_detection: completeTurnDetection(detection) }),
        },
        output: { ...old.output, ...output },
      },
    };
  },
  readSettings(session) {
    const { input } = partsOf(session['audio']);
    return {
      instructions: String(session['instructions']),
      tools: readTools(session['tools'] ?? [], 'session.tools', 'flat'),
      callsTools: session['tool_choice'] !== 'none',
      modality: modalityOf(session['output_modalities']) ?? 'audio',
      turnDetection: readTurnDetection(input['turn_detection']),
      transcribes: isJsonObject(input['transcription']),
    };
  },
  describeResponse: (session, modality) => {
    const { format: outputFormat = pcm, voice = 'marin' } = partsOf(session['audio']).output;
    return { output_modalities: [modality], audio: { output: { format: outputFormat, voice } } };
  },
  readModality: (response) => {
    const value = response['output_modalities'];
    if (value !== undefined) modalities(value, 'response.output_modalities');
    return modalityOf(value);
  },
};

function partsOf(audio: JsonValue | undefined): { input: JsonObject; output: JsonObject } {
  const { input, output } = isJsonObject(audio) ? audio : {};
  return { input: isJsonObject(input) ? input : {}, output: isJsonObject(output) ? output : {} };
}

function modalityOf(value: JsonValue | undefined): 'audio' | 'text' | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.includes('audio') ? 'audio' : 'text';
}
