import type { JsonObject } from '../../tools/json.ts';
import type { RealtimeDialect } from './realtimeDialect.ts';
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
  session({ instructions, tools, voice }, { first }) {
    const output: JsonObject = {
      ...(first && { format }),
      ...(voice !== undefined && { voice }),
    };
    const audio: JsonObject = {
      ...(first && {
        input: { format, transcription: { model: 'gpt-transcribe' }, turn_detection: { type: 'server_vad' } },
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
