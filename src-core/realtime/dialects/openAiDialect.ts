import type { JsonObject } from '../../base/json.ts';
import type { RealtimeDialect } from './realtimeDialect.ts';
import { changesTurns, transcriptionField, turnDetectionField, withExtra } from './sessionFields.ts';
import { flatTool } from './wireTool.ts';

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
