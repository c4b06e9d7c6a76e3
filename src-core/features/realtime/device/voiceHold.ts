import type { DeviceVoice } from '../../devices/voice/deviceVoice.ts';
import type { ListenMessage, VoiceTap } from '../../devices/voice/voiceTap.ts';

/** Packets that wait: five seconds of 60 ms each. */
const maxPackets = 84;
const maxMessages = 32;

type Event = (tap: VoiceTap) => void;

/** Takes over a device's audio at once and buffers it, in order, until the model has greeted and a receiver is set. */
export class VoiceHold implements VoiceTap {
  readonly voice: DeviceVoice;
  readonly #ended = new AbortController();
  #tap: VoiceTap | undefined;
  #held: { isAudio: boolean; event: Event }[] = [];

  /** @throws {RequestError} If the device is not connected, or speaks with another model. */
  constructor(take: (tap: VoiceTap) => DeviceVoice) {
    this.voice = take(this);
  }

  /** Aborts when the connection ends. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** Passes what was buffered to this receiver, then everything that follows. */
  handTo(tap: VoiceTap): void {
    this.#tap = tap;
    const held = this.#held;
    this.#held = [];
    for (const { event } of held) event(tap);
  }

  onListen(listen: ListenMessage): void {
    this.#pass(false, (tap) => tap.onListen(listen));
  }

  onAbort(): void {
    this.#pass(false, (tap) => tap.onAbort());
  }

  onAudio(opus: Uint8Array): void {
    if (this.#tap !== undefined) this.#tap.onAudio(opus);
    else this.#pass(true, (tap) => tap.onAudio(opus));
  }

  onEnd(): void {
    this.#ended.abort(new Error('The device has disconnected.'));
    this.#tap?.onEnd();
  }

  /** The oldest audio is dropped first; messages are few, and more important. */
  #pass(isAudio: boolean, event: Event): void {
    if (this.#tap !== undefined) return event(this.#tap);
    const alike = this.#held.filter((each) => each.isAudio === isAudio);
    if (alike.length >= (isAudio ? maxPackets : maxMessages)) {
      if (!isAudio) return;
      this.#held.splice(
        this.#held.findIndex((each) => each.isAudio),
        1,
      );
    }
    this.#held.push({ isAudio, event });
  }
}
