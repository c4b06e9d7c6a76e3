import type { JsonObject } from '../../tools/json.ts';
import type { RealtimeDialect } from './realtimeDialect.ts';
import { turnDetection } from './turnDetection.ts';
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
  session(update, { first }) {
    const { instructions, tools, voice } = update;
    const turns = turnDetection(update, { first });
    const output: JsonObject = {
      ...(first && { format }),
      ...(voice !== undefined && { voice }),
    };
    const audio: JsonObject = {
      ...(Object.keys(turns).length > 0 && {
        input: { format, transcription: { model: 'gpt-transcribe' }, ...turns },
      }),
      ...(Object.keys(output).length > 0 && { output }),
    };
    return {
      type: 'realtime',
      ...(first && { output_modalities: ['audio'] }),
      ...(instructions !== undefined && { instructions }),
      ...(Object.keys(audio).length > 0 && { audio }),
      ...(tools !== undefined && { tools: tools.map(flatTool), tool_choice: 'auto' }),
    };
  },
} satisfies RealtimeDialect);
