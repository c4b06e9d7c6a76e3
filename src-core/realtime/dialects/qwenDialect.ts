import type { RealtimeDialect } from './realtimeDialect.ts';
import { turnDetection } from './turnDetection.ts';
import { nestedTool } from './wireTool.ts';

/** Qwen-Omni-Realtime: flat like the beta, tools nested, 16 kHz in. What was said is written down without being asked for. */
export const qwenDialect: RealtimeDialect = Object.freeze({
  name: 'qwen',
  inputSampleRate: 16_000,
  outputSampleRate: 24_000,
  headers: Object.freeze({}),
  assistantTextType: 'text',
  truncates: false,
  session(update, { first }) {
    const { instructions, tools, voice } = update;
    return {
      ...(first && {
        modalities: ['text', 'audio'],
        input_audio_format: 'pcm',
        output_audio_format: 'pcm',
      }),
      ...turnDetection(update, { first }),
      ...(instructions !== undefined && { instructions }),
      ...(voice !== undefined && { voice }),
      // The server refuses its own search beside tools.
      ...(tools !== undefined && tools.length > 0 && { enable_search: false }),
      ...(tools !== undefined && { tools: tools.map(nestedTool) }),
    };
  },
} satisfies RealtimeDialect);
