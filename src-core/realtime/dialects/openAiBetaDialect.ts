import type { RealtimeDialect } from './realtimeDialect.ts';
import { turnDetection } from './turnDetection.ts';
import { flatTool } from './wireTool.ts';

/** OpenAI's beta form, which other servers still speak: flat, and asked for in a header. */
export const openAiBetaDialect: RealtimeDialect = Object.freeze({
  name: 'openai-beta',
  inputSampleRate: 24_000,
  outputSampleRate: 24_000,
  headers: Object.freeze({ 'OpenAI-Beta': 'realtime=v1' }),
  assistantTextType: 'text',
  truncates: false,
  session(update, { first }) {
    const { instructions, tools, voice } = update;
    return {
      ...(first && {
        modalities: ['text', 'audio'],
        input_audio_format: 'pcm16',
        output_audio_format: 'pcm16',
        input_audio_transcription: { model: 'whisper-1' },
      }),
      ...turnDetection(update, { first }),
      ...(instructions !== undefined && { instructions }),
      ...(voice !== undefined && { voice }),
      ...(tools !== undefined && { tools: tools.map(flatTool), tool_choice: 'auto' }),
    };
  },
} satisfies RealtimeDialect);
