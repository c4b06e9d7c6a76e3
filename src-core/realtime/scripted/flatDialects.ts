import { EventError } from './eventError.ts';
import { anything, flag, number } from './fields.ts';
import { createFlatDialect } from './flatDialect.ts';

/** OpenAI's beta names, which servers that took them over still speak (spec/realtime.md). */
export const openAiBetaDialect = createFlatDialect({
  name: 'openai-beta',
  inputRate: 24_000,
  toolShape: 'flat',
  formats: ['pcm16'],
  own: {
    fields: {
      input_audio_noise_reduction: anything,
      include: anything,
      max_response_output_tokens: anything,
      speed: number(0.25, 1.5),
      temperature: number(0.6, 1.2),
      tracing: anything,
    },
    values: { voice: 'alloy', temperature: 0.8, max_response_output_tokens: 'inf' },
  },
});

/** Models before 3.5 take a list of tools and have none afterwards, without a word (spec/realtime.md). */
const dropsTools = /^qwen-omni|^qwen2\.5|^qwen3-/;

/** Qwen-Omni-Realtime: the beta's shape, 16 kHz in, tools in a `function` of their own (spec/realtime.md). */
export const qwenDialect = createFlatDialect({
  name: 'qwen',
  inputRate: 16_000,
  toolShape: 'nested',
  formats: ['pcm', 'pcm16', 'pcm24'],
  own: {
    fields: {
      temperature: number(0, 2),
      top_p: number(0, 1),
      top_k: anything,
      max_tokens: anything,
      repetition_penalty: anything,
      presence_penalty: number(-2, 2),
      seed: anything,
      smooth_output: anything,
      enable_search: flag,
      search_options: anything,
      parallel_tool_calls: flag,
    },
    values: { voice: 'Cherry', input_audio_transcription: { model: 'qwen3-asr-flash-realtime' } },
  },
  finish(session) {
    const { model, tools, enable_search: searches } = session;
    const offers = Array.isArray(tools) && tools.length > 0;
    if (offers && searches === true) {
      throw new EventError({
        code: 'invalid_value',
        message: 'Tools and enable_search cannot be used together.',
        param: 'session.enable_search',
      });
    }
    return dropsTools.test(String(model)) ? { ...session, tools: [] } : session;
  },
});
