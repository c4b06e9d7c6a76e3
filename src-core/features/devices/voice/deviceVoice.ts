import { RequestError } from '../../../base/requestError.ts';
import type { DeviceSession } from '../session/deviceSession.ts';
import { requireAdmitted } from '../entry/requireAdmitted.ts';
import type { VoiceMessage } from './voiceMessage.ts';
import type { VoiceTap } from './voiceTap.ts';

/** A device's audio input and output, for as long as its connection lasts. */
export interface DeviceVoice {
  /** Does nothing if the connection has ended. */
  send(message: VoiceMessage): void;
  /** One Opus packet at the rate and length of `serverAudio`; `timestampMs` is for connections of version 2. */
  sendAudio(opus: Uint8Array, timestampMs: number): void;
  /** Releases the voice: the tap gets no more audio. */
  release(): void;
}

/**
 * Takes the voice of a connection. `name` is the device's name in errors.
 * @throws {RequestError} If it is not connected or not admitted, or its voice is taken.
 */
export function takeVoice(session: DeviceSession | undefined, name: string, tap: VoiceTap): DeviceVoice {
  requireAdmitted(session, name);
  if (session.voiceTap !== undefined)
    throw new RequestError(`${name} speaks with a model already. End that conversation first.`, { field: 'deviceId' });
  session.voiceTap = tap;
  return {
    send: (message) => session.sendVoice(message),
    sendAudio: (opus, timestampMs) => session.wire.sendAudio(opus, timestampMs),
    release() {
      if (session.voiceTap === tap) session.voiceTap = undefined;
    },
  };
}
