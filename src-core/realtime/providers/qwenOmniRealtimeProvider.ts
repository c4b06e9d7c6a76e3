import { SocketRealtimeProvider, type RealtimeProviderOptions } from './socketRealtimeProvider.ts';
import type { JsonObject } from '../../base/json.ts';
import type { RealtimeDialect } from '../dialects/realtimeDialect.ts';
import { flatInput, flatModalities, flatOptions, withExtra } from '../dialects/sessionFields.ts';
import { nestedTool } from '../dialects/wireTool.ts';

/** Qwen-Omni-Realtime. Takes 16 kHz, speaks with 24 kHz. */
export class QwenOmniRealtimeProvider extends SocketRealtimeProvider {
  constructor(options: RealtimeProviderOptions) {
    super('qwen', qwenDialect, options);
  }
}

/** Qwen-Omni-Realtime: flat like the beta, tools nested, 16 kHz in. What was said is written down without being asked for. */
export const qwenDialect: RealtimeDialect = Object.freeze({
  name: 'qwen',
  inputSampleRate: 16_000,
  outputSampleRate: 24_000,
  headers: Object.freeze({}),
  assistantTextType: 'text',
  truncates: false,
  images: 'buffer',
  session(update, { first, all }) {
    const { tools, extra } = update;
    const session: JsonObject = {
      ...flatModalities(update, first),
      ...(first && { input_audio_format: 'pcm', output_audio_format: 'pcm' }),
      ...flatInput(update, { first, all }),
      ...flatOptions(update),
      // The server refuses its own search beside tools.
      ...(tools !== undefined && tools.length > 0 && { enable_search: false }),
      ...(tools !== undefined && { tools: tools.map(nestedTool) }),
    };
    return withExtra(session, extra);
  },
} satisfies RealtimeDialect);
