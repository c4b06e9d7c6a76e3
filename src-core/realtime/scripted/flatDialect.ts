import { isJsonObject } from '../../base/json.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { ScriptedDialect } from './dialect.ts';
import { checkFields, oneOf, text } from './fields.ts';
import type { FieldCheck } from './fields.ts';
import { readTools } from './readTools.ts';
import { checkTurnDetection, completeTurnDetection, defaultTurnDetection, readTurnDetection } from './turnDetection.ts';

const modalities = oneOf(['text'], ['text', 'audio'], ['audio', 'text']);

/** A dialect of the flat kind: OpenAI's beta, and Qwen, which took it over (spec/realtime.md). */
export function createFlatDialect(options: {
  name: 'openai-beta' | 'qwen';
  inputRate: number;
  toolShape: 'flat' | 'nested';
  /** `input_audio_format` and `output_audio_format`. */
  formats: readonly string[];
  /** Session fields beside the common ones, with what they are in a new session. */
  own: { fields: Record<string, FieldCheck>; values: JsonObject };
  /** Looks at the whole of an updated session, and may change it. */
  finish?: (session: JsonObject) => JsonObject;
}): ScriptedDialect {
  const { name, inputRate, toolShape, formats, own, finish = (session) => session } = options;
  const format = oneOf(...formats);
  const fields: Record<string, FieldCheck> = {
    modalities,
    instructions: text(200_000),
    model: text(200),
    voice: text(100),
    input_audio_format: format,
    output_audio_format: format,
    input_audio_transcription: (value, param) => {
      if (value !== null) checkFields(value, param, { model: text(100), language: text(20), prompt: text(10_000) });
    },
    turn_detection: checkTurnDetection,
    tools: (value, param) => void readTools(value, param, toolShape),
    tool_choice: (value, param) => {
      if (!isJsonObject(value)) oneOf('auto', 'none', 'required')(value, param);
    },
    ...own.fields,
  };

  return {
    name,
    inputRate,
    events: { audio: 'response.audio', transcript: 'response.audio_transcript', text: 'response.text' },
    content: { audio: 'audio', text: 'text' },
    itemEvents: 'created',
    namesCall: false,
    createSession: ({ id, model }) => ({
      object: 'realtime.session',
      id,
      model,
      modalities: ['text', 'audio'],
      instructions: '',
      input_audio_format: formats[0] ?? '',
      output_audio_format: formats[0] ?? '',
      input_audio_transcription: null,
      turn_detection: defaultTurnDetection,
      tools: [],
      tool_choice: 'auto',
      ...own.values,
    }),
    updateSession(session, update) {
      const checked = checkFields(update, 'session', fields);
      const detection = checked['turn_detection'];
      return finish({
        ...session,
        ...checked,
        ...(detection === undefined ? {} : { turn_detection: completeTurnDetection(detection) }),
      });
    },
    readSettings: (session) => ({
      instructions: String(session['instructions']),
      tools: readTools(session['tools'] ?? [], 'session.tools', toolShape),
      callsTools: session['tool_choice'] !== 'none',
      modality: modalityOf(session['modalities']) ?? 'audio',
      turnDetection: readTurnDetection(session['turn_detection']),
      transcribes: isJsonObject(session['input_audio_transcription']),
    }),
    describeResponse: ({ voice = null, output_audio_format = null }, modality) => ({
      modalities: modality === 'audio' ? ['text', 'audio'] : ['text'],
      voice,
      output_audio_format,
    }),
    readModality: (response) => {
      const value = response['modalities'];
      if (value !== undefined) modalities(value, 'response.modalities');
      return modalityOf(value);
    },
  };
}

function modalityOf(value: JsonValue | undefined): 'audio' | 'text' | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.includes('audio') ? 'audio' : 'text';
}
