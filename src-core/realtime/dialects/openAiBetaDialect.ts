import type { JsonObject } from '../../base/json.ts';
import type { RealtimeDialect } from './realtimeDialect.ts';
import { flatInput, flatModalities, flatOptions, withExtra } from './sessionFields.ts';
import { flatTool } from './wireTool.ts';

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
