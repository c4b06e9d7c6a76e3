import type { JsonValue } from '../../base/json.ts';
import { EventError } from './eventError.ts';

const minCommitMs = 100;

/** Received sound that is not an item yet. Only its length is kept: the scripted server does not evaluate it. */
export class InputAudio {
  readonly #rate: number;
  #samples = 0;
  #oddByte: Buffer = Buffer.alloc(0);

  constructor(sampleRate: number) {
    this.#rate = sampleRate;
  }

  get ms(): number {
    return (this.#samples / this.#rate) * 1_000;
  }

  /**
   * Accepts the `audio` of an `input_audio_buffer.append` and returns its whole samples; half a sample waits for the
   * next.
   * @throws {EventError} If it is not valid base64.
   */
  append(audio: JsonValue | undefined): Buffer {
    if (typeof audio !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(audio) || audio.length % 4 !== 0) {
      throw new EventError({
        code: 'invalid_value',
        message: "Invalid 'audio'. Expected base64-encoded audio bytes.",
        param: 'audio',
      });
    }
    const bytes = Buffer.concat([this.#oddByte, Buffer.from(audio, 'base64')]);
    const whole = bytes.length - (bytes.length % 2);
    this.#oddByte = bytes.subarray(whole);
    this.#samples += whole / 2;
    return bytes.subarray(0, whole);
  }

  clear(): void {
    this.#samples = 0;
    this.#oddByte = Buffer.alloc(0);
  }

  /**
   * Empties the buffer and returns its length in ms.
   * @throws {EventError} If it has less than 100 ms.
   */
  commit(): number {
    const { ms } = this;
    if (ms < minCommitMs) {
      throw new EventError({
        code: 'input_audio_buffer_commit_empty',
        message:
          `Error committing input audio buffer: buffer too small. Expected at least ${minCommitMs}ms of audio, ` +
          `but buffer only has ${ms.toFixed(2)}ms of audio.`,
      });
    }
    this.clear();
    return ms;
  }
}
