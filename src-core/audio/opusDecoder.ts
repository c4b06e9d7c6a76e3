import type { OpusDecoderHandle } from 'libopus-wasm';
import { describeThrown } from '../base/describeThrown.ts';
import type { OpusSampleRate } from './opusFormat.ts';

/** A packet that is not valid Opus; the decoder goes on with the next one. */
export class OpusPacketError extends Error {
  constructor(reason: string, options?: { cause?: unknown }) {
    super(`The packet is not valid Opus: ${reason}`, options);
    this.name = 'OpusPacketError';
  }
}

/** Bytes; Opus has no larger packets of one stream. */
const maxPacketBytes = 1_275 * 6;

/** Reads Opus packets into one channel. The codec is loaded with the first one; close it, its memory is not collected. */
export class OpusDecoder {
  readonly sampleRate: OpusSampleRate;
  readonly #handle: OpusDecoderHandle;
  /** Samples of the previous packet, the assumed length of a lost one. */
  #samples: number;

  private constructor(handle: OpusDecoderHandle, sampleRate: OpusSampleRate) {
    this.#handle = handle;
    this.sampleRate = sampleRate;
    this.#samples = sampleRate / 50;
  }

  static async create(options: { sampleRate: OpusSampleRate }): Promise<OpusDecoder> {
    const { createDecoder } = await import('libopus-wasm');
    return new OpusDecoder(await createDecoder({ sampleRate: options.sampleRate, channels: 1 }), options.sampleRate);
  }

  /**
   * The sound of one packet, 2.5 to 120 ms; two channels become one.
   * @throws {OpusPacketError} If it is not a valid packet. @throws {Error} If the decoder is closed.
   */
  decode(packet: Uint8Array): Int16Array {
    if (packet.length === 0) throw new OpusPacketError('it is empty.');
    if (packet.length > maxPacketBytes) throw new OpusPacketError(`it has ${packet.length} bytes.`);
    const pcm = this.#read(packet);
    this.#samples = pcm.length;
    return pcm;
  }

  /** Sound in place of a packet that was lost: as much as the one before had, going on as that sounded. */
  conceal(): Int16Array {
    return this.#handle.decodePacketLoss(this.#samples);
  }

  /** Frees its memory. Can be called again. */
  close(): void {
    this.#handle.free();
  }

  #read(packet: Uint8Array): Int16Array {
    try {
      return this.#handle.decode(packet);
    } catch (error) {
      if (error instanceof Error && error.name === 'OpusError')
        throw new OpusPacketError(describeThrown(error), { cause: error });
      throw error;
    }
  }
}
