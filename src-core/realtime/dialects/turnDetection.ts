import type { JsonObject } from '../../tools/json.ts';
import type { RealtimeSessionUpdate } from '../baseRealtimeProvider.ts';

/** `turn_detection` where it is set anew: null leaves it to the client to end a turn (`input_audio_buffer.commit`). */
export function turnDetection({ turns }: RealtimeSessionUpdate, { first }: { first: boolean }): JsonObject {
  if (turns === undefined && !first) return {};
  return { turn_detection: turns === 'client' ? null : { type: 'server_vad' } };
}
