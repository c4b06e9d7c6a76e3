import { SocketRealtimeProvider, type RealtimeProviderOptions } from './socketRealtimeProvider.ts';
import type { JsonObject } from '../../base/json.ts';
import type { RealtimeDialect } from '../dialects/realtimeDialect.ts';
import {
  changesTurns,
  transcriptionField,
  turnDetectionField,
  withExtra,
  flatInput,
  flatModalities,
  flatOptions,
} from '../dialects/sessionFields.ts';
import { flatTool } from '../dialects/wireTool.ts';

export interface OpenAIRealtimeOptions extends RealtimeProviderOptions {
  /** `beta` for servers that still speak the names before the general availability; `ga` by default. */
  dialect?: 'ga' | 'beta' | undefined;
}

/** OpenAI's realtime models, and servers that speak as they do. 24 kHz both ways. */
export class OpenAIRealtimeProvider extends SocketRealtimeProvider {
  constructor(options: OpenAIRealtimeOptions) {
    super('openai', options.dialect === 'beta' ? openAiBetaDialect : openAiDialect, options);
  }
}

const format = { type: 'audio/pcm', rate: 24_000 };

/** OpenAI's generally available form: `session.type`, sound nested under `audio`. */
export const openAiDialect: RealtimeDialect = Object.freeze({
  name: 'openai',
  inputSampleRate: 24_000,
  outputSampleRate: 24_000,
  headers: Object.freeze({}),
  assistantTextType: 'output_text',
  truncates: true,
  images: 'items',
  session(update, { first, all }) {
    const { instructions, tools, voice, speed, temperature, output, extra } = update;
    const transcription = transcriptionField(all, { first, model: 'gpt-transcribe' });
    const spoken: JsonObject = {
      ...(first && { format }),
      ...(voice !== undefined && { voice }),
      ...(speed !== undefined && { speed }),
    };
    const audio: JsonObject = {
      // Servers replace the settings of the user's sound as a whole.
      ...((changesTurns(update, first) || update.transcription !== undefined) && {
        input: {
          format,
          ...(transcription !== undefined && { transcription }),
          turn_detection: turnDetectionField(all),
        },
      }),
      ...(Object.keys(spoken).length > 0 && { output: spoken }),
    };
    const session: JsonObject = {
      type: 'realtime',
      ...((first || output !== undefined) && { output_modalities: [output ?? 'audio'] }),
      ...(instructions !== undefined && { instructions }),
      ...(temperature !== undefined && { temperature }),
      ...(Object.keys(audio).length > 0 && { audio }),
      ...(tools !== undefined && { tools: tools.map(flatTool), tool_choice: 'auto' }),
    };
    return withExtra(session, extra);
  },
} satisfies RealtimeDialect);

/** OpenAI's beta form, which other servers still speak: flat, and asked for in a header. */
export const openAiBetaDialect: RealtimeDialect = Object.freeze({
  name: 'openai-beta',
  inputSampleRate: 24_000,
  outputSampleRate: 24_000,
  headers: Object.freeze({ 'OpenAI-Beta': 'realtime=v1' }),
  assistantTextType: 'text',
  truncates: false,
  images: 'items',
  session(update, { first, all }) {
    const { tools, extra } = update;
    const session: JsonObject = {
      ...flatModalities(update, first),
      ...(first && { input_audio_format: 'pcm16', output_audio_format: 'pcm16' }),
      ...flatInput(update, { first, all, model: 'whisper-1' }),
      ...flatOptions(update),
      ...(tools !== undefined && { tools: tools.map(flatTool), tool_choice: 'auto' }),
    };
    return withExtra(session, extra);
  },
} satisfies RealtimeDialect);
