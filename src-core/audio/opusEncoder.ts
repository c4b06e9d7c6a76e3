import type { OpusEncoderHandle } from 'libopus-wasm';
import type { OpusFrameMs, OpusSampleRate } from './opusFormat.ts';

/** `OPUS_APPLICATION_VOIP`: made for speech. */
const voip = 2_048;

/** Writes Opus packets of one channel. The codec is loaded with the first one; close it, its memory is not collected. */
export class OpusEncoder {
  readonly sampleRate: OpusSampleRate;
  readonly frameMs: OpusFrameMs;
  readonly #handle: OpusEncoderHandle;

  private constructor(handle: OpusEncoderHandle, sampleRate: OpusSampleRate, frameMs: OpusFrameMs) {
    this.#handle = handle;
    this.sampleRate = sampleRate;
    this.frameMs = frameMs;
  }

  /** `bitrate` in bits a second; 32,000 by default. */
  static async create(options: {
    sampleRate: OpusSampleRate;
    frameMs: OpusFrameMs;
    bitrate?: number;
  }): Promise<OpusEncoder> {
    const { sampleRate, frameMs, bitrate = 32_000 } = options;
    const { createEncoder } = await import('libopus-wasm');
    const frameSize = (sampleRate * frameMs) / 1_000;
    const handle = await createEncoder({ sampleRate, channels: 1, frameSize, application: voip, bitrate });
    return new OpusEncoder(handle, sampleRate, frameMs);
  }

  /** Samples that one packet takes. */
  get frameSamples(): number {
    return this.#handle.frameSize;
  }

  /** Samples that the sound comes later out of a decoder than it went in here. */
  get lookahead(): number {
    return this.#handle.getLookahead();
  }

  /** @throws {RangeError} If the frame has another length. @throws {Error} If the encoder is closed. */
  encode(frame: Int16Array): Uint8Array {
    return this.#handle.encode(frame);
  }

  /** Frees its memory. Can be called again. */
  close(): void {
    this.#handle.free();
  }
}
