import type { JsonObject } from '../../../base/json.ts';
import { plainText } from '../wire/plainText.ts';

/** A device begins to listen, has stopped, or recognised its wake word (docs/protocols/xiaozhi.md#messages). */
export interface ListenMessage {
  state: 'start' | 'stop' | 'detect';
  /** Who ends a turn: a pause, the button, or none, as the device listens while it speaks. */
  mode: 'auto' | 'manual' | 'realtime';
  /** The wake word. */
  text?: string;
}

/** The listener for a device's voice and its listen messages; one for each connection. */
export interface VoiceTap {
  onListen(listen: ListenMessage): void;
  /** The user interrupts the speech. */
  onAbort(): void;
  /** One Opus packet, without the connection's header. */
  onAudio(opus: Uint8Array): void;
  /** The connection has ended. */
  onEnd(): void;
}

const maxText = 1_000;

/** Reads a `listen` message; undefined for one whose state is none. What a mode is not counts as `auto`. */
export function readListen(body: JsonObject): ListenMessage | undefined {
  const { state, mode } = body;
  if (state !== 'start' && state !== 'stop' && state !== 'detect') return undefined;
  const text = plainText(body['text'], maxText);
  return {
    state,
    mode: mode === 'manual' || mode === 'realtime' ? mode : 'auto',
    ...(text !== undefined && text !== '' && { text }),
  };
}
