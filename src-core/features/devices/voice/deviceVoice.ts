import { RequestError } from '../../../base/requestError.ts';
import type { DeviceSession } from '../session/deviceSession.ts';
import { requireAdmitted } from '../entry/requireAdmitted.ts';
import type { VoiceMessage } from './voiceMessage.ts';
import type { VoiceTap } from './voiceTap.ts';

/** A device's ear and mouth, for as long as its connection lasts. */
export interface DeviceVoice {
  /** Nothing happens where the connection has ended. */
  send(message: VoiceMessage): void;
  /** One Opus packet at the rate and length of `serverAudio`; `timestampMs` is for connections of version 2. */
  sendAudio(opus: Uint8Array, timestampMs: number): void;
  /** Hears no more of it. */
  release(): void;
}

/**
 * Takes the voice of a connection. `name` is what errors call the device.
 * @throws RequestError where it is not connected or let in, or another has its voice.
 */
export function takeVoice(session: DeviceSession | undefined, name: string, tap: VoiceTap): DeviceVoice {
  requireAdmitted(session, name);
  if (session.voiceTap !== undefined) {
    throw new RequestError(`${name} speaks with a model already. End that conversation first.`, { field: 'deviceId' });
  }
  session.voiceTap = tap;
  return {
    send: (message) => session.sendVoice(message),
    sendAudio: (opus, timestampMs) => session.wire.sendAudio(opus, timestampMs),
    release() {
      if (session.voiceTap === tap) session.voiceTap = undefined;
    },
  };
}
